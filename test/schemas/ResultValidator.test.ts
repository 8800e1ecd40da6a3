import assert from "node:assert"
import process from "node:process"
import { describe, it } from "vitest"
import { lintSchema } from "../../src/schemas/JsonSchemaLint.ts"
import { metaSchemaMisfit, resultValidator } from "../../src/schemas/ResultValidator.ts"
import { suiteDialects, suiteGroups, suiteIsThere } from "./schemaTestSuite.ts"

/** Measured shares of the suite that ajv 8.20 answers right; what it misses is `unevaluated*` and odd `$id`s. */
const bars: Readonly<Record<string, number>> = {
  "draft2020-12": 0.97,
  "draft2019-09": 0.98,
  draft7: 0.99,
  draft6: 0.99,
  draft4: 0.99
}

describe("resultValidator", () => {
  for (const draft of Object.keys(suiteDialects)) {
    it.skipIf(!suiteIsThere)(`answers nearly every test of the JSON Schema test suite as it should: ${draft}`, () => {
      let right = 0
      let answered = 0
      for (const { file, schema, tests } of suiteGroups(draft)) {
        if (file === "format.json" || lintSchema(schema).length > 0) continue
        let validate: ReturnType<typeof resultValidator>
        try {
          validate = resultValidator(schema)
        } catch {
          answered += tests.length
          continue
        }
        for (const test of tests) {
          answered++
          if ((validate(test.data) === undefined) === test.valid) right++
        }
      }
      process.stdout.write(`ajv, ${draft}: ${right} of ${answered} tests\n`)
      assert(right / answered >= bars[draft]!)
    })
  }

  it("keeps patterns apart, although ajv compiles them once by their text", () => {
    const validate = resultValidator({ properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } })
    assert.strictEqual(validate({ a: "a", b: "b" }), undefined)
    assert.strictEqual(validate({ a: "b" })?.path, "/a")
    assert.strictEqual(validate({ b: "a" })?.path, "/b")
  })

  it("runs patterns in linear time and asserts formats", () => {
    assert(resultValidator({ pattern: "^(a+)+$" })(`${"a".repeat(20_000)}!`) !== undefined)
    assert(resultValidator({ format: "date" })("2026-02-30") !== undefined)
    assert.strictEqual(resultValidator({ format: "x-own" })("anything"), undefined)
  })

  it("takes a name of the language for a name", () => {
    const validate = resultValidator({ required: ["constructor", "toString"] })
    assert(validate({}) !== undefined)
    assert.strictEqual(validate({ constructor: 1, toString: 2 }), undefined)
  })

  it("does not let null pass for OpenAPI's nullable, which JSON Schema does not know", () => {
    const validate = resultValidator({
      properties: { a: { type: "string", nullable: true }, nullable: { type: "integer" } }
    })
    assert.strictEqual(validate({ a: null })?.path, "/a")
    assert.strictEqual(validate({ nullable: "x" })?.path, "/nullable")
  })
})

describe("metaSchemaMisfit", () => {
  it("finds what the dialect's meta-schema forbids and nothing else", () => {
    assert.strictEqual(metaSchemaMisfit({ type: "object", "x-own": 1 }), undefined)
    assert.strictEqual(metaSchemaMisfit({ properties: { a: { type: "text" } } })?.path, "/properties/a/type")
    assert.strictEqual(
      metaSchemaMisfit({ $schema: "http://json-schema.org/draft-06/schema#", required: 4 })?.path,
      "/required"
    )
    assert.strictEqual(
      metaSchemaMisfit({ $schema: "http://json-schema.org/draft-04/schema#", items: 4 })?.path,
      "/items"
    )
    assert(metaSchemaMisfit({ items: [{}] }) !== undefined)
    assert.strictEqual(metaSchemaMisfit({ $schema: "http://json-schema.org/draft-07/schema#", items: [{}] }), undefined)
  })
})
