import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { canonicalJson, canonicalSha256 } from "../../src/crypto/CanonicalJson.ts"

describe("canonicalJson", () => {
  it("gives RFC 8785's own example its canonical form", () => {
    const example = JSON.parse(
      String
        .raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    )
    assert.strictEqual(
      canonicalJson(example),
      String
        .raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    )
  })

  it("sorts members by UTF-16 code units, as RFC 8785's second example does", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"]
    const form = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])))
    assert.deepStrictEqual(Object.keys(JSON.parse(form.replaceAll("\"1\"", "\"one\""))), [
      "\r",
      "one",
      "\u0080",
      "\u00f6",
      "\u20ac",
      "\ud83d\ude00",
      "\ufb33"
    ])
  })

  it("does not depend on member order or spacing, and parses back to the same value", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), (value) => {
      const parsed = JSON.parse(JSON.stringify(value))
      const reversed = JSON.parse(
        JSON.stringify(value),
        (_, member) =>
          member !== null && typeof member === "object" && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).toReversed())
            : member
      )
      assert.strictEqual(canonicalJson(reversed), canonicalJson(parsed))
      assert.deepStrictEqual(JSON.parse(canonicalJson(parsed)), parsed)
      assert.deepStrictEqual(canonicalSha256(reversed), canonicalSha256(parsed))
    }))
  })

  it("refuses what has no canonical form", () => {
    assert.throws(() => canonicalJson(Number.NaN))
    assert.throws(() => canonicalJson("\ud800"))
  })
})
