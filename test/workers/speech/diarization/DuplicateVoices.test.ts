import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { originalsOf } from "../../../../workers/speech/diarization/DuplicateVoices.ts"

const size = 4
// Two steps are 1 apart on average over the dimensions, so two that differ at all are no copies.
const steps = fc.integer({ min: -9, max: 9 }).map((step) => 2 * step)
const voices = fc.array(fc.array(steps, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 20 })

describe("originalsOf", () => {
  it("knows a copy by the first one, a little off as it may be, and nothing else", () => {
    const [voice, near, other] = [[3, 0, -2, 1], [3.4, -0.4, -2.3, 1.5], [3, 0, -2, 2.2]]
    assert.deepStrictEqual(originalsOf([voice, other, near, other, voice]), [0, 1, 0, 1, 0])
  })

  it("takes an original for its own, and no copy for an original", () => {
    fc.assert(fc.property(voices, (voices) => {
      const originals = originalsOf(voices)
      for (const [i, original] of originals.entries()) {
        assert.isAtMost(original, i)
        assert.strictEqual(originals[original], original)
      }
      assert.strictEqual(new Set(originals).size, new Set(voices.map(String)).size)
    }))
  })

  it("gives the same in every copy of a list", () => {
    fc.assert(fc.property(voices, (voices) => {
      const once = originalsOf(voices)
      assert.deepStrictEqual(originalsOf([...voices, ...voices]), [...once, ...once])
    }))
  })
})
