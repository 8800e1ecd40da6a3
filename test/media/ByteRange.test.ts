import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { rangeOf } from "../../src/media/ByteRange.ts"

describe("a range of bytes", () => {
  it("is the part that RFC 9110 says, its end included in the header and not in the range", () => {
    assert.deepStrictEqual(rangeOf("bytes=0-0", 10), { from: 0, to: 1 })
    assert.deepStrictEqual(rangeOf("bytes=2-", 10), { from: 2, to: 10 })
    assert.deepStrictEqual(rangeOf("Bytes=2-99", 10), { from: 2, to: 10 })
    assert.deepStrictEqual(rangeOf("bytes=-3", 10), { from: 7, to: 10 })
    assert.deepStrictEqual(rangeOf("bytes=-99", 10), { from: 0, to: 10 })
  })

  it("is the whole for what is no single range, and none where no byte is in it", () => {
    for (const header of [undefined, "", "bytes", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4", "lines=0-1"]) {
      assert.isUndefined(rangeOf(header, 10), header)
    }
    for (const header of ["bytes=10-", "bytes=10-20", "bytes=-0"]) {
      assert.strictEqual(rangeOf(header, 10), "unsatisfiable", header)
    }
  })

  it("lies within the bytes that there are, whatever is asked for", () => {
    const number = fc.oneof(fc.constant(""), fc.nat().map(String), fc.stringMatching(/^\d{1,30}$/u))
    fc.assert(fc.property(number, number, fc.integer({ min: 1, max: 1e9 }), (first, last, size) => {
      const range = rangeOf(`bytes=${first}-${last}`, size)
      if (range === undefined || range === "unsatisfiable") return
      assert.isTrue(0 <= range.from && range.from < range.to && range.to <= size)
    }))
  })
})
