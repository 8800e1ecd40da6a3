import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { gateDefaults, makeSpeechGate } from "../../../../workers/speech/vad/SpeechGate.ts"

const FRAME = 0.032

const gate = (probabilities: ReadonlyArray<number>) => {
  const open = makeSpeechGate(FRAME)
  for (const probability of probabilities) open.push(probability)
  return open.finish(probabilities.length * FRAME)
}
const frames = (count: number, probability: number) => Array.from({ length: count }, () => probability)

describe("SpeechGate", () => {
  it("finds one stretch with padding, and the short break inside of it as a pause", () => {
    const { intervals, pauses } = gate([
      ...frames(50, 0),
      ...frames(20, 0.9),
      ...frames(6, 0.05),
      ...frames(20, 0.9),
      ...frames(50, 0)
    ])
    assert.strictEqual(intervals.length, 1)
    assert.closeTo(intervals[0]!.t_start, 50 * FRAME - gateDefaults.pad_seconds, 1e-9)
    assert.closeTo(intervals[0]!.t_end, 96 * FRAME + gateDefaults.pad_seconds, 1e-9)
    assert.deepStrictEqual(pauses, [{ t_start: 70 * FRAME, t_end: 76 * FRAME }])
  })

  it("splits at a break of half a second", () => {
    assert.strictEqual(gate([...frames(20, 0.9), ...frames(16, 0), ...frames(20, 0.9)]).intervals.length, 2)
    assert.strictEqual(gate([...frames(20, 0.9), ...frames(14, 0), ...frames(20, 0.9)]).intervals.length, 1)
  })

  it("drops a blip, and a long stretch that it is never sure of", () => {
    assert.deepStrictEqual(gate([...frames(20, 0), ...frames(4, 0.95), ...frames(40, 0)]).intervals, [])
    assert.deepStrictEqual(gate(frames(200, 0.4)).intervals, [])
  })

  it("gives intervals in order, inside of the sound, never overlapping, and pauses within them", () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true })
    // Single frames hardly ever make speech of 0.2 s or a break of half a second; stretches of one probability do.
    const stretches = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), probability), { maxLength: 40 })
      .map((all) => all.flatMap(([count, probability]) => frames(count, probability)))
    fc.assert(fc.property(fc.oneof(fc.array(probability, { maxLength: 400 }), stretches), (probabilities) => {
      const { intervals, pauses } = gate(probabilities)
      let end = 0
      for (const { t_end, t_start } of intervals) {
        assert.isAtLeast(t_start, end)
        assert.isAbove(t_end, t_start)
        end = t_end
      }
      assert.isAtMost(end, probabilities.length * FRAME)
      for (const pause of pauses) {
        assert.isTrue(intervals.some(({ t_end, t_start }) => pause.t_start >= t_start && pause.t_end <= t_end))
      }
    }))
  })
})
