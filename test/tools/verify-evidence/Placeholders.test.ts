import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { normaliseDialect } from "../../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { openSchema } from "../../../src/schemas/json-schema/SmallestInstance.ts"
import { leaves } from "../../../tools/verify-evidence/Json.ts"
import { claimsNothing } from "../../../tools/verify-evidence/Placeholders.ts"
import { fitOf } from "../../../tools/verify-evidence/SchemaFit.ts"

const nothingAt = (schema: object, result: unknown, pointer: string, misfitOf = fitOf(schema)): boolean => {
  const fits = (other: unknown): boolean => {
    const copy = structuredClone({ root: result }) as any
    const tokens = ["root", ...pointer.split("/").slice(1)]
    const last = tokens.pop()!
    tokens.reduce((at, token) => at[token], copy)[last] = other
    return misfitOf(copy.root) === undefined
  }
  return claimsNothing(leaves(result).get(pointer), pointer, { schema, result, fits })
}

const one = (schema: object) => ({ type: "object", required: ["a"], properties: { a: schema } })

describe("claimsNothing", () => {
  it.each<[unknown, object]>([
    ["Eve Hacker", { type: "string" }],
    ["Eve", { type: "string", minLength: 3 }],
    ["Eve", { type: "string", pattern: "^[A-Z][a-z]+$" }],
    ["2026-03-12", { type: "string", format: "date" }],
    ["eve@evil.example", { type: "string", format: "email" }],
    ["high", { enum: ["low", "high"] }],
    [40, { type: "integer" }],
    [40, { type: "integer", minimum: 10 }],
    [1, { type: "integer" }],
    [true, { type: "boolean" }],
    ["", { type: ["string", "null"] }],
    [false, { type: ["boolean", "null"] }]
  ])("refuses %j in a leaf that is told as unfilled under %j", (value, schema) => {
    expect(nothingAt(one(schema), { a: value }, "/a")).toBe(false)
  })

  it("takes what a schema lets stand for nothing, whatever it asks", () => {
    const scalar = fc.oneof(
      fc.record({ type: fc.constant("string"), minLength: fc.nat(4) }),
      fc.constantFrom<object>(
        ..."date date-time time duration email hostname ipv4 ipv6 uri uuid".split(" ").map((format) => ({
          type: "string",
          format
        })),
        ...["^[A-Z]{2}-\\d{3}$", "^(?:CO2|CH4)$", "\\.org$", "^#[0-9a-f]{6}$"].map((pattern) => ({
          type: "string",
          pattern
        })),
        { type: "boolean" },
        { const: "fixed" },
        { type: "integer", default: 7 },
        { type: ["string", "null"] },
        { $ref: "#/$defs/kind" }
      ),
      fc.record({
        type: fc.constantFrom("integer", "number"),
        minimum: fc.integer({ min: -50, max: 50 }),
        multipleOf: fc.integer({ min: 1, max: 5 })
      }),
      fc.record({ type: fc.constant("number"), exclusiveMaximum: fc.integer({ min: -9, max: 9 }) }),
      fc.uniqueArray(fc.constantFrom("low", "high", "odd", 3, null), { minLength: 1 }).map((labels) => ({
        enum: labels
      }))
    )
    const list = fc.record({
      type: fc.constant("array"),
      minItems: fc.nat(3),
      uniqueItems: fc.boolean(),
      items: fc.oneof(scalar, scalar.map(one))
    })
    const schemas = fc.dictionary(fc.constantFrom("a", "b", "2024"), fc.oneof(scalar, list, scalar.map(one)))
      .map((properties) => ({
        type: "object",
        required: Object.keys(properties),
        properties,
        $defs: { kind: { enum: ["x", "y"] } }
      }))
    fc.assert(
      fc.property(schemas, (schema) => {
        const document = openSchema(normaliseDialect(schema as never))
        const result = document.smallest(document.root)
        if (result === undefined) return
        const misfitOf = fitOf(schema)
        for (const [pointer, value] of leaves(result)) {
          expect([pointer, value, nothingAt(schema, result, pointer, misfitOf)]).toEqual([pointer, value, true])
        }
      }),
      { numRuns: 100 }
    )
  })
})
