import Ajv from "ajv"
import addFormats from "ajv-formats"
import Ajv2019 from "ajv/dist/2019.js"
import Ajv2020 from "ajv/dist/2020.js"
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" }
import * as fc from "fast-check"
import assert from "node:assert"
import process from "node:process"
import { describe, it } from "vitest"
import { suiteDrafts } from "../../../bench/schemas/TestSuite.ts"
import { normaliseDialect } from "../../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { lintSchema } from "../../../src/schemas/json-schema/JsonSchemaLint.ts"
import { interpret } from "../../../src/schemas/json-schema/SchemaInterpreter.ts"
import { openSchema } from "../../../src/schemas/json-schema/SmallestInstance.ts"
import { arbitrarySchema } from "../arbitrarySchema.ts"
import { suiteGroups, suiteIsThere } from "../schemaTestSuite.ts"

const classes: ReadonlyArray<readonly [string, any]> = [
  ["draft2020-12", Ajv2020],
  ["draft2019-09", Ajv2019],
  ["draft7", Ajv],
  ["draft6", Ajv]
]

/** Formats are asserted here, which the suite's main part wants to be annotations. */
const asserted = "format.json"

describe("interpret", () => {
  for (const draft of Object.keys(suiteDrafts)) {
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

  for (const [draft, Class] of classes) {
    it(`agrees with ajv on any schema and value, the schema normalised for us and as it is for ajv: ${draft}`, () => {
      fc.assert(
        fc.property(arbitrarySchema, fc.jsonValue({ maxDepth: 3 }), (any, value) => {
          const schema = typeof any === "boolean" ? any : { $schema: suiteDrafts[draft], ...any }
          const normalised = normaliseDialect(schema)
          const document = openSchema(normalised)
          const ajv = new Class({ strict: false, ownProperties: true, validateSchema: false })
          ;(addFormats as any)(ajv)
          if (draft === "draft6") ajv.addMetaSchema(draft06)
          const validate = ajv.compile(schema)
          for (const instance of [value, document.smallest(document.root)]) {
            // ajv divides doubles, and prints the quotient to see whether it is whole.
            if (instance === undefined || /\de[+-]?\d/u.test(JSON.stringify(instance))) continue
            assert.strictEqual(document.fits(document.root, instance), validate(instance), JSON.stringify(instance))
          }
        }),
        { numRuns: 150 }
      )
    })
  }

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
