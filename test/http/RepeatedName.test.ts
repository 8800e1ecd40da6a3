import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { repeatedName } from "../../src/http/RepeatedName.ts"

describe("repeatedName", () => {
  it("finds nothing in what JSON.stringify writes, however it is laid out", () => {
    fc.assert(fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      assert.strictEqual(repeatedName(JSON.stringify(value, null, space)), undefined)
    }))
  })

  it("finds a member given twice at any depth, escapes or not, and says where", () => {
    const cases: ReadonlyArray<readonly [string, string, string]> = [
      ["{\"a\":1,\"a\":2}", "", "\"a\""],
      ["{\"x\":[0,{\"y\":{\"\":1, \"\" : 2}}]}", "x.1.y", "\"\""],
      ["{\"__proto__\":{},\"b\":\"{\\\"b\\\":1}\",\"__proto__\":{}}", "", "\"__proto__\""],
      ["{\"a\":\"\\\\\",\"\\u0061\":{}}", "", "\"a\""],
      ["[{\"a\":{\"b\":1},\"c\":2,\"a\":3}]", "0", "\"a\""]
    ]
    for (const [json, path, name] of cases) {
      assert.deepStrictEqual(repeatedName(json), { path, message: `Has the member ${name} twice` }, json)
    }
  })

  it("takes the same name in two objects, and the same text twice in an array, for no repetition", () => {
    assert.strictEqual(repeatedName("[{\"a\":1},{\"a\":[\"a\",\"a\"],\"b\":{\"a\":\"a\"}}]"), undefined)
  })

  it("does not throw for what is no JSON", () => {
    for (const json of ["", "}", "{\"a", "{\"\\u\":1,\"\\u\":2", "]]]{,,\"a\"\"a\""]) repeatedName(json)
    fc.assert(fc.property(fc.array(fc.constantFrom(..."{}[],:\"\\ua1 ")), (units) => {
      repeatedName(units.join(""))
    }))
  })
})
