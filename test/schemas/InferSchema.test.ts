import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { inferSchema } from "../../src/schemas/InferSchema.ts"
import type { Json } from "../../src/schemas/json-schema/JsonSchema.ts"
import { resultValidator } from "../../src/schemas/json-schema/ResultValidator.ts"
import { checkSchema } from "../../src/schemas/RegisterSchema.ts"

const inferred = (examples: ReadonlyArray<unknown>) => {
  const made = inferSchema(examples as ReadonlyArray<Json>)
  assert(made.ok)
  return made
}

/** The schema without what every one has. */
const schemaOf = (...examples: ReadonlyArray<unknown>) => {
  const { $schema, ...schema } = inferred(examples).json_schema
  assert.strictEqual($schema, "https://json-schema.org/draft/2020-12/schema")
  return schema
}

const problemOf = (...examples: ReadonlyArray<unknown>) => {
  const made = inferSchema(examples as ReadonlyArray<Json>)
  assert(!made.ok)
  return made.problem
}

const order = (...documents: ReadonlyArray<object>) => Object.keys(schemaOf(...documents).properties as object)

const nested = (depth: number, open: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce(open, 1)

const names = fc.constantFrom("name", "price", "a/b", "m~n", "__proto__", "constructor", "7", "toString", "")
const scalars = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1.5, 1e21, "", "2026-11-20", "2026-11-20T10:00:00Z"),
  fc.constantFrom("ada@example.org", "https://example.org/a", "note:this", "2026-02-30", "2026-01-01 10:00:00Z"),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true })
)

