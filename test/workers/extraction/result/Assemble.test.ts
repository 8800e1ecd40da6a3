import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { type JsonSchema, valueAt } from "../../../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { resultValidator } from "../../../../src/schemas/json-schema/ResultValidator.ts"
import { openSchema } from "../../../../src/schemas/json-schema/SmallestInstance.ts"
import { defaultTemplate, templates } from "../../../../src/schemas/Templates.ts"
import type { Grounded } from "../../../../workers/extraction/grounding/Proposal.ts"
import { assemble, type Assembled, SchemaUnsatisfiable } from "../../../../workers/extraction/result/Assemble.ts"
import { leavesOf } from "../../../../workers/extraction/text/InstanceLeaves.ts"
import { arbitrarySchema, templatesOf } from "../../../schemas/arbitrarySchema.ts"
import { realisticSchemas } from "../../../schemas/realisticSchemas.ts"
import { anyGrounded, grounded } from "../groundedValues.ts"

/** What holds of every result, whatever was found. */
const holds = (schema: JsonSchema, values: ReadonlyArray<Grounded>, validate: ReturnType<typeof resultValidator>) => {
  const assembled = assemble(schema, values)
  const { defaults, placed, placeholders, result, unfilled, unplaced } = assembled
  assert.strictEqual(validate(result), undefined, JSON.stringify(result))
  const leaves = [...leavesOf(result)].map(({ pointer }) => pointer)
  const cited = new Set(placed.map(({ pointer }) => pointer))
  const told = new Set([...unfilled, ...defaults.map(({ pointer }) => pointer)])
  assert.strictEqual(told.size, unfilled.length + defaults.length)
  assert(placeholders.every((pointer) => unfilled.includes(pointer) && leaves.includes(pointer)))
  for (const { pointer, value } of defaults) assert.deepStrictEqual(valueAt(result, pointer), value)
  for (const pointer of leaves) {
    assert(cited.has(pointer) !== told.has(pointer), `${pointer} of ${JSON.stringify(result)}`)
  }
  for (const { pointer, value } of placed) assert.deepStrictEqual(valueAt(result, pointer), value)
  assert.strictEqual(cited.size, placed.length)
  const used = placed.map(({ proposal }) => proposal)
  assert.deepStrictEqual([...used, ...unplaced].toSorted((a, b) => a - b), values.map((_, index) => index))
  return assembled
}

const place = (schema: JsonSchema, values: ReadonlyArray<Grounded>): Assembled =>
  holds(schema, values, resultValidator(schema))

/** What stands, or does not, at each leaf that no proposal filled. */
const reasons = ({ defaults, placeholders, unfilled }: Assembled) =>
  Object.fromEntries([
    ...unfilled.map((pointer) => [pointer, placeholders.includes(pointer) ? "placeholder" : "not_found"]),
    ...defaults.map(({ pointer }) => [pointer, "default"])
  ])

/** On a line of one frame. */
const line = (index: number) => ({ t_start: 4, t_end: 5, span: { passage: { index }, from: 0 } })

