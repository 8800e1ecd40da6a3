import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { maxValues, scanJson } from "../../../src/web/json/JsonScan.ts"
import { requestLimits } from "../../../src/web/json/RequestLimits.ts"

const maxDepth = requestLimits.json_nesting

describe("scanJson", () => {
  it("finds nothing in what JSON.stringify writes, however it is laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        assert.strictEqual(scanJson(JSON.stringify(value, null, space)), undefined)
      })
    )
  })

  it("finds a member given twice at any depth, escapes or not, and says where", () => {
    const cases: ReadonlyArray<readonly [string, string, string]> = [
      ["{\"a\":1,\"a\":2}", "", "\"a\""],
      ["{\"x\":[0,{\"y\":{\"\":1, \"\" : 2}}]}", "/x/1/y", "\"\""],
      ["{\"__proto__\":{},\"b\":\"{\\\"b\\\":1}\",\"__proto__\":{}}", "", "\"__proto__\""],
      ["{\"a\":\"\\\\\",\"\\u0061\":{}}", "", "\"a\""],
      ["[{\"a\":{\"b\":1},\"c\":2,\"a\":3}]", "/0", "\"a\""]
    ]
    for (const [json, path, name] of cases) {
      assert.deepStrictEqual(scanJson(json), { path, message: `Has the member ${name} twice` }, json)
    }
  })

  it("names no more than a hundred characters of a member, whatever was sent", () => {
    const name = "n".repeat(500_000)
    const problem = scanJson(`{"${name}":{"${name}":1,"${name}":2}}`)!
    assert.ok(problem.message.length + problem.path.length < 300)
    assert.match(problem.message, /^Has the member "n{100}…" twice$/u)
  })

  it("takes the same name in two objects, and the same text twice in an array, for no repetition", () => {
    assert.strictEqual(scanJson("[{\"a\":1},{\"a\":[\"a\",\"a\"],\"b\":{\"a\":\"a\"}}]"), undefined)
  })

  it("finds every number that would come out as another one, and says where", () => {
    for (const number of ["1e400", "-1e200000", "1E+999", `1${"0".repeat(400)}`, "1e-400", "-0.5e-9999"]) {
      assert.strictEqual(scanJson(`{"a":[1,{"b":${number}}]}`)?.path, "/a/1/b", number)
    }
    for (const number of ["0", "-0", "0.0e999", "1e308", "5e-324", "-1.7976931348623157e308", `${"9".repeat(300)}`]) {
      assert.strictEqual(scanJson(`[${number}, "1e999"]`), undefined, number)
    }
  })

  it("agrees with the parser about which finite numbers stay what they are", () => {
    const digits = fc.stringMatching(/^-?[1-9]\d{0,20}(\.\d{1,20})?[eE][+-]?\d{1,4}$/u)
    fc.assert(fc.property(digits, (number) => {
      const read: number = JSON.parse(number)
      assert.strictEqual(scanJson(number) === undefined, Number.isFinite(read) && read !== 0, number)
    }))
  })

  it("bounds depth and number of values, and counts neither inside of strings", () => {
    assert.strictEqual(scanJson("[".repeat(maxDepth) + "]".repeat(maxDepth)), undefined)
    assert.match(scanJson("[".repeat(maxDepth + 1))!.message, /deeper/u)
    assert.strictEqual(scanJson(`[${"0,".repeat(maxValues)}0]`)?.message, undefined)
    assert.match(scanJson(`[${"0,".repeat(maxValues + 1)}0]`)!.message, /more than/u)
    assert.strictEqual(scanJson(JSON.stringify(["[".repeat(500), ",".repeat(maxValues + 1)])), undefined)
  })

  it("does not throw for what is no JSON", () => {
    for (const json of ["", "}", "{\"a", "{\"\\u\":1,\"\\u\":2", "]]]{,,\"a\"\"a\"", "-", "1e", "+-+"]) scanJson(json)
    fc.assert(fc.property(fc.array(fc.constantFrom(..."{}[],:\"\\ua1-e. ")), (units) => {
      scanJson(units.join(""))
    }))
  })
})
