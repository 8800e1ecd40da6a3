import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeLumaReducer } from "../../../../workers/media/pixels/LumaPlane.ts"

describe("reduceQuarterRow", () => {
  it("gives what adding byte by byte gives, for every height", () => {
    const target = { width: 8, height: 5 }
    fc.assert(fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.uint8Array({ minLength: 32 * 60, maxLength: 32 * 60 }),
      (height, noise) => {
        const frame = noise.slice(0, 32 * height)
        // One byte further no word begins.
        const shifted = new Uint8Array(frame.length + 1).subarray(1)
        shifted.set(frame)
        const [fast, slow] = [new Uint8Array(40), new Uint8Array(40)]
        const reduce = makeLumaReducer(32, height, target)
        reduce(frame, fast)
        reduce(shifted, slow)
        assert.deepStrictEqual(fast, slow)
      }
    ))
  })

  it("does not overflow on white", () => {
    const plane = new Uint8Array(2)
    makeLumaReducer(8, 64, { width: 2, height: 1 })(new Uint8Array(8 * 64).fill(255), plane)
    assert.deepStrictEqual([...plane], [255, 255])
  })
})
