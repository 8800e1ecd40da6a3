import { assert, describe, it } from "@effect/vitest"
import { spokenTime } from "../../../bench/speech/SpokenTime.ts"
import { SAMPLE_RATE } from "../../../workers/speech/dsp/FeatureExtractor.ts"

/** A tone of 300 Hz where it is said to be, over a hum of 50 Hz as loud and a hiss 50 dB below. */
const sound = (seconds: number, tones: ReadonlyArray<readonly [number, number]>) =>
  Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, i) => {
    const t = i / SAMPLE_RATE
    const on = tones.some(([from, to]) => t >= from && t < to)
    return (on ? 0.3 * Math.sin(2 * Math.PI * 300 * t) : 0) + 0.03 * Math.sin(2 * Math.PI * 50 * t) +
      0.001 * Math.sin(i * i * 0.37)
  })

const close = (samples: Float32Array, expected: ReadonlyArray<readonly [number, number]>) => {
  const found = spokenTime(samples)
  assert.strictEqual(found.length, expected.length)
  found.forEach(({ t_end, t_start }, i) => {
    assert.closeTo(t_start, expected[i]![0], 0.03)
    assert.closeTo(t_end, expected[i]![1], 0.03)
  })
}

describe("spokenTime", () => {
  it("finds where it is loud and leaves out pauses of 0.3 s and longer", () => {
    close(sound(4, [[0.5, 1.5], [2, 3.2]]), [[0.5, 1.5], [2, 3.2]])
  })

  it("bridges shorter pauses", () => {
    close(sound(4, [[0.5, 1.5], [1.7, 3.2]]), [[0.5, 3.2]])
  })

  it("takes a click for no speech", () => {
    close(sound(4, [[0.5, 1.5], [2.5, 2.52]]), [[0.5, 1.5]])
  })
})
