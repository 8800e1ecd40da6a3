import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { heldPartials, speechMusicScore } from "../../../../workers/speech/vad/SpeechMusicClassifier.ts"
import { SPEECH_MUSIC_WEIGHTS } from "../../../../workers/speech/vad/SpeechMusicWeights.ts"
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

describe("speechMusicScore", () => {
  it("grows with the detector's certainty and falls with what is held", () => {
    assert.isAbove(speechMusicScore(SPEECH_MUSIC_WEIGHTS, 0.8, 0.5), speechMusicScore(SPEECH_MUSIC_WEIGHTS, 0.4, 0.5))
    assert.isBelow(speechMusicScore(SPEECH_MUSIC_WEIGHTS, 0.5, 0.9), speechMusicScore(SPEECH_MUSIC_WEIGHTS, 0.5, 0.4))
  })

  it.skipIf(lecture === null)("keeps a spoken sentence and drops a note that the detector half believes", async () => {
    const speech = samplesOf(await decode(lecture!)).subarray(0, 5 * 16_000)
    assert.isAbove(speechMusicScore(SPEECH_MUSIC_WEIGHTS, 0.8, heldPartials(speech)), SPEECH_MUSIC_WEIGHTS.least)
    assert.isBelow(
      speechMusicScore(SPEECH_MUSIC_WEIGHTS, 0.4, heldPartials(soundsWithoutSpeech["a 440 Hz tone"]!)),
      SPEECH_MUSIC_WEIGHTS.least
    )
  })
})
