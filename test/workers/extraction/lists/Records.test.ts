import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { recordDrafts } from "../../../../workers/extraction/lists/records/Records.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { footage, inputOf, materialOf, type Turn } from "../Footage.ts"

const schema = {
  type: "object",
  properties: {
    boxes: {
      type: "array",
      description: "Boxes of finds on the table",
      items: {
        type: "object",
        properties: {
          box: { type: "string" },
          pieces: { type: "integer" },
          marks: { type: "array", items: { type: "string" } }
        }
      }
    }
  }
}
const turns: ReadonlyArray<Turn> = [
  [1, "S1", "Right, three boxes of finds are on the table this morning."],
  [10, "S1", "Box A comes from the ditch. There are forty pieces in it, mostly pottery."],
  [30, "S2", "And Box B is from the well, twelve pieces, all of them bone."],
  [50, "S1", "Box C is the odd one, seven pieces, and two of them are iron."],
  [70, "S2", "Lovely. Let me write that down before the kettle boils."],
  [80, "S3", "I will take the photographs after lunch."]
]

describe("entries that are put together by likelihood", () => {
  it("are in a balanced result with their likelihood, each citing its own words, and in no strict one", () => {
    const balanced = extract(inputOf(schema, footage(turns), { precision: "balanced" }))
    const records = balanced.evidence.spans.filter(({ proposed_by }) => proposed_by === "list:records")
    for (const { checks, confidence, quote, value } of records) {
      expect(checks.judged_by).toBe("rules")
      expect(checks.answers).toBeGreaterThan(0)
      expect(confidence).toBeGreaterThan(0)
      if (typeof value === "string") expect(quote).toContain(value)
    }
    const strict = extract(inputOf(schema, footage(turns), { precision: "strict" }))
    expect(strict.evidence.spans.map(({ proposed_by }) => proposed_by)).not.toContain("list:records")
  })

  it("are told as candidates where the precision that is asked holds them back", () => {
    const { evidence } = extract(inputOf(schema, footage(turns), { precision: "strict" }))
    const told = evidence.unfilled.flatMap(({ candidates }) => candidates.map(({ value }) => value))
    expect(told.filter((value) => /^Box [A-C]$/u.test(String(value)))).not.toEqual([])
  })

  it.each([
    "We don't need eggs, milk and nuts.",
    "There are no eggs, milk or nuts in it.",
    "Leave out eggs, milk and nuts.",
    "People ask for eggs, milk and nuts, none of which we use.",
    "My aunt adds eggs, milk and nuts, which we never use.",
    "The eggs, the milk and the nuts are sold out."
  ])("are nothing that speech denies or leaves out, however likely: %s", (said) => {
    // Trees that take whatever they are asked.
    const all = { base: 5, trees: [] }
    const items = { type: "object", properties: { item: { type: "string" }, grams: { type: "number" } } }
    const { lists: [list] } = planOf({ type: "object", properties: { supplies: { type: "array", items } } })
    const material = materialOf([[0, "S1", said], [9, "S1", "We bring flour and sugar."]])
    const values = recordDrafts(material, list!, new Map(), { members: all, values: all }).map(({ value }) =>
      String(value)
    )
    expect(values.filter((one) => /eggs|milk|nuts/u.test(one))).toEqual([])
    expect(values.some((one) => one.includes("flour"))).toBe(true)
  })
})
