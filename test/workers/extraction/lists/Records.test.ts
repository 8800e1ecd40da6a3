import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Turn } from "../Footage.ts"

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
      expect(confidence).toBeLessThanOrEqual(checks.answers!)
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
})
