import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  meanActivity,
  packActivity,
  type SpeakerActivity,
  unpackActivity
} from "../../../../workers/speech/asr/SpeakerActivity.ts"

const activity = (rows: ReadonlyArray<ReadonlyArray<number>>): SpeakerActivity => ({
  channels: rows[0]?.length ?? 2,
  frame_seconds: 0.08,
  probabilities: Float32Array.from(rows.flat())
})

const close = (found: Float64Array, wanted: ReadonlyArray<number>) =>
  wanted.forEach((value, i) => assert.closeTo(found[i]!, value, 1e-9))

describe("SpeakerActivity", () => {
  it("is packed within half of 1/255", () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.float({ min: 0, max: 1, noNaN: true }), fc.constant(1))), (rows) => {
      const own = activity(rows)
      const back = unpackActivity(packActivity(own))
      assert.strictEqual(back.probabilities.length, own.probabilities.length)
      own.probabilities.forEach((p, i) => assert.closeTo(back.probabilities[i]!, p, 1 / 510 + 1e-6))
    }))
  })

  it("refuses what is no whole number of frames", () => {
    assert.throws(() => unpackActivity({ ...packActivity(activity([[0, 1], [1, 0]])), channels: 3 }), RangeError)
  })

  it("counts each frame of a stretch by the time that it has in it", () => {
    const own = activity([[1, 0], [0, 1], [0, 1]])
    close(meanActivity(own, { t_start: 0, t_end: 0.08 }), [1, 0])
    close(meanActivity(own, { t_start: 0.04, t_end: 0.16 }), [1 / 3, 2 / 3])
    close(meanActivity(own, { t_start: 0.1, t_end: 0.1 }), [0, 1])
    // Beyond the last frame there is no other; without any there is nobody.
    close(meanActivity(own, { t_start: 5, t_end: 6 }), [0, 1])
    close(meanActivity(activity([]), { t_start: 0, t_end: 1 }), [0, 0])
  })
})
