import assert from "node:assert"
import { describe, it } from "vitest"
import type { JsonSchema } from "../../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { linearPattern } from "../../../src/schemas/json-schema/LinearPattern.ts"
import { resultValidator } from "../../../src/schemas/json-schema/ResultValidator.ts"
import { matching } from "../../../src/schemas/json-schema/SampleStrings.ts"
import { openSchema } from "../../../src/schemas/json-schema/SmallestInstance.ts"
import { realisticSchemas } from "../realisticSchemas.ts"

const smallest = (schema: JsonSchema) => {
  const document = openSchema(normaliseDialect(schema))
  return document.smallest(document.root)
}

describe("smallest", () => {
  for (const [name, schema] of Object.entries(realisticSchemas)) {
    it(`fits its schema: ${name}`, () => {
      const instance = smallest(schema)
      assert(instance !== undefined)
      assert.strictEqual(resultValidator(schema)(instance), undefined)
    })
  }

  it("prefers a constant, null, the default, the first label and then the empty value", () => {
    const cases: ReadonlyArray<readonly [JsonSchema, unknown]> = [
      [{ const: 4 }, 4],
      [{ type: ["string", "null"], default: "x" }, null],
      [{ type: "string", default: "x" }, "x"],
      [{ enum: ["b", "a"] }, "b"],
      [{ anyOf: [{ type: "object", required: ["a"] }, { type: "null" }] }, null],
      [{ type: "string" }, ""],
      [{ type: "array", items: { type: "string" } }, []],
      [{ type: "object", properties: { a: { default: 1 } } }, {}]
    ]
    for (const [schema, value] of cases) assert.deepStrictEqual(smallest(schema), value)
  })

  it("has what an object with such names must have besides, by schemas that depend on one", () => {
    const named = { type: "string" } as const
    const card = { properties: { billing_address: named }, required: ["billing_address"] }
    const schemas: ReadonlyArray<JsonSchema> = [
      {
        type: "object",
        properties: { name: named, credit_card: { type: "number" } },
        required: ["name", "credit_card"],
        dependentSchemas: { credit_card: card }
      },
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        required: ["credit_card"],
        dependencies: { credit_card: card, billing_address: { $ref: "#/definitions/city" } },
        definitions: { city: { properties: { city: { minLength: 3, type: "string" } }, required: ["city"] } }
      },
      {
        type: "object",
        required: ["a"],
        properties: { a: { type: "integer" } },
        dependentRequired: { a: ["b"] },
        dependentSchemas: { b: { if: { properties: { a: { const: 1 } } }, else: { required: ["c"] } } }
      },
      { type: "object", properties: { a: true }, minProperties: 1, dependentSchemas: { a: { minProperties: 3 } } },
      {
        type: "object",
        required: ["a"],
        dependentSchemas: { a: { $ref: "#/$defs/b" } },
        $defs: { b: { required: ["b"] } }
      },
      { type: "object", required: ["a"], dependentSchemas: { a: { anyOf: [false, { required: ["b"] }] } } }
    ]
    for (const schema of schemas) {
      const instance = smallest(schema)
      assert(instance !== undefined, JSON.stringify(schema))
      assert.strictEqual(resultValidator(schema)(instance), undefined)
    }
  })

  it("meets bounds, steps, lengths, formats and patterns", () => {
    const schemas: ReadonlyArray<JsonSchema> = [
      { type: "integer", minimum: 7, multipleOf: 5 },
      { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      { type: "number", maximum: -3, multipleOf: 2 },
      { type: "string", minLength: 30, format: "uri" },
      { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" },
      { type: "string", pattern: "^(?:https?|ftp)://[^/]+/\\S+$" },
      { type: "string", pattern: "^\\p{Lu}\\w{2,5}(?:\\.[a-z]+)?$", minLength: 4 },
      {
        type: "array",
        minItems: 4,
        uniqueItems: true,
        items: { type: "object", required: ["id"], properties: { id: { type: "integer" } } }
      },
      {
        type: "object",
        minProperties: 2,
        additionalProperties: { type: "integer" },
        propertyNames: { pattern: "^[a-z]+$" }
      },
      { type: "array", contains: { const: "x" }, minContains: 2, minItems: 3 },
      { type: "object", propertyNames: { enum: ["en", "de"] }, minProperties: 2 }
    ]
    for (const schema of schemas) {
      const instance = smallest(schema)
      assert(instance !== undefined, JSON.stringify(schema))
      assert.strictEqual(resultValidator(schema)(instance), undefined, JSON.stringify(schema))
    }
  })

  it("is undefined where nothing fits, however the schema says so", () => {
    const schemas: ReadonlyArray<JsonSchema> = [
      false,
      { not: {} },
      { allOf: [{ type: "string" }, { type: "number" }] },
      { type: "array", minItems: 3, uniqueItems: true, items: { type: "boolean" } },
      { type: "object", required: ["a"], additionalProperties: false }
    ]
    for (const schema of schemas) assert.strictEqual(smallest(schema), undefined)
  })
})

describe("matching", () => {
  it("makes a string that the pattern matches", () => {
    const patterns = [
      "^a{3}$",
      "^[^a]$",
      "^(?:x|y)+z?$",
      "^\\d{4}-\\d{2}$",
      "^\\x41\\u0042$",
      "[.]com$",
      "^(?<year>\\d+)$"
    ]
    for (const pattern of patterns) assert(linearPattern(pattern).test(matching(pattern)!), pattern)
  })
})
