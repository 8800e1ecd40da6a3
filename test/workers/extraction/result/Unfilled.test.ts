import { assert, describe, it } from "@effect/vitest"
import type { JsonSchema } from "../../../../src/schemas/json-schema/JsonSchema.ts"
import type { HeldBack } from "../../../../workers/extraction/grounding/HeldBack.ts"
import { assemble } from "../../../../workers/extraction/result/Assemble.ts"
import { tellUnfilled } from "../../../../workers/extraction/result/Unfilled.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { grounded } from "../groundedValues.ts"

const text = { type: "string" }
const schema: JsonSchema = {
  type: "object",
  properties: {
    title: text,
    code: { type: "string", description: "The code, only if it is stated" },
    language: { type: "string", default: "en" },
    steps: {
      type: "array",
      items: {
        type: "object",
        properties: { action: text, tool: text, parts: { type: "array", items: { type: "array", items: text } } }
      }
    }
  },
  required: ["language"]
}

const held = (
  pointer_template: string,
  value: string,
  confidence: number | null,
  reason: HeldBack["reason"],
  item_key?: string
): HeldBack => ({
  pointer_template,
  item_key,
  reason,
  candidate: {
    value,
    confidence,
    quote: value,
    source_ref: "seg#000001",
    t_start: 1,
    t_end: 2,
    refused_because: "It is not sure enough."
  }
})

const values = [
  grounded("/steps/*/action", "cut", { item_key: "a", t_start: 1 }),
  grounded("/steps/*/action", "glue", { item_key: "b", t_start: 5, t_end: 6 })
]

const tell = (
  some: ReadonlyArray<HeldBack>,
  misfits: ReadonlyArray<HeldBack> = [],
  isBeyond: (pointer: string) => boolean = () => false
) => {
  const plan = planOf(schema)
  const told = tellUnfilled(assemble(schema, values), values, { held: some, misfits }, plan, {
    isBeyond,
    isUnclear: false
  })
  return new Map(told.map((one) => [one.pointer, one]))
}

describe("why a leaf has no value", () => {
  it("is that the source does not say, that it is not stated in so many words, or that nobody looks for its shape", () => {
    const reasons = new Map(Array.from(tell([]), ([pointer, { reason }]) => [pointer, reason]))
    assert.strictEqual(reasons.get("/title"), "not_found")
    assert.strictEqual(reasons.get("/code"), "not_stated")
    assert.strictEqual(reasons.get("/steps/0/tool"), "not_found")
    assert.strictEqual(reasons.get("/steps/0/parts"), "unsupported")
    assert.isFalse(reasons.has("/language"))
  })

  it("is `budget` where a job's work ends before it", () => {
    assert.strictEqual(tell([], [], (pointer) => pointer === "/title").get("/title")!.reason, "budget")
  })

  it("is that of the likeliest value that was held back, with three of them at most and none twice", () => {
    const title = tell([
      held("/title", "Paste", 0.3, "refused"),
      held("/title", "The glue", 0.6, "below_threshold"),
      held("/title", "the glue", 0.5, "below_threshold"),
      held("/title", "Cuts", 0.2, "below_threshold"),
      held("/title", "Tape", null, "refused")
    ]).get("/title")!
    assert.strictEqual(title.reason, "below_threshold")
    assert.deepStrictEqual(title.candidates.map(({ value }) => value), ["The glue", "Paste", "Cuts"])
  })

  it("is told at the entry that a value belongs to, and at its list where the whole entry was held back", () => {
    const told = tell([
      held("/steps/*/tool", "a knife", 0.4, "below_threshold", "b"),
      held("/steps/*/action", "wait", 0.4, "below_threshold", "c")
    ])
    assert.deepStrictEqual(told.get("/steps/1/tool")!.candidates.map(({ value }) => value), ["a knife"])
    assert.strictEqual(told.get("/steps/0/tool")!.reason, "not_found")
    assert.deepStrictEqual(told.get("/steps")!.candidates.map(({ value }) => value), ["wait"])
  })

  it("is `refused` where the schema does not take what was found, and silent of what a filled list has left over", () => {
    const misfits = [held("/title", "x", 0.9, "refused"), held("/steps/*/action", "cut", 0.9, "refused", "z")]
    const told = tell([], misfits)
    assert.strictEqual(told.get("/title")!.reason, "refused")
    assert.isFalse(told.has("/steps"))
  })
})
