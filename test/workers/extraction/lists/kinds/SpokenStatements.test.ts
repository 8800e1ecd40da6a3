import { describe, expect, it } from "vitest"
import { prices, quantities } from "../../../../../workers/extraction/lists/kinds/Quantities.ts"
import { decisions, tasks } from "../../../../../workers/extraction/lists/kinds/SpokenStatements.ts"
import { materialOf } from "../../Footage.ts"

const said = (text: string) => materialOf([[0, "S1", text]])

describe("tasks", () => {
  it.each([
    "Nobody should open the old organ.",
    "Yes, please send the invoice to me.",
    "Visitors should find the toilets on the left.",
    "If it rains, Paul will move the chairs.",
    "I don't think Carla will write the report."
  ])("are none that nobody by name is given for sure: %s", (text) => {
    expect(tasks(said(text))).toEqual([])
  })

  it.each([
    ["Anna, please book the hall.", "Anna", "book the hall"],
    ["So Zebulona will call the priest.", "Zebulona", "call the priest"]
  ])("are of whoever has a first name, or a capital inside a sentence: %s", (text, owner, task) => {
    expect(tasks(said(text)).map((one) => [one["owner"]?.value, one["text"]?.value])).toEqual([[owner, task]])
  })

  it("point to the owner and the day that are meant, not to the same letters before", () => {
    const text = "Unlike Annabel last Friday, Ann will call the plumber by Friday."
    const [task] = tasks(said(text))
    expect(task!["owner"]!.span.from).toBe(text.indexOf("Ann will"))
    expect(task!["due"]!.span.from).toBe(text.lastIndexOf("Friday"))
  })
})

describe("decisions", () => {
  it.each([
    "It is not the case that we agreed to raise the rent.",
    "If we decided to leave, we would regret it."
  ])("are none that are denied or only imagined: %s", (text) => {
    expect(decisions(said(text))).toEqual([])
  })

  it("are those that are stated, of not doing something as well", () => {
    expect(decisions(said("Today we decided not to sell the bell.")).map(({ text }) => text!.value)).toEqual([
      "not to sell the bell"
    ])
  })
})

describe("quantities", () => {
  it.each([
    ["Take 3/4 cup sugar.", "3/4 cup"],
    ["Take 1 1/2 cups flour.", "1 1/2 cups"],
    ["Take two to three tablespoons of oil.", "two to three tablespoons"],
    ["Take 5-6 g salt.", "5-6 g"]
  ])("that more than one number says are given as they are said, without a number: %s", (text, measure) => {
    expect(quantities(said(text)).map((one) => [one["measure"]?.value, one["quantity"]])).toEqual([
      [measure, undefined]
    ])
  })

  it.each([
    "Do not add 50 grams of salt.",
    "I lost ten pounds last year."
  ])("are none that are denied or measure nothing that is named: %s", (text) => {
    expect(quantities(said(text))).toEqual([])
  })
})

describe("prices", () => {
  it("are none that something does not cost", () => {
    expect(prices(said("A helmet does not cost fifty dollars."))).toEqual([])
  })
})