describe("assemble", () => {
  it("gives a result that ajv accepts for any schema with an instance and any grounded values", () => {
    let [drawn, tried] = [0, 0]
    fc.assert(
      fc.property(
        arbitrarySchema.chain((schema) => fc.tuple(fc.constant(schema), anyGrounded(templatesOf(schema)))),
        ([schema, values]) => {
          drawn++
          const document = openSchema(normaliseDialect(schema))
          const validate = resultValidator(schema)
          const smallest = document.smallest(document.root)
          if (smallest === undefined) return
          tried++
          holds(schema, values, validate)
        }
      ),
      { numRuns: 250 }
    )
    assert(2 * tried > drawn, `only ${tried} of ${drawn} schemas had an instance`)
  })

  for (
    const [name, schema] of [
      ...Object.entries(realisticSchemas),
      ...templates.map((t) => [t.name, t.json_schema] as const)
    ]
  ) {
    it(`gives a result that ajv accepts for any values: ${name}`, () => {
      const validate = resultValidator(schema)
      fc.assert(
        fc.property(anyGrounded(templatesOf(schema)), (values) => {
          holds(schema, values, validate)
        }),
        { numRuns: 40 }
      )
    })
  }

  it("depends on the values alone, not on their order", () => {
    const schema = realisticSchemas["zodStyle"]!
    fc.assert(fc.property(
      anyGrounded(templatesOf({ $defs: [], properties: (schema as any).definitions.Recipe.properties })).chain((
        values
      ) => fc.tuple(fc.constant(values), fc.shuffledSubarray([...values], { minLength: values.length }))),
      ([values, shuffled]) => {
        const [a, b] = [assemble(schema, values), assemble(schema, shuffled)]
        assert.strictEqual(JSON.stringify(a.result), JSON.stringify(b.result))
        assert.deepStrictEqual(a.unfilled, b.unfilled)
      }
    ))
  })

  it("lets the higher score win a leaf and says which values were not used", () => {
    const { placed, result, unplaced } = place(realisticSchemas["strictAllRequired"]!, [
      grounded("/title", "Second best", { score: 0.4 }),
      grounded("/title", "Best", { score: 0.9 }),
      grounded("/maker/country", "us")
    ])
    assert.deepStrictEqual(result, {
      title: "Best",
      price: 1,
      in_stock: false,
      tags: [],
      maker: { name: "aa", country: "US" }
    })
    assert.deepStrictEqual(placed, [
      { pointer: "/title", proposal: 1, value: "Best" },
      { pointer: "/maker/country", proposal: 2, value: "US" }
    ])
    assert.deepStrictEqual(unplaced, [0])
  })

  it("takes the next best value where the best does not fit its schema", () => {
    const assembled = place(realisticSchemas["pydanticStyle"]!, [
      grounded("/tickets/*/id", "the login bug", { item_key: "1", score: 0.9 }),
      grounded("/tickets/*/id", "WEB-12", { item_key: "1", score: 0.3 }),
      grounded("/tickets/*/status", "Open", { item_key: "1" })
    ])
    assert.deepStrictEqual(assembled.result, { tickets: [{ id: "WEB-12", status: "open" }] })
    assert.deepStrictEqual(reasons(assembled), { "/tickets/0/assignee": "not_found", "/tickets/0/due": "not_found" })
  })

  it("joins leaves with one key to one record and puts records in order of time", () => {
    const { result } = place(realisticSchemas["zodStyle"]!, [
      grounded("/name", "Flatbread"),
      grounded("/ingredients/*/name", "water", { item_key: "w", t_start: 9, t_end: 10 }),
      grounded("/ingredients/*/name", "flour", { item_key: "f", t_start: 4, t_end: 5 }),
      grounded("/ingredients/*/quantity", "500", { item_key: "f", t_start: 4, t_end: 5 })
    ])
    assert.deepStrictEqual(result, {
      name: "Flatbread",
      ingredients: [{ name: "flour", quantity: 500 }, { name: "water" }]
    })
  })

  it("puts records of one frame in the order of its lines", () => {
    const { result } = place(realisticSchemas["zodStyle"]!, [
      grounded("/name", "Flatbread"),
      grounded("/ingredients/*/name", "flour", { item_key: "b", ...line(9) }),
      grounded("/ingredients/*/quantity", "500", { item_key: "b", ...line(9) }),
      grounded("/ingredients/*/name", "yeast", { item_key: "c", ...line(10) }),
      grounded("/ingredients/*/name", "water", { item_key: "a", ...line(11) })
    ])
    assert.deepStrictEqual(result, {
      name: "Flatbread",
      ingredients: [{ name: "flour", quantity: 500 }, { name: "yeast" }, { name: "water" }]
    })
  })

  it("nests records by the parts of their key", () => {
    const { result } = place(realisticSchemas["tree"]!, [
      grounded("/label", "root"),
      grounded("/children/*/label", "kid", { item_key: "a", t_start: 1 }),
      grounded("/children/*/children/*/label", "grandkid", { item_key: "a/b", t_start: 2, t_end: 3 })
    ])
    assert.deepStrictEqual(result, { label: "root", children: [{ label: "kid", children: [{ label: "grandkid" }] }] })
  })

  it("chooses the branch of a union that its values speak for", () => {
    const { result } = place(realisticSchemas["discriminatedUnion"]!, [
      grounded("/events/*/reason", "broken", { item_key: "1", t_start: 1 }),
      grounded("/events/*/product", "pen", { item_key: "2", t_start: 2, t_end: 3 }),
      grounded("/events/*/amount", 3, { item_key: "2", t_start: 2, t_end: 3 })
    ])
    assert.deepStrictEqual(result, {
      events: [{ kind: "refund", reason: "broken" }, { kind: "sale", product: "pen", amount: 3 }]
    })
  })

  it("tells apart what was not found, what the schema says and what only stands in", () => {
    const assembled = place(realisticSchemas["defaults"]!, [])
    assert.deepStrictEqual(reasons(assembled), {
      "/language": "default",
      "/version": "default",
      "/level": "default",
      "/style": "not_found"
    })
    assert.deepStrictEqual(reasons(place(realisticSchemas["strictAllRequired"]!, [grounded("/price", "free")])), {
      "/title": "placeholder",
      "/price": "placeholder",
      "/in_stock": "placeholder",
      "/tags": "not_found",
      "/maker/name": "placeholder",
      "/maker/country": "placeholder"
    })
    const misfit = place(realisticSchemas["zodStyle"]!, [grounded("/servings", 0)])
    assert.strictEqual(reasons(misfit)["/servings"], "not_found")
    assert.deepStrictEqual(misfit.unplaced, [0])
    assert.deepStrictEqual(assemble(defaultTemplate.json_schema, []).result, {
      summary: null,
      chapters: [],
      key_claims: [],
      people: [],
      organisations: []
    })
  })

  it("leaves out an optional list that would need placeholders and fills up a required one", () => {
    assert.deepStrictEqual(place(realisticSchemas["optionalMinItems"]!, [grounded("/steps/*", "mix")]).result, {})
    assert.deepStrictEqual(place(realisticSchemas["requiredMinItems"]!, [grounded("/steps/*", "mix")]).result, {
      steps: ["mix", "a", "a"]
    })
  })

  it("keeps the best items of a list that may not be longer, in order of time, each once", () => {
    const values = ["d", "b", "B", "c", "a"].map((value, i) =>
      grounded("/*", value, { t_start: i, t_end: i + 1, score: value === "b" ? 0.1 : 0.5 })
    )
    assert.deepStrictEqual(place(realisticSchemas["arrayRoot"]!, values).result, ["d", "c", "a"])
  })

  it("makes keys only for a map, from what was found", () => {
    const { placed, result } = place(realisticSchemas["map"]!, [
      grounded("/quantities/{}", 500, { item_key: "flour/plain" }),
      grounded("/quantities/{}", 3, { item_key: "__proto__" }),
      grounded("/invented", 3)
    ])
    assert.strictEqual(JSON.stringify(result), `{"quantities":{"__proto__":3,"flour/plain":500}}`)
    assert.deepStrictEqual(placed.map(({ pointer }) => pointer), ["/quantities/__proto__", "/quantities/flour~1plain"])
  })

  it("fills roots that are no objects", () => {
    assert.strictEqual(place(realisticSchemas["scalarRoot"]!, [grounded("", "Yes!")]).result, "yes")
    assert.deepStrictEqual(place(realisticSchemas["tuple"]!, [grounded("/1", 4)]).result, ["", 4])
  })

  it("never places null or a value with parts, which could have no single moment", () => {
    const values = [grounded("", null), grounded("", ["a"]), grounded("", { a: 1 })]
    const { placed, unplaced } = place(true, values)
    assert.deepStrictEqual([placed, unplaced], [[], [0, 1, 2]])
  })

  it("refuses a schema that nothing fits", () => {
    assert.throws(() => assemble(false, []), SchemaUnsatisfiable)
  })
})