const { document } = fc.letrec<{ document: unknown; object: unknown; array: unknown }>((tie) => ({
  document: fc.oneof({ depthSize: "small" }, scalars, tie("object"), tie("array")),
  object: fc.array(fc.tuple(names, tie("document")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  array: fc.array(tie("document"), { maxLength: 4 })
}))
const examples = fc.array(fc.oneof(document, fc.jsonValue()), { minLength: 1, maxLength: 5 })

describe("inferSchema", () => {
  it("makes a schema that registration accepts and every example fits", () => {
    fc.assert(fc.property(examples, (documents) => {
      const { json_schema } = inferred(documents)
      assert.deepStrictEqual({ ...checkSchema(json_schema), warnings: [] }, { ok: true, warnings: [] })
      const validate = resultValidator(json_schema)
      for (const document of documents) assert.strictEqual(validate(document), undefined)
    }))
  })

  it("gives the same bytes for the examples in any order, and for each of them said twice", () => {
    const shuffled = examples.chain((documents) =>
      fc.tuple(fc.constant(documents), fc.shuffledSubarray(documents, { minLength: documents.length }))
    )
    fc.assert(fc.property(shuffled, ([documents, others]) => {
      const text = JSON.stringify(inferred(documents))
      assert.strictEqual(JSON.stringify(inferred(others)), text)
      assert.strictEqual(JSON.stringify(inferred([...documents, ...others])), text)
    }))
  })

  it("keeps the document's order of properties, and requires those that every object of a place has", () => {
    assert.deepStrictEqual(
      schemaOf(
        { title: "A", items: [{ sku: "x", price: 1 }, { sku: "y", price: 2.5, note: null }] },
        { title: "B", rating: 4, items: [] }
      ),
      {
        type: "object",
        properties: {
          title: { type: "string" },
          rating: { type: "integer" },
          items: {
            type: "array",
            items: {
              type: "object",
              properties: { sku: { type: "string" }, price: { type: "number" }, note: { type: "null" } },
              required: ["sku", "price"],
              additionalProperties: false
            }
          }
        },
        required: ["title", "items"],
        additionalProperties: false
      }
    )
    const keys = Object.keys(schemaOf({ zebra: 1, ant: 2, bee: 3, cow: 4 }, { cow: 1, dog: 1 }).properties as object)
    assert.deepStrictEqual(keys, ["zebra", "ant", "bee", "cow", "dog"])
  })

  it("settles names that the examples put in opposite orders by their mean place, then by name", () => {
    assert.deepStrictEqual(order({ b: 1, a: 1 }, { a: 1, b: 1 }), ["a", "b"])
    assert.deepStrictEqual(order({ b: 1, a: 1 }, { a: 1, b: 1 }, { b: 1, a: 1 }), ["b", "a"])
    assert.deepStrictEqual(order({ a: 1, b: 1 }, { b: 1, c: 1 }, { c: 1, a: 1, d: 1 }).at(-1), "d")
  })

  it("joins integers with numbers, and anything with null", () => {
    assert.deepStrictEqual(schemaOf(1, 2), { type: "integer" })
    assert.deepStrictEqual(schemaOf(1, 2.5), { type: "number" })
    assert.deepStrictEqual(schemaOf(1, 2.5, null), { type: ["number", "null"] })
    assert.deepStrictEqual(schemaOf(["a", null]), { type: "array", items: { type: ["string", "null"] } })
    assert.deepStrictEqual(schemaOf(null), { type: "null" })
  })

  it("gives several types as anyOf in one order: object, array, string, number, boolean, null", () => {
    assert.deepStrictEqual(schemaOf(null, true, 3, "x", [1], { a: 1 }, { a: 2, b: "c" }), {
      anyOf: [
        {
          type: "object",
          properties: { a: { type: "integer" }, b: { type: "string" } },
          required: ["a"],
          additionalProperties: false
        },
        { type: "array", items: { type: "integer" } },
        { type: "string" },
        { type: "integer" },
        { type: "boolean" },
        { type: "null" }
      ]
    })
  })

  it.each([
    ["date", ["2026-11-20", "2024-02-29"], ["2026-11-20", "2026-02-30"]],
    ["date-time", ["2026-11-20T10:00:00Z", "2026-11-20T10:00:00.5+02:00"], ["2026-11-20 10:00:00Z"]],
    ["email", ["ada@example.org"], ["ada@example.org", "nobody"]],
    ["uri", ["https://example.org/a?b", "s3://bucket/key"], ["note:this"]]
  ])("claims the format %s only where every string has it", (format, fitting, others) => {
    assert.deepStrictEqual(schemaOf(...fitting), { type: "string", format })
    assert.deepStrictEqual(schemaOf(...fitting, null), { type: ["string", "null"], format })
    assert.deepStrictEqual(schemaOf(...fitting, ...others), { type: "string" })
    assert.deepStrictEqual(schemaOf(...fitting, ""), { type: "string" })
  })

  it("makes up no enum, bound or pattern from what the values happen to be", () => {
    const documents = Array.from({ length: 50 }, (_, at) => ({ state: at % 2 === 0 ? "open" : "shut", size: at % 3 }))
    assert.deepStrictEqual(schemaOf(...documents).properties, { state: { type: "string" }, size: { type: "integer" } })
  })

  it("takes names like __proto__ for names", () => {
    const text = "{\"__proto__\":{\"admin\":true},\"constructor\":1,\"hasOwnProperty\":null}"
    const { json_schema } = inferred([JSON.parse(text)])
    assert.deepStrictEqual(Object.keys(json_schema.properties as object), [
      "__proto__",
      "constructor",
      "hasOwnProperty"
    ])
    assert.strictEqual(resultValidator(json_schema)(JSON.parse(text)), undefined)
    assert.notStrictEqual(
      resultValidator(json_schema)(JSON.parse("{\"constructor\":1,\"hasOwnProperty\":null}")),
      undefined
    )
    assert.strictEqual(({} as { admin?: boolean }).admin, undefined)
  })

  it("carries the title and the description that it is told", () => {
    const made = inferSchema([{ a: 1 }], { title: "Zoo", description: "Animals." })
    assert(made.ok)
    assert.deepStrictEqual(Object.keys(made.json_schema).slice(0, 4), ["$schema", "title", "description", "type"])
  })

  it("warns where the examples leave open what belongs there", () => {
    const { warnings } = inferred([{ a: null, list: [{ tags: [] }] }])
    assert.deepStrictEqual(warnings.map(({ path }) => path), ["/a", "/list/*/tags"])
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, null]))
    assert.strictEqual(inferred([many]).warnings.length, 10)
  })

  it("refuses what no schema within the limits describes, at the first place that is too much", () => {
    const arrays = problemOf(nested(5000, (inner) => [inner]))
    assert.deepStrictEqual([arrays.reason, arrays.path], ["too_deep", `/examples/0${"/0".repeat(48)}`])
    const objects = problemOf({ a: 1 }, nested(24, (inner) => ({ in: inner })))
    assert.deepStrictEqual([objects.reason, objects.path], ["too_deep", `/examples/1${"/in".repeat(24)}`])
    const unions = problemOf(nested(20, (inner) => [inner, "x"]))
    assert.deepStrictEqual([unions.reason, unions.path.startsWith("/examples/0/0")], ["too_deep", true])
    const wide = problemOf(Object.fromEntries(Array.from({ length: 1501 }, (_, at) => [`k${at}`, at])))
    assert.deepStrictEqual([wide.reason, wide.path], ["too_many_properties", "/examples/0/k1500"])
    const long = problemOf(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`${at}`.repeat(1000), at])))
    assert.deepStrictEqual([long.reason, long.path], ["too_large", "/examples"])
  })

  it("accepts what nests and spreads up to the limits", () => {
    const deepest = Array.from({ length: 23 }).reduce<unknown>((inner) => ({ in: inner }), 1)
    assert(checkSchema(inferred([deepest]).json_schema).ok)
    const widest = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`k${at}`, at]))
    assert(checkSchema(inferred([widest]).json_schema).ok)
  })
})
