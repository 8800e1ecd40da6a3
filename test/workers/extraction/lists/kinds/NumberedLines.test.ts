import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown } from "../../Footage.ts"

const texts = { type: "array", items: { type: "string" } }
const given = (properties: object, shown: ReadonlyArray<Shown>): unknown =>
  extract(
    inputOf({ type: "object", properties }, footage([[0, "S1", "Have a look at the screen."]], shown, 60), {
      precision: "strict"
    })
  ).result

const plan = ["1. Tidy up the data", "2. Build a simple table", "3. Add a chart"]

describe("lines that the screen numbers", () => {
  it.each<[string, ReadonlyArray<Shown>, ReadonlyArray<string>]>([
    ["on one slide", [[20, plan]], ["Tidy up the data", "Build a simple table", "Add a chart"]],
    [
      "with no sign behind the number",
      [[20, ["1  Tidy up the data", "2  Build a simple table", "3  Add a chart"]]],
      ["Tidy up the data", "Build a simple table", "Add a chart"]
    ],
    [
      "on a slide that grows",
      [[10, plan.slice(0, 1)], [20, plan.slice(0, 2)], [30, plan]],
      ["Tidy up the data", "Build a simple table", "Add a chart"]
    ],
    [
      "on a card each, which may say the number alone above",
      [[10, ["Step 1: Mix the flour"]], [20, ["STEP 2 – Bake at 200 C"]], [30, ["Step 3", "Let it cool"]]],
      ["Mix the flour", "Bake at 200 C", "Let it cool"]
    ]
  ])("are the steps, %s", (_how, shown, steps) => {
    expect(given({ steps: texts }, [[1, ["How it is done"]], ...shown])).toEqual({ steps })
  })

  it("are no step where the next line goes on with it", () => {
    const lines = [
      "1. Drain the chickpeas",
      "2. Toss everything in the oil",
      "and paprika",
      "3. Squeeze a lemon over it"
    ]
    expect(given({ steps: texts }, [[1, ["How it is done"]], [20, lines]])).toEqual({
      steps: ["Drain the chickpeas", "Squeeze a lemon over it"]
    })
  })

  it("are the steps with their numbers and where they are shown", () => {
    const properties = { step: { type: "integer" }, instruction: { type: "string" } }
    const steps = { type: "array", items: { type: "object", properties } }
    expect(given({ steps }, [[1, ["How it is done"]], [20, plan]])).toEqual({
      steps: [
        { step: 1, instruction: "Tidy up the data" },
        { step: 2, instruction: "Build a simple table" },
        { step: 3, instruction: "Add a chart" }
      ]
    })
  })

  it("are the topics, rather than what heads a slide", () => {
    const topics = ["Tidy up the data", "Build a simple table", "Add a chart"]
    expect(given({ topics: texts }, [[1, ["Spreadsheets"]], [10, ["Lesson 4: Pivot tables"]], [20, plan]]))
      .toEqual({ topics })
  })

  it.each<[string, ReadonlyArray<Shown>]>([
    ["two of them", [[20, plan.slice(0, 2)]]],
    ["a count that does not begin at one", [[20, ["4. Add a chart", "5. Print it", "6. Go home"]]]],
    ["a count with a gap", [[20, ["1. Add a chart", "3. Print it", "4. Go home"]]]]
  ])("are no list where they are but %s", (_what, shown) => {
    expect(given({ steps: texts }, [[1, ["How it is done"]], ...shown])).toEqual({})
  })
})
