import { describe, expect, it } from "vitest"
import type { Judgeable } from "../../../../workers/extraction/judge/Judgeable.ts"
import { STANDING_FEATURES, standingContext } from "../../../../workers/extraction/judge/StandingFeatures.ts"
import { leafOf } from "../../../../workers/extraction/text/Plan.ts"
import { materialOf } from "../Footage.ts"

const { reading: { passages } } = materialOf([
  [0, "S1", "We start at nine in Harrow."],
  [10, "S1", "Anna Brandt brings eighty chairs."],
  [20, "S1", "Tom Wells brings sixty chairs."],
  [30, "S1", "All of it costs four hundred pounds."]
])
const leaves = [
  leafOf("/start", "start", { type: "string" }),
  leafOf("/cost", "cost", { type: "number" }),
  leafOf("/helpers/*/name", "name", { type: "string" }),
  leafOf("/helpers/*/chairs", "chairs", { type: "integer" })
]
const value = (template: string, at: number, words: string, value: Judgeable["value"], entry?: string): Judgeable => {
  const passage = passages[at]!
  const from = passage.text.indexOf(words)
  return {
    pointer_template: template,
    ...(entry === undefined ? {} : { item_key: entry }),
    proposed_by: "llm:test",
    score: 1,
    value,
    quote: passage.text,
    span: { passage, from, to: from + words.length },
    modality: "audio",
    support: "verbatim",
    grade: "stated",
    citations: [],
    alternatives: []
  }
}
const standing = [
  value("/start", 0, "nine", "nine"),
  value("/cost", 3, "four hundred", 400),
  value("/helpers/*/name", 1, "Anna Brandt", "Anna Brandt", "Anna"),
  value("/helpers/*/chairs", 1, "eighty", 80, "Anna"),
  value("/helpers/*/name", 2, "Tom Wells", "Tom Wells", "Tom"),
  value("/helpers/*/chairs", 2, "sixty", 60, "Tom")
]
const told = (draft: Judgeable, some = standing) => {
  const features = standingContext(leaves, some, 40)(
    draft,
    leaves.find(({ template }) => template === draft.pointer_template)!
  )
  return Object.fromEntries(STANDING_FEATURES.map((name, at) => [name, features[at]!]))
}

describe("a value among the others of its result", () => {
  it("is out of order where the fields before it are spoken of later", () => {
    expect(told(standing[1]!)["out_of_order"]).toBe(0)
    expect(told(standing[0]!, [value("/cost", 0, "Harrow", 400), value("/start", 3, "costs", "x")])["out_of_order"])
      .toBe(0)
    expect(told(value("/cost", 0, "We", 9), [value("/start", 3, "costs", "x")])["out_of_order"]).toBe(1)
  })

  it("is near its own entry, or nearer to another one", () => {
    const [own, other] = [told(standing[3]!), told(value("/helpers/*/chairs", 2, "sixty", 60, "Anna"))]
    expect(own["entry_nearer"]).toBeLessThan(0)
    expect(other["entry_nearer"]).toBeGreaterThan(0)
    expect(own["column_offset"]).toBe(0)
    expect(own["column_unit"]).toBe(1)
  })

  it("is unlike the other values of its field where it has another form or another word beside it", () => {
    const odd = told(value("/helpers/*/name", 3, "four hundred pounds", "400 pounds", "Anna"))
    const like = told(standing[2]!)
    expect([like["column_capital"], like["column_digits"]]).toEqual([1, 1])
    expect([odd["column_capital"], odd["column_digits"]]).toEqual([0, 0])
  })

  it("is told nothing about where nothing stands", () => {
    expect(Object.values(told(standing[0]!, [])).every((one) => one === 0)).toBe(true)
  })
})
