import { assert, it } from "@effect/vitest"
import { shapeOf } from "../../app/footnotes/SchemaShape.ts"

const schema = {
  $defs: { unit: { enum: ["kg", "g", 5] } },
  properties: {
    unit: { allOf: [{ $ref: "#/$defs/unit" }], type: "string" },
    mass: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
    sold: { type: ["boolean", "null"] },
    rows: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
    any: {}
  }
}

const at = (name: string) => shapeOf(schema).child(name)

it("a field offers what its schema lets stand, unions and nothing with it, and no choice that could not be saved", () => {
  assert.deepStrictEqual(at("unit").choices, ["kg", "g"])
  assert.deepStrictEqual(at("mass").kinds, ["number", "null"])
  assert.deepStrictEqual(at("sold").kinds, ["boolean", "null"])
  assert.includeMembers([...at("any").kinds], ["text", "number", "boolean", "json"])
})

it("what a schema does not let stand is told with what is wanted, within lists and objects too", () => {
  assert.strictEqual(at("mass").misfit(3), null)
  assert.strictEqual(at("mass").misfit(null), null)
  assert.strictEqual(at("mass").misfit(1.5), "A whole number is wanted here. Or: No value is wanted here.")
  assert.match(at("mass").misfit(0)!, /At least 1 is wanted/u)
  assert.match(at("unit").misfit("lb")!, /“kg”, “g”/u)
  assert.strictEqual(at("rows").misfit([{ n: 1 }, { n: "x" }]), "Entry 2: n: A number is wanted here.")
  assert.strictEqual(at("any").misfit({ whatever: [1] }), null)
})

it("nothing is refused that the service may take, and alternatives of alternatives are judged at once or not at all", () => {
  const named = { properties: { a: { $ref: "#word" } }, required: ["a"], type: "object" }
  assert.strictEqual(shapeOf(named).child("a").misfit("text"), null)
  assert.deepStrictEqual(shapeOf(named).child("a").names, [])
  const circle = { anyOf: Array.from({ length: 8 }, () => ({ allOf: [{ $ref: "#" }] })) }
  assert.strictEqual(shapeOf({ ...circle, type: "object" }).misfit({}), null)
  assert.isNotNull(shapeOf({ ...circle, type: "object" }).misfit("text"))
})
