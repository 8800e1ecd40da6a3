import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Word } from "../../../src/artifacts/Transcript.ts"
import type { Interval } from "../dsp/Interval.ts"

/** A piece of text as an engine gives it: one that begins a word begins with a space. */
export interface TimedToken {
  readonly text: string
  /** Seconds in the source. */
  readonly t_start: number
  readonly t_end: number
  /** Natural logarithm of its probability, null where the engine does not tell. */
  readonly log_probability: number | null
}

/**
 * How sure a word counts as whose engine tells nothing: `confidence` is a number in every transcript, and this one says
 * neither sure nor unsure.
 */
export const UNTOLD_CONFIDENCE = 0.5

/**
 * Words of tokens that follow each other in time. Words are cut at spaces; a token without a letter or digit, such as a
 * full stop, is written to the word before it but moves no end and lowers no confidence. The confidence is the geometric
 * mean of the word's tokens. Moments lie in `within` and words never overlap.
 */
export const wordsOfTokens = (tokens: ReadonlyArray<TimedToken>, within: Interval): Array<Word> => {
  const words: Array<Word> = []
  for (const run of runsOf(tokens)) {
    const text = run.map((token) => token.text).join("").trim()
    const spoken = run.filter((token) => /[\p{L}\p{N}]/u.test(token.text))
    const said = spoken.length > 0 ? spoken : run
    const from = Math.max(words.at(-1)?.t_end ?? within.t_start, said[0]!.t_start)
    const t_start = roundSeconds(Math.min(within.t_end, from))
    words.push({
      t_start,
      t_end: Math.max(t_start, roundSeconds(Math.min(within.t_end, said.at(-1)!.t_end))),
      text,
      confidence: confidenceOf(said)
    })
  }
  return words
}

const runsOf = (tokens: ReadonlyArray<TimedToken>): Array<Array<TimedToken>> => {
  const runs: Array<Array<TimedToken>> = []
  for (const token of tokens) {
    // Some vocabularies put the space into a token of its own.
    if (/^\s/u.test(token.text) || runs.length === 0) runs.push([])
    if (token.text.trim() !== "") runs.at(-1)!.push(token)
  }
  return runs.filter((run) => run.length > 0)
}

const confidenceOf = (tokens: ReadonlyArray<TimedToken>): number => {
  let sum = 0
  for (const { log_probability } of tokens) {
    if (log_probability === null) return UNTOLD_CONFIDENCE
    sum += log_probability
  }
  return Math.round(1000 * Math.min(1, Math.exp(sum / tokens.length))) / 1000
}

/**
 * Words of text that has no times: each gets a share of the speech by its letters, in order, so that a word's moment is
 * off by about as much as the pace of speech varies in the slice: good for finding the sentence, not the syllable. Where
 * words have no spaces between them, a clause counts as one.
 */
export const wordsOfText = (text: string, speech: ReadonlyArray<Interval>): Array<Word> => {
  const texts = text.split(/\s+|(?<=[、。，！？])/u).filter((word) => word !== "")
  // One more for the pause behind a word, which short words would otherwise not get.
  const letters = texts.map((word) => [...word].length + 1)
  const total = letters.reduce((sum, count) => sum + count, 0)
  const seconds = speech.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)
  const words: Array<Word> = []
  let done = 0
  for (const [i, text] of texts.entries()) {
    const from = momentAt(speech, (seconds * done) / total)
    done += letters[i]!
    const to = momentAt(speech, (seconds * done) / total)
    const t_start = roundSeconds(Math.max(words.at(-1)?.t_end ?? from, from))
    words.push({ t_start, t_end: Math.max(t_start, roundSeconds(to)), text, confidence: UNTOLD_CONFIDENCE })
  }
  return words
}

/** The moment at which so many seconds of speech have passed. */
const momentAt = (speech: ReadonlyArray<Interval>, seconds: number): number => {
  let left = seconds
  for (const { t_end, t_start } of speech) {
    if (left <= t_end - t_start) return t_start + left
    left -= t_end - t_start
  }
  return speech.at(-1)?.t_end ?? 0
}
