import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

const string = { type: "string" }
const turns: ReadonlyArray<Turn> = [[0, "S1", "Good morning, everybody, and thanks for coming so early."]]

const taken = (properties: object, lines: ReadonlyArray<string>, said = turns) => {
  const shown: ReadonlyArray<Shown> = [[0.5, lines]]
  return extract({ ...inputOf({ type: "object", properties }, footage(said, shown)), precision: "balanced" }).result
}

describe("what a title card gives", () => {
  it.each([
    ["product", "PALLETWISE – stock you can trust", "PALLETWISE"],
    ["event", "LORNE BAY AUTUMN SERIES – Day 2 – Sunday 5 October 2025", "LORNE BAY AUTUMN SERIES"],
    ["title", "PHYS 142 – The Speed of Sound", "The Speed of Sound"],
    ["topic", "In-house training: Alone on the night hatch", "Alone on the night hatch"],
    ["topic", "Fibre II: what the trials say", "Fibre II: what the trials say"]
  ])("is the title alone: %s of %j", (field, line, title) => {
    expect(taken({ [field]: string }, [line])).toEqual({ [field]: title })
  })

  it("is the name of what a field of that name says that it is of, and not its speaker's", () => {
    const name = { name: { type: "string", description: "Name of the talk" } }
    expect(taken(name, ["How Bees Navigate", "Dr. Lena Ortiz"])).toEqual({ name: "How Bees Navigate" })
  })

  it("is the line below a name, for a thing's own", () => {
    const said: ReadonlyArray<Turn> = [[0, "S1", "Hello, I'm Marisol Tengwall, and this is about plans."]]
    expect(taken({ product: string }, ["Marisol Tengwall", "Ledgerfin"], said)).toEqual({ product: "Ledgerfin" })
  })
})

describe("the day that a schema asks for", () => {
  const date = { type: "string", format: "date" }

  it("is of the year that the footage names elsewhere", () => {
    const said: ReadonlyArray<Turn> = [[0, "S1", "The report is due by the ninth of June, not a day later."]]
    expect(taken({ report_due: date }, ["Site meeting 12 May 2026"], said)).toEqual({ report_due: "2026-06-09" })
  })

  it("is left open where nothing tells the year", () => {
    const said: ReadonlyArray<Turn> = [[0, "S1", "The report is due by the ninth of June, not a day later."]]
    expect(taken({ report_due: date }, ["Site meeting"], said)).toEqual({})
  })
})

describe("a number that is worked out", () => {
  const total = { total_price: { type: "number" } }

  it("is none of those that it is worked out from", () => {
    expect(taken(total, ["Doors"], [[0, "S1", "The price of one door is ninety dollars."]])).toEqual({})
  })

  it("is the outcome that somebody says", () => {
    expect(taken(total, ["Doors"], [[0, "S1", "The price of all the doors comes to ninety dollars in total."]]))
      .toEqual({
        total_price: 90
      })
  })
})
