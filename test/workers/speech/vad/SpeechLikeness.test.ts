import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LIKENESS } from "../../../../workers/speech/vad/LikenessWeights.ts"
import { heldPartials, likenessOf } from "../../../../workers/speech/vad/SpeechLikeness.ts"
import { decode, fileBeside, samplesOf, soundsWithoutSpeech } from "../Sounds.ts"

const lecture = fileBeside("samples/lecture.mp4")

describe("heldPartials", () => {
  it("is near 1 for a held tone, low for noise, 0 where there is nothing to compare", () => {
    assert.isAbove(heldPartials(soundsWithoutSpeech["a 440 Hz tone"]!), 0.95)
    assert.isBelow(heldPartials(soundsWithoutSpeech["loud white noise"]!), 0.6)
    assert.strictEqual(heldPartials(new Float32Array(2000)), 0)
  })

  it("is the same at any level", () => {
    const noise = soundsWithoutSpeech["loud white noise"]!
    assert.approximately(heldPartials(noise.map((x) => x / 20)), heldPartials(noise), 0.02)
  })

  it("is a share of 1 for any sound", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { maxLength: 6000 }), (samples) => {
        const held = heldPartials(Float32Array.from(samples))
        assert.isTrue(held >= 0 && held <= 1.000001, String(held))
      }),
      { numRuns: 30 }
    )
  })
})

describe("likenessOf", () => {
  it("grows with the detector's certainty and falls with what is held", () => {
    assert.isAbove(likenessOf(LIKENESS, 0.8, 0.5), likenessOf(LIKENESS, 0.4, 0.5))
    assert.isBelow(likenessOf(LIKENESS, 0.5, 0.9), likenessOf(LIKENESS, 0.5, 0.4))
  })

  it.skipIf(lecture === null)("keeps a spoken sentence and drops a note that the detector half believes", async () => {
    const speech = samplesOf(await decode(lecture!)).subarray(0, 5 * 16_000)
    assert.isAbove(likenessOf(LIKENESS, 0.8, heldPartials(speech)), LIKENESS.least)
    assert.isBelow(likenessOf(LIKENESS, 0.4, heldPartials(soundsWithoutSpeech["a 440 Hz tone"]!)), LIKENESS.least)
  })
})
