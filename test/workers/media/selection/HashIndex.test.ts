import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hashDistance, type PerceptualHash } from "../../../../workers/media/pixels/PerceptualHash.ts"
import { HashIndex } from "../../../../workers/media/selection/HashIndex.ts"

const word = fc.nat(0xffffffff)
const hash: fc.Arbitrary<PerceptualHash> = fc.record({ high: word, low: word })

/** The hash with these of its 64 bits turned over. */
const flipped = ({ high, low }: PerceptualHash, bits: ReadonlyArray<number>): PerceptualHash => ({
  high: bits.filter((bit) => bit < 32).reduce((value, bit) => (value ^ (1 << bit)) >>> 0, high),
  low: bits.filter((bit) => bit >= 32).reduce((value, bit) => (value ^ (1 << (bit - 32))) >>> 0, low)
})

const fewBits = fc.uniqueArray(fc.nat(63), { maxLength: 9 })

describe("HashIndex", () => {
  it("finds exactly the hashes within the distance, latest first, wherever their bits differ", () => {
    fc.assert(
      fc.property(hash, fc.array(fewBits, { maxLength: 40 }), fc.array(hash, { maxLength: 20 }), fc.nat(7), (
        asked,
        changes,
        others,
        bits
      ) => {
        const all = [...changes.map((change) => flipped(asked, change)), ...others]
        const index = new HashIndex()
        all.forEach((one, entry) => assert.strictEqual(index.add(one), entry))
        const expected = all.flatMap((one, entry) => hashDistance(asked, one) <= bits ? [entry] : []).toReversed()
        assert.deepStrictEqual([...index.within(asked, bits)], expected)
      }),
      { numRuns: 300 }
    )
  })

  it("finds the same set of hashes in whatever order they were added", () => {
    fc.assert(fc.property(hash, fc.array(fewBits, { minLength: 1, maxLength: 30 }), (asked, changes) => {
      const found = (list: ReadonlyArray<PerceptualHash>) => {
        const index = new HashIndex()
        for (const one of list) index.add(one)
        return index.within(asked, 6).map((entry) => `${list[entry]!.high} ${list[entry]!.low}`).toSorted()
      }
      const list = changes.map((change) => flipped(asked, change))
      assert.deepStrictEqual(found(list), found(list.toReversed()))
    }))
  })

  it("keeps finding after it has grown beyond its first size", () => {
    const index = new HashIndex()
    for (let i = 0; i < 1000; i++) index.add({ high: Math.imul(i, 2_654_435_761) >>> 0, low: i })
    assert.deepStrictEqual([...index.within({ high: Math.imul(777, 2_654_435_761) >>> 0, low: 777 }, 0)], [777])
  })

  it("refuses a distance that its bands do not cover", () => {
    assert.throws(() => new HashIndex().within({ high: 0, low: 0 }, 8), RangeError)
  })
})
