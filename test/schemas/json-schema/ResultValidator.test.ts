import assert from "node:assert"
import { describe, it } from "vitest"
import { metaSchemaMisfit, resultValidator } from "../../../src/schemas/json-schema/ResultValidator.ts"
import { checkSchema } from "../../../src/schemas/RegisterSchema.ts"
import { dialectCases } from "../dialectCases.ts"

describe("resultValidator", () => {
  for (const { fits, misfits, schema, what } of dialectCases) {
    it(`reads ${what}`, () => {
      const checked = checkSchema(schema)
      assert(checked.ok, JSON.stringify(checked))
      const validate = resultValidator(schema)
      for (const value of fits) assert.strictEqual(validate(value), undefined, JSON.stringify(value))
      for (const value of misfits) assert(validate(value) !== undefined, JSON.stringify(value))
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
    const draft04 = { $schema: "http://json-schema.org/draft-04/schema#" }
    assert.strictEqual(metaSchemaMisfit({ ...draft04, minimum: 1, exclusiveMinimum: true, required: ["a"] }), undefined)
    assert.strictEqual(metaSchemaMisfit({ ...draft04, exclusiveMinimum: 5 })?.path, "/exclusiveMinimum")
    assert(metaSchemaMisfit({ ...draft04, exclusiveMinimum: true }) !== undefined)
    assert.strictEqual(
      metaSchemaMisfit({ ...draft04, properties: { a: { required: [] } } })?.path,
      "/properties/a/required"
    )
    assert(metaSchemaMisfit({ items: [{}] }) !== undefined)
    assert.strictEqual(metaSchemaMisfit({ $schema: "http://json-schema.org/draft-07/schema#", items: [{}] }), undefined)
  })
})
