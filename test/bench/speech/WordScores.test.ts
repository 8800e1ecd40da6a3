import { assert, describe, it } from "@effect/vitest"
import { makeWordScores } from "../../../bench/speech/WordScores.ts"

const recording = {
  file: "",
  set: "",
  transcript: "The cat sat.",
  speaker: null,
  turns: null,
  words: [
    { text: "the", t_start: 0, t_end: 0.2 },
    { text: "cat", t_start: 0.2, t_end: 0.5 },
    { text: "sat", t_start: 0.6, t_end: 1 }
  ],
  silent: false
}
const heard = [
  { text: "the", t_start: 0.01, t_end: 0.18 },
  { text: "bat", t_start: 0.3, t_end: 0.5 },
  { text: "sat", t_start: 0.57, t_end: 1.1 }
]

describe("WordScores", () => {
  it("measures the times of words that were heard right, starts and ends apart and together", () => {
    const sum = makeWordScores()
    sum.add(recording, 2, { words: heard, seconds: 0.5 })
    const scores = sum.scores()
    assert.deepInclude(scores, {
      wer: 1 / 3,
      cer: 1 / 11,
      word_time_median_ms: 25,
      word_start_median_ms: 20,
      word_end_median_ms: 60,
      word_start_mean_ms: 20,
      word_end_mean_ms: 60,
      word_start_bias_ms: -10,
      word_end_bias_ms: 40,
      rtf: 0.25
    })
    assert.notProperty(scores, "false_words")
  })

  it("counts words where nobody speaks and leaves out what has no label", () => {
    const sum = makeWordScores()
    sum.add({ ...recording, transcript: null, words: null, silent: true }, 2, { words: heard, seconds: 1 })
    assert.deepStrictEqual(sum.scores(), { false_words: 3, rtf: 0.5 })
  })
})
