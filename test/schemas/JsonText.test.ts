import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { textsOfParts } from "../../src/schemas/JsonText.ts"

const trees = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie("object"),
    tie("array")
  ),
  object: fc.dictionary(fc.string(), tie("value"), { maxKeys: 5 }),
  array: fc.array(tie("value"), { maxLength: 5 })
}))

describe("textsOfParts", () => {
  it("gives each member as it is written: order, spaces and spellings of numbers", () => {
    const text = ` { "2": 1.0 , "1": [ 1e2, {"b":1,"a":2} ], "a\\"b" :\n"},{" }\n`
    assert.deepStrictEqual([...textsOfParts(text)], [
      ["2", "1.0"],
      ["1", `[ 1e2, {"b":1,"a":2} ]`],
      ["a\"b", "\"},{\""]
    ])
  })

  it("gives the items of an array by their number", () => {
    assert.deepStrictEqual([...textsOfParts(`[ 1.50, {"x":[]} ,null]`)], [["0", "1.50"], ["1", `{"x":[]}`], [
      "2",
      "null"
    ]])
    assert.deepStrictEqual([...textsOfParts("[]")], [])
    assert.deepStrictEqual([...textsOfParts("{ }")], [])
  })

  it("gives nothing for a value without parts", () => {
    for (const text of ["1", "\"a,b\"", "null", ""]) assert.strictEqual(textsOfParts(text).size, 0)
  })

  it("says of any object and array what its parts are, however it is indented", () => {
    fc.assert(fc.property(fc.oneof(trees.object, trees.array), fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const parts = textsOfParts(JSON.stringify(value, null, indent))
      const expected = Object.entries(JSON.parse(JSON.stringify(value)))
      assert.strictEqual(parts.size, expected.length)
      for (const [name, part] of expected) assert.deepStrictEqual(JSON.parse(parts.get(name)!), part)
    }))
  })
})
