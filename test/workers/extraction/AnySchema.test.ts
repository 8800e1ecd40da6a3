import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resultValidator } from "../../../src/schemas/json-schema/ResultValidator.ts"
import { extract } from "../../../workers/extraction/Extract.ts"
import { anySchema } from "./anySchema.ts"
import { demo, inputOf, lecture, meeting, viewing } from "./Footage.ts"
import { expectSound } from "./Soundness.ts"

describe("extract", () => {
  it("stays sound whatever a schema asks of a source", () => {
    const hints = fc.constantFrom({}, { recorded_at: "2026-06-04" })
    fc.assert(
      fc.property(anySchema, fc.constantFrom(lecture, meeting, demo, viewing), hints, (schema, source, known) => {
        const out = extract(inputOf(schema, source, { hints: known }))
        expect(resultValidator(schema as never)(out.result)).toBeUndefined()
        expectSound(out, source, schema)
      }),
      { numRuns: 100 }
    )
  })
})
