import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fitSpeakerHmm, type Observation } from "../../../../workers/speech/diarization/SpeakerHmm.ts"

const spread = [9, 4, 1]
const number = fc.double({ min: -6, max: 6, noNaN: true })
const observations = fc.array(
  fc.record({
    voice: fc.option(fc.tuple(number, number, number), { freq: 5 }),
    weight: fc.double({ min: 0, max: 1, noNaN: true }),
    stays: fc.double({ min: 0, max: 0.95, noNaN: true })
  }),
  { minLength: 1, maxLength: 20 }
)
const started = observations.chain((all) =>
  fc.record({
    all: fc.constant<ReadonlyArray<Observation>>(all),
    start: fc.array(fc.nat(3), { minLength: all.length, maxLength: all.length })
  })
)

describe("fitSpeakerHmm", () => {
  it("never makes what is heard less likely by another round", () => {
    fc.assert(fc.property(started, ({ all, start }) => {
      const bounds = [1, 2, 4, 8].map((rounds) => fitSpeakerHmm(all, spread, start, { caution: 0.65, rounds }).bound)
      for (const [i, bound] of bounds.entries()) if (i > 0) assert.isAtLeast(bound, bounds[i - 1]! - 1e-6)
    }))
  })

  it("gives every observation one of the speakers it started from", () => {
    fc.assert(fc.property(started, ({ all, start }) => {
      const { bound, speakers } = fitSpeakerHmm(all, spread, start, { caution: 0.65, rounds: 20 })
      assert.strictEqual(speakers.length, all.length)
      for (const speaker of speakers) assert.isTrue(speaker >= 0 && speaker <= Math.max(...start))
      assert.isTrue(Number.isFinite(bound))
    }))
  })

  it("leaves no piece to a speaker that nothing speaks for", () => {
    const voices = [[5, 1, 0], [5.5, 0.5, 0.2], [4.8, 1.2, -0.3], [5.2, 0.8, 0.1], [5.1, 1, 0]]
    const all = voices.map((voice): Observation => ({ voice, weight: 0.7, stays: 0.5 }))
    const { speakers } = fitSpeakerHmm(all, spread, [0, 1, 0, 1, 0], { caution: 1, rounds: 50 })
    assert.strictEqual(new Set(speakers).size, 1)
  })
})
