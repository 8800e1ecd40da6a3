import * as fc from "fast-check"
import assert from "node:assert/strict"
import { describe, test } from "vitest"
import { valueAt } from "../../../../src/deliveries/connectors/content/Columns.ts"
import { cut, plain, plainJson } from "../../../../src/text/PlainText.ts"
import { payloadOf } from "../../../support/vendors/Vendors.ts"

describe("a column's path", () => {
  const payload = payloadOf(1, {
    result: { "a/b": { "m~n": [10, { "": "empty" }] }, list: ["x", "y"], "": 1, nothing: null }
  })
  test.each([
    ["/a~1b/m~0n/0", 10],
    ["/a~1b/m~0n/1/", "empty"],
    ["/list/1", "y"],
    ["/", 1],
    ["/nothing", null],
    ["/list/01", null],
    ["/list/-", null],
    ["/list/length", null],
    ["/list/2", null],
    ["/toString", null],
    ["/__proto__/polluted", null],
    ["/a~1b/missing/deeper", null]
  ])("follows RFC 6901 and nothing but what is there: %s", (path, value) => {
    assert.deepEqual(valueAt(path, payload), value)
  })

  test("knows the job's own facts beside the result", () => {
    assert.equal(valueAt("$job.id", payload), payload.job.id)
    assert.equal(valueAt("$evidence.url", payload), payload.links.evidence)
    assert.deepEqual(valueAt("$result", payload), payload.result)
  })
})

describe("text for vendors", () => {
  test("is well-formed, holds no U+0000 and is never cut within a character", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const shown = cut(plain(text), most)
      assert.ok(shown.isWellFormed() && !shown.includes("\0") && shown.length <= most)
    }))
  })

  test("is plain all through a value", () => {
    assert.deepEqual(plainJson({ "a\0": ["\uD800", { b: 1 }] }), { "a\uFFFD": ["\uFFFD", { b: 1 }] })
  })
})
