import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { canonicalJson } from "../../../src/crypto/CanonicalJson.ts"
import { canonical, NotJson, parseStrict } from "../../../tools/verify-manifest/StrictJson.ts"

const form = (text: string | Uint8Array) => canonical(parseStrict(typeof text === "string" ? Buffer.from(text) : text))

describe("the verifier's canonical form", () => {
  it("is that of RFC 8785: its examples of strings, numbers and the order of names", () => {
    assert.strictEqual(
      form(`{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
        "literals": [null, true, false]
      }`),
      "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
    )
    assert.strictEqual(
      form("{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}"),
      "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}"
    )
    assert.strictEqual(form("[-0, 0, 1e21, 123456789012345680000]"), "[0,0,1e+21,123456789012345680000]")
  })

  it("agrees with the service's for every JSON value, however it was written", () => {
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: "binary" })
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        assert.strictEqual(form(text), canonicalJson(JSON.parse(text) as never))
      }),
      { numRuns: 500 }
    )
  })

  it("keeps names that objects have of themselves", () => {
    assert.strictEqual(
      form("{\"constructor\":1,\"__proto__\":{\"a\":2}}"),
      "{\"__proto__\":{\"a\":2},\"constructor\":1}"
    )
  })
})

describe("the verifier's reader", () => {
  it("takes what JSON.parse takes, except what two readers read differently", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."{}[]\",:\\ntruefals0123456789.eE+- \n\t\u0001é") }), (text) => {
        let expected: unknown
        let valid = true
        try {
          expected = JSON.parse(text)
        } catch {
          valid = false
        }
        try {
          const got = form(text)
          assert(valid, text)
          assert.strictEqual(got, canonicalJson(expected as never))
        } catch (error) {
          if (!(error instanceof NotJson)) throw error
          assert(!valid || /a second|surrogate|beyond a double/u.test(error.message), `${text}: ${error.message}`)
        }
      }),
      { numRuns: 3000 }
    )
  })

  it("refuses doubled names, half surrogate pairs, numbers beyond a double, bytes that are no UTF-8, and bottomless nesting", () => {
    const refused: ReadonlyArray<readonly [string | Uint8Array, RegExp]> = [
      ["{\"a\":1,\"b\":{\"a\":1,\"\\u0061\":2}}", /a second "a"/u],
      ["[\"\\ud800\"]", /half of a surrogate pair/u],
      ["{\"\\udc00\":1}", /half of a surrogate pair/u],
      ["1e400", /beyond a double/u],
      [Uint8Array.of(0x22, 0xff, 0x22), /not UTF-8/u],
      ["\ufeff{}", /no JSON value/u],
      ["[".repeat(100_000), /nested too deep/u],
      ["{} {}", /something after/u],
      ["\"a\u0000b\"", /no JSON value/u],
      ["\"never ends\\\"", /no JSON value/u],
      ["", /no JSON value/u]
    ]
    for (const [text, why] of refused) {
      assert.throws(
        () => form(text),
        (error) => error instanceof NotJson && why.test(error.message),
        String(text).slice(0, 40)
      )
    }
  })
})
