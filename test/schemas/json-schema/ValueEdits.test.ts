import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Json, pointerTo, valueAt } from "../../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { resultValidator } from "../../../src/schemas/json-schema/ResultValidator.ts"
import { openSchema } from "../../../src/schemas/json-schema/SmallestInstance.ts"
import { applyEdits, type Edit, fitEdits } from "../../../src/schemas/json-schema/ValueEdits.ts"
import { arbitrarySchema } from "../arbitrarySchema.ts"

/** Every place of a value, containers included. */
const placesOf = (value: unknown, at = ""): ReadonlyArray<string> => [
  at,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, below]) => placesOf(below, pointerTo(at, key)))
    : [])
]

const json = fc.oneof(
  fc.constantFrom<Json>(null, true, "x", "AB12", 0, 4, 1.5, [], {}, ["x"], { name: "x" }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>
)

const order = {
  type: "object",
  properties: {
    id: { type: "string" },
    note: { type: ["string", "null"] },
    kind: { enum: ["a", "b"] },
    items: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, price: { type: "number" } }, required: ["name"] }
    },
    two: { type: "array", items: { type: "integer" }, minItems: 2 }
  },
  required: ["id", "note", "kind"]
}
const value: Json = {
  id: "i",
  note: "n",
  kind: "a",
  items: [{ name: "one", price: 1 }, { name: "two", price: 2 }, { name: "three" }],
  two: [1, 2]
}
const fit = (...edits: ReadonlyArray<Edit>) => fitEdits(order, value, edits)

const message = (...edits: ReadonlyArray<Edit>) => {
  const edited = fit(...edits)
  return edited.ok ? "fits" : `${edited.edit}: ${edited.message}`
}

const factor = Number(process.env.FOOTNOTE_PROPERTY_RUNS)

describe("edits of a result", () => {
  it("leave a value that fits its schema, or are refused and leave none, whatever the schema and the edits are", () => {
    let made = 0
    fc.assert(
      fc.property(arbitrarySchema, fc.infiniteStream(fc.tuple(fc.nat(), fc.nat(2), json)), (schema, random) => {
        const normalised = normaliseDialect(schema as never)
        const start = openSchema(normalised).smallest(normalised)
        fc.pre(start !== undefined)
        const places = placesOf(start)
        const edits: Array<Edit> = []
        for (let count = 0; count < 3; count++) {
          const [number, action, set] = random.next().value!
          const place = places[number % places.length]!
          const at = action === 2 ? pointerTo(place, ["name", "items", "0", "1"][number % 4]!) : place
          const apart = edits.every((edit) =>
            !`${edit.at}/`.startsWith(`${at}/`) && !`${at}/`.startsWith(`${edit.at}/`)
          )
          if (apart) edits.push(action === 1 ? { at, remove: true } : { at, set })
        }
        const validate = resultValidator(normalised)
        const edited = fitEdits(normalised, start, edits)
        if (!edited.ok) {
          const applied = applyEdits(start, edits)
          return assert.isTrue("impossible" in applied || validate(applied.value) !== undefined)
        }
        made++
        assert.isUndefined(validate(edited.value))
        const outcome = edits.map(({ at }, index): Edit => {
          const { value: set } = edited.placed[index]!
          return set === undefined ? { at, remove: true } : { at, set }
        })
        assert.deepStrictEqual(applyEdits(start, outcome), { value: edited.value })
      }),
      { numRuns: 300 }
    )
    assert.isAbove(made, 10 * factor)
  })

  it("mean places of the value as it was: entries are taken away last", () => {
    const edited = fit(
      { at: "/items/0", remove: true },
      { at: "/items/2/price", set: 3 },
      { at: "/items/1", remove: true },
      { at: "/items/3", set: { name: "four" } }
    )
    assert.isTrue(edited.ok)
    if (edited.ok) {
      assert.deepStrictEqual(valueAt(edited.value, "/items"), [{ name: "three", price: 3 }, { name: "four" }])
      assert.deepStrictEqual(edited.placed, [{}, { value: 3 }, {}, { value: { name: "four" } }])
    }
  })

  it("leave out what is taken away, else null where the schema has that, else what is emptiest of its type", () => {
    const edited = fit({ at: "/items/0/price", remove: true }, { at: "/note", remove: true }, {
      at: "/id",
      remove: true
    })
    assert.isTrue(edited.ok)
    if (edited.ok) assert.deepStrictEqual(edited.placed, [{}, { value: null }, { value: "" }])
    const two = fit({ at: "/two/0", remove: true })
    if (two.ok) assert.deepStrictEqual(valueAt(two.value, "/two"), [0, 2])
  })

  it("say which of them does not fit, and why", () => {
    assert.strictEqual(
      message({ at: "/note", set: "x" }, { at: "/items/1/price", set: "2" }),
      "1: Does not fit the job's schema: /items/1/price must be number"
    )
    assert.match(message({ at: "/kind", remove: true }), /^0: Does not fit the job's schema: \/kind must be/u)
    assert.strictEqual(message({ at: "/items/9", set: {} }), "0: Nothing can stand at this place of the result")
    assert.strictEqual(message({ at: "/id/deep", set: 1 }), "0: Nothing can stand at this place of the result")
    assert.strictEqual(message({ at: "/gone", remove: true }), "0: Nothing can stand at this place of the result")
    assert.strictEqual(message({ at: "", remove: true }), "0: Nothing can stand at this place of the result")
  })

  it("make what is missing on the way, and take __proto__ for a name like any other", () => {
    assert.deepStrictEqual(applyEdits({}, [{ at: "/a/b/0/c", set: 1 }]), { value: { a: { b: [{ c: 1 }] } } })
    const applied = applyEdits({}, [{ at: "/__proto__/x", set: 1 }])
    assert.strictEqual(JSON.stringify(applied), `{"value":{"__proto__":{"x":1}}}`)
    assert.notProperty({}, "x")
  })

  it("put a stand-in where one is needed and nowhere else, whatever the schema asks of unevaluated members", () => {
    const schema = {
      allOf: [{ properties: { a: { type: "string" }, kind: { enum: ["x", "y"] } } }],
      properties: { b: { type: "string" } },
      required: ["b"],
      unevaluatedProperties: false
    }
    const remove = (...places: ReadonlyArray<string>) => {
      const edited = fitEdits(schema, { a: "Ada", kind: "x", b: "B" }, places.map((at) => ({ at, remove: true })))
      return edited.ok ? edited.value : edited.message
    }
    assert.deepStrictEqual(remove("/kind", "/b"), { a: "Ada", b: "" })
    assert.deepStrictEqual(remove("/a", "/b"), { kind: "x", b: "" })
  })

  it("put one in the place of each of many at once", () => {
    const items = { type: "object", required: ["n"], properties: { n: { type: "string" } } }
    const schema = { type: "array", items }
    const value = Array.from({ length: 400 }, (_, at) => ({ n: String(at) }))
    const edited = fitEdits(schema, value, value.map((_, at) => ({ at: `/${at}/n`, remove: true })))
    assert.deepStrictEqual(edited.ok && edited.value, value.map(() => ({ n: "" })))
  })
})
