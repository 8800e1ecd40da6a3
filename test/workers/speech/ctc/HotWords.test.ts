import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { expectedTerms, schemaTerms, screenTerms } from "../../../../workers/speech/ctc/HotWords.ts"

describe("schemaTerms", () => {
  it("names what a schema allows, calls its parts and gives as examples, and none of its keywords", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Rollout of Quokka",
      type: "object",
      description: "What was said about it.",
      required: ["release_date"],
      properties: {
        release_date: { type: "string", format: "date" },
        ownerName: { $ref: "#/$defs/Person" },
        tier: { enum: ["Platinum Plus", "gold", 3] },
        items: { type: "array", items: { const: { city: "Reykjavík" } } }
      },
      $defs: { Person: { type: "string", examples: ["Ada Lovelace"], pattern: "^[A-Z]+$" } }
    }
    assert.sameMembers(schemaTerms(schema), [
      "Rollout of Quokka",
      "release date",
      "owner Name",
      "tier",
      "Platinum Plus",
      "gold",
      "items",
      "Reykjavík",
      "Ada Lovelace"
    ])
  })

  it("gives something finite for any JSON", () => {
    fc.assert(fc.property(fc.jsonValue({ stringUnit: "binary" }), (schema) => {
      assert.isAtMost(schemaTerms(schema).length, 300)
    }))
    const many = {
      enum: Array.from({ length: 5000 }, (_, i) => `name${String.fromCharCode(97 + (i % 26)).repeat(1 + i / 26)}`)
    }
    assert.lengthOf(schemaTerms(many), 300)
  })

  it("comes after what the caller says outright", () => {
    const hints = { vocabulary: ["UNICEF"], participants: ["Mary Brown"] }
    assert.deepStrictEqual(expectedTerms({ hints, json_schema: { title: "NOTES" } }), [
      "UNICEF",
      "Mary Brown",
      "notes"
    ])
  })
})

const shown = (timestamp: number, ...lines: ReadonlyArray<string>) => ({
  timestamp,
  text: lines.map((text) => ({ text, box: [0, 0, 1, 1] as const, confidence: 1 }))
})

const word = (i: number) => `w${[...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`

describe("screenTerms", () => {
  it("takes lines apart where something stands that is not said as it is written", () => {
    assert.deepStrictEqual(
      screenTerms([shown(0, "Lecturer: Mary Brown", "240 / 3 = 80", "A top-down view (v2)")], 0, 5),
      [
        "Lecturer",
        "Mary Brown",
        "a top down view"
      ]
    )
  })

  it("has a heading as a sentence has it: capitals of a whole line, or of its first letter, are the slide's", () => {
    assert.deepStrictEqual(screenTerms([shown(0, "RATE OF CHANGE", "Water pumps", "The Kestrel")], 0, 5), [
      "rate of change",
      "water pumps",
      "The Kestrel"
    ])
  })

  it("puts first what is shown while it is said, and leaves out what is shown minutes away", () => {
    const seen = [shown(0, "long gone"), shown(10, "before"), shown(100, "now"), shown(130, "next"), shown(900, "far")]
    assert.deepStrictEqual(screenTerms(seen, 105, 110), ["now", "before", "next", "long gone"])
    assert.deepStrictEqual(screenTerms(seen, 400, 410), ["next"])
    assert.deepStrictEqual(screenTerms([], 0, 10), [])
  })

  it("stays small on a wall of text", () => {
    const wall = shown(
      0,
      ...Array.from({ length: 2000 }, (_, i) => Array.from({ length: 50 }, (_, j) => word(50 * i + j)).join(" "))
    )
    const terms = screenTerms([wall], 0, 20)
    assert.lengthOf(terms, 300)
    assert.isTrue(terms.every((term) => term.split(" ").length <= 12))
  })
})
