import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resultValidator } from "../../../../../src/schemas/json-schema/ResultValidator.ts"
import { findTemplate } from "../../../../../src/schemas/Templates.ts"
import { extractBy } from "../../../../../workers/extraction/Extract.ts"
import type { LlmEndpoint } from "../../../../../workers/extraction/proposers/llm/LlmEndpoint.ts"
import { makeLlmProposer } from "../../../../../workers/extraction/proposers/llm/LlmProposer.ts"
import { anySchema } from "../../anySchema.ts"
import { demo, type Footage, inputOf, lecture, meeting, viewing } from "../../Footage.ts"
import { expectSound } from "../../Soundness.ts"

const endpoint: LlmEndpoint = {
  url: "http://127.0.0.1/v1",
  model: "any",
  key: null,
  timeout_seconds: 1,
  concurrency: 4,
  chunk_tokens: 300,
  most_tokens: 1_000_000,
  input_price: 0,
  output_price: 0,
  fallback: "builtin"
}

const everything = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    count: { type: "integer" },
    finished: { type: "boolean", description: "Whether the migration finished" },
    day: { type: "string", format: "date" },
    link: { type: "string", format: "uri" },
    state: { enum: ["spring_tide", "neap_tide"] },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 3 },
    costs: { type: "object", additionalProperties: { type: "number" } }
  },
  required: ["name"]
}

const schemas: ReadonlyArray<object> = [
  everything,
  ...["meeting-minutes", "lecture-notes", "product-demo"].map((name) => findTemplate(name)!.json_schema)
]

/** Lines of a source, as a model could quote them or parts of them. */
const linesOf = ({ transcript, vision }: Footage): ReadonlyArray<string> => [
  ...transcript.segments.map(({ text }) => text),
  ...vision.frames.flatMap(({ text }) => text.map((line) => line.text))
]

const part = (line: string) =>
  fc.tuple(fc.nat(line.length), fc.nat(line.length)).map(([a, b]) => line.slice(Math.min(a, b), Math.max(a, b)))

/** Answers of a model that reads, guesses, mixes up and makes up. */
const answersTo = (source: Footage, paths: ReadonlyArray<string>) => {
  const quote = fc.constantFrom(...linesOf(source)).chain((line) =>
    fc.oneof(fc.constant(line), part(line), fc.string())
  )
  const value = fc.oneof(
    quote,
    fc.integer({ min: 0, max: 100 }),
    fc.boolean(),
    fc.constantFrom("Tom", "2026-06-11", "5", "spring_tide")
  )
  return fc.array(
    fc.record({
      path: fc.constantFrom(...paths, "/none"),
      item: fc.oneof(fc.constant(null), fc.constantFrom("a", "b", "Solo", "__proto__")),
      value,
      quote,
      refs: fc.array(fc.nat(20), { maxLength: 2 })
    }),
    { maxLength: 20 }
  )
}

/** Verdicts of a judge that knows, guesses and counts wrongly. */
const verdictsOfAnyone = fc.array(
  fc.record({
    claim: fc.integer({ min: -1, max: 20 }),
    verdict: fc.constantFrom("supports", "former", "not said", "whatever"),
    score: fc.double({ min: -1, max: 2, noNaN: true })
  }),
  { maxLength: 20 }
)

describe("extractBy", () => {
  it("stays sound whatever a model says", async () => {
    const schemaAsked = fc.oneof(fc.constantFrom(...schemas), anySchema)
    const source = fc.constantFrom(lecture, meeting, demo, viewing)
    await fc.assert(
      fc.asyncProperty(schemaAsked, source, fc.gen(), async (schema, source, gen) => {
        let calls = 0
        const ask = async ({ schema: wire }: { readonly schema: object }) => {
          calls++
          if ("verdicts" in (wire as any).properties) {
            const verdicts = gen(() => verdictsOfAnyone)
            return { text: JSON.stringify({ verdicts }), finish: "stop" as const, input_tokens: 1, output_tokens: 1 }
          }
          const { enum: paths } = (wire as any).properties.proposals.items.properties.path
          const proposals = gen(() => answersTo(source, paths))
          return { text: JSON.stringify({ proposals }), finish: "stop" as const, input_tokens: 1, output_tokens: 1 }
        }
        const out = await extractBy(
          makeLlmProposer(endpoint, { ask }),
          inputOf(schema, source),
          new AbortController().signal
        )
        expect(resultValidator(schema as never)(out.result)).toBeUndefined()
        expectSound(out, source, schema)
        expect(out.tokens).toBe(2 * calls)
      }),
      { numRuns: 80 }
    )
  })
})
