import assert from "node:assert"
import { describe, it } from "vitest"
import { dialectOf, normaliseDialect } from "../../../src/schemas/json-schema/JsonSchemaDialect.ts"

describe("dialectOf", () => {
  it("takes a schema without $schema for 2020-12 and knows five dialects by either scheme", () => {
    assert.strictEqual(dialectOf({}), "2020-12")
    assert.strictEqual(dialectOf(true), "2020-12")
    assert.strictEqual(dialectOf({ $schema: "https://json-schema.org/draft-07/schema" }), "draft-07")
    assert.strictEqual(dialectOf({ $schema: "http://json-schema.org/draft-04/schema#" }), "draft-04")
    assert.strictEqual(dialectOf({ $schema: "http://json-schema.org/schema#" }), undefined)
    assert.strictEqual(dialectOf({ $schema: 7 }), undefined)
  })
})

describe("normaliseDialect", () => {
  it("rewrites the older dialects to 2020-12", () => {
    assert.deepStrictEqual(
      normaliseDialect({
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "https://example.com/x",
        properties: {
          id: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
          pair: { items: [{ type: "string" }, {}], additionalItems: false }
        },
        dependencies: { a: ["b"], c: { required: ["d"] } }
      }),
      {
        properties: {
          id: { type: "number", exclusiveMinimum: 0, maximum: 5 },
          pair: { prefixItems: [{ type: "string" }, {}], items: false }
        },
        dependentRequired: { a: ["b"] },
        dependentSchemas: { c: { required: ["d"] } }
      }
    )
  })

  it("points every reference at its moved target, by pointer from the root", () => {
    assert.deepStrictEqual(
      normaliseDialect({
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: "https://example.com/root",
        definitions: { a: { $id: "#foo", items: [{ type: "string" }] } },
        anyOf: [{ $ref: "#foo", title: "dropped" }, { $ref: "#/definitions/a/items/0" }, { $ref: "root#/odd/b c" }],
        odd: { "b c": { items: [{}] } }
      }),
      {
        definitions: { a: { prefixItems: [{ type: "string" }] } },
        anyOf: [{ $ref: "#/definitions/a" }, { $ref: "#/definitions/a/prefixItems/0" }, { $ref: "#/odd/b%20c" }],
        odd: { "b c": { prefixItems: [{}] } }
      }
    )
  })

  it("keeps values, unknown keywords and properties of any name as they are", () => {
    const text =
      `{"properties":{"__proto__":{"const":{"__proto__":1,"$schema":2}},"constructor":{"enum":[{"id":"x"}]}},"x-hint":["a"]}`
    assert.strictEqual(JSON.stringify(normaliseDialect(JSON.parse(text))), text)
  })

  it("throws for a reference that leads nowhere", () => {
    assert.throws(() => normaliseDialect({ $ref: "#/gone" }), RangeError)
  })
})
