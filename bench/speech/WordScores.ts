import { median } from "../Median.ts"
import { align, comparable, rate, type Tally, tally } from "./ErrorRates.ts"
import type { HeardWords } from "./Hearing.ts"
import type { Recording } from "./Recordings.ts"

/**
 * How well words were heard in a set of recordings. Rates are fractions, errors of word times are milliseconds over the
 * words that were heard right; what could not be measured is absent.
 */
export interface WordScores {
  wer?: number
  cer?: number
  /** Median of all starts and ends. */
  word_time_median_ms?: number
  word_start_median_ms?: number
  word_end_median_ms?: number
  word_start_mean_ms?: number
  word_end_mean_ms?: number
  /** With their sign: above 0 is too late. */
  word_start_bias_ms?: number
  word_end_bias_ms?: number
  /** Words where nobody speaks. */
  false_words?: number
  /** Seconds of processor time per second of sound. */
  rtf: number
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const tenth = (value: number) => Math.round(10 * value) / 10
const magnitudes = (values: ReadonlyArray<number>) => values.map(Math.abs)

const same = (text: string) => comparable(text).join("")

/** Sums what one recogniser hears over the recordings of a set. */
export const makeWordScores = () => {
  const [words, letters]: [Tally, Tally] = [{ errors: 0, total: 0 }, { errors: 0, total: 0 }]
  const [starts, ends]: [Array<number>, Array<number>] = [[], []]
  let [audio, busy, silences, falseWords] = [0, 0, 0, 0]
  return {
    add: (
      { silent, transcript, words: reference }: Pick<Recording, "silent" | "transcript" | "words">,
      duration: number,
      heard: HeardWords
    ) => {
      audio += duration
      busy += heard.seconds
      if (silent) {
        silences++
        falseWords += heard.words.length
      }
      if (transcript !== null) tally(words, letters, transcript, heard.words.map(({ text }) => text).join(" "))
      if (reference === null) return
      const { equal } = align(reference.map(({ text }) => same(text)), heard.words.map(({ text }) => same(text)))
      for (const [i, j] of equal) {
        starts.push(1000 * (heard.words[j]!.t_start - reference[i]!.t_start))
        ends.push(1000 * (heard.words[j]!.t_end - reference[i]!.t_end))
      }
    },
    scores: (): WordScores => ({
      ...(words.total === 0 ? {} : { wer: rate(words), cer: rate(letters) }),
      ...(starts.length === 0 ? {} : {
        word_time_median_ms: tenth(median(magnitudes([...starts, ...ends]))),
        word_start_median_ms: tenth(median(magnitudes(starts))),
        word_end_median_ms: tenth(median(magnitudes(ends))),
        word_start_mean_ms: tenth(mean(magnitudes(starts))),
        word_end_mean_ms: tenth(mean(magnitudes(ends))),
        word_start_bias_ms: tenth(mean(starts)),
        word_end_bias_ms: tenth(mean(ends))
      }),
      ...(silences === 0 ? {} : { false_words: falseWords }),
      rtf: busy / audio
    })
  }
}
