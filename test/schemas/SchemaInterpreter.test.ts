import * as fc from "fast-check"
import assert from "node:assert"
import process from "node:process"
import { describe, it } from "vitest"
import { normaliseDialect } from "../../src/schemas/JsonSchemaDialect.ts"
import { lintSchema } from "../../src/schemas/JsonSchemaLint.ts"
import { resultValidator } from "../../src/schemas/ResultValidator.ts"
import { interpret } from "../../src/schemas/SchemaInterpreter.ts"
import { openSchema } from "../../src/schemas/SmallestInstance.ts"
import { arbitrarySchema } from "./arbitrarySchema.ts"
import { suiteDialects, suiteGroups, suiteIsThere } from "./schemaTestSuite.ts"

/** Formats are asserted here, which the suite's main part wants to be annotations. */
const asserted = "format.json"

describe("interpret", () => {
  for (const draft of Object.keys(suiteDialects)) {
    it.skipIf(!suiteIsThere)(`answers every test of the JSON Schema test suite as it should: ${draft}`, () => {
      let answered = 0
      for (const { description, file, schema, tests } of suiteGroups(draft)) {
        if (file === asserted || lintSchema(schema).length > 0) continue
        const normalised = normaliseDialect(schema)
        const fits = interpret(normalised)
        for (const test of tests) {
          answered++
          assert.strictEqual(fits(normalised, test.data), test.valid, `${file}: ${description}: ${test.description}`)
        }
      }
      process.stdout.write(`interpreter, ${draft}: ${answered} of ${answered} tests\n`)
      assert(answered > 500)
    })
  }

  it("agrees with ajv on any schema and value", () => {
    fc.assert(
      fc.property(arbitrarySchema, fc.jsonValue({ maxDepth: 3 }), (schema, value) => {
        const document = openSchema(normaliseDialect(schema))
        const validate = resultValidator(schema)
        for (const instance of [value, document.smallest(document.root)]) {
          if (instance === undefined) continue
          assert.strictEqual(
            document.fits(document.root, instance),
            validate(instance) === undefined,
            JSON.stringify(instance)
          )
        }
      }),
      { numRuns: 300 }
    )
  })

  it("ignores mistyped keywords instead of throwing", () => {
    const schema = {
      required: 5,
      enum: {},
      allOf: 3,
      properties: [],
      minimum: "x",
      pattern: 1,
      dependentRequired: 1
    } as any
    assert(interpret(schema)(schema, { a: "b" }))
  })
})
