import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { textProblems } from "../../../src/web/json/StorableText.ts"

describe("textProblems", () => {
  it("finds nothing wrong with any JSON made of well-formed text without NUL", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 20, stringUnit: "binary" }), (value) => {
      const json = JSON.stringify(value)
      if (json.includes(String.raw`\u0000`)) return
      assert.deepStrictEqual(textProblems(json), [])
    }))
  })

  it("names the place of every string that PostgreSQL would refuse", () => {
    const json = String.raw`{"a":{"b":["ok","x\u0000"]},"c":"\ud83d","d":"\ud83c\udfac","e":"\\u0000","\u0000":1}`
    assert.deepStrictEqual(textProblems(json).map(({ path }) => path), ["/a/b/1", "/c", ""])
  })

  it("counts nesting outside of strings only", () => {
    assert.deepStrictEqual(textProblems(`"${"[".repeat(500)}"`), [])
    assert.deepStrictEqual(textProblems(String.raw`["\"[[[["]`), [])
    assert.deepStrictEqual(textProblems("[".repeat(100) + "]".repeat(100)), [])
    assert.strictEqual(textProblems("[".repeat(101) + "]".repeat(101)).length, 1)
    assert.strictEqual(textProblems("{\"a\":".repeat(200_000)).length, 1)
  })

  it("leaves text that is no JSON to the decoder", () => {
    assert.deepStrictEqual(textProblems(String.raw`{"a":"\u0000"`), [])
  })
})
