import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { comparable } from "../../../bench/speech/ErrorRates.ts"
import { SAMPLE_RATE } from "../../../workers/speech/dsp/FeatureExtractor.ts"
import { decode, fileBeside, soundsWithoutSpeech } from "./Sounds.ts"
import { lane, transcribeAll } from "./SpeechLane.ts"

const pcmOf = (samples: Float32Array) => {
  const bytes = Buffer.alloc(2 * samples.length)
  samples.forEach((sample, i) => bytes.writeInt16LE(Math.round(sample * 32767), 2 * i))
  return bytes
}

const lecture = fileBeside("samples/lecture.mp4")
const jfk = fileBeside("../shared/assets/audio/dev/jfk.flac")

describe("SpeechStage", () => {
  it.live("has nothing to transcribe in silence and noise, and calls the sound absent", () =>
    Effect.gen(function*() {
      for (const name of ["silence", "loud white noise"]) {
        const { found, transcript, warnings } = yield* transcribeAll(pcmOf(soundsWithoutSpeech[name]!), {})
        assert.deepStrictEqual([found.chunks, found.speech_seconds, warnings], [0, 0, []])
        assert.strictEqual(transcript.audio_branch, "absent")
        assert.deepStrictEqual(transcript.segments, [])
      }
    }).pipe(Effect.provide(lane)))

  it.live.skipIf(jfk === null)(
    "gives every word of a real speech, in time order within its seconds",
    () =>
      Effect.gen(function*() {
        const { transcript } = yield* transcribeAll(yield* Effect.promise(() => decode(jfk!)), {})
        assert.strictEqual(transcript.audio_branch, "present")
        assert.strictEqual(transcript.language, "en")
        assert.match(transcript.model!, /^moonshine-base-en@[0-9a-f]{12}$/u)
        const words = transcript.segments.flatMap(({ words }) => words)
        assert.deepStrictEqual(
          comparable(words.map(({ text }) => text).join(" ")),
          comparable(
            "And so my fellow Americans ask not what your country can do for you ask what you can do for your country"
          )
        )
        for (const [i, word] of words.entries()) {
          assert.isAtMost(word.t_start, word.t_end)
          assert.isAtMost(word.t_end, 11)
          assert.isAtLeast(word.t_start, words[i - 1]?.t_start ?? 0)
        }
      }).pipe(Effect.provide(lane))
  )

  it.live.skipIf(lecture === null)(
    "guesses no English words where the caller says that German is spoken, and tells so",
    () =>
      Effect.gen(function*() {
        const pcm = (yield* Effect.promise(() => decode(lecture!))).subarray(0, 20 * 2 * SAMPLE_RATE)
        const { transcript, warnings } = yield* transcribeAll(pcm, { hints: { language: "de" } })
        assert.deepStrictEqual(warnings.map(({ code }) => code), ["LANGUAGE_UNSUPPORTED"])
        assert.deepStrictEqual([transcript.audio_branch, transcript.language, transcript.segments], [
          "present",
          "de",
          []
        ])
        assert.isNotEmpty(transcript.speakers)
      }).pipe(Effect.provide(lane))
  )
})
