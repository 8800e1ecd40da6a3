import { roundSeconds } from "../../src/artifacts/Moment.ts"
import type { Word } from "../../src/artifacts/Transcript.ts"
import { openSession } from "../onnx/OnnxSession.ts"
import { beamSearch } from "./BeamSearch.ts"
import type { Posteriors } from "./CtcAlignment.ts"
import { bestPath, wordsOf } from "./CtcDecoder.ts"
import { type CtcTokens, readTokens } from "./CtcTokens.ts"
import { HOP, type LogMel, MEL_BINS, normalise, SAMPLE_RATE } from "./FeatureExtractor.ts"
import { readWordCounts, type WordCounts } from "./WordCounts.ts"
import { makeWordScorer } from "./WordScorer.ts"

/** Feature frames per output frame: 40 ms. */
const SUBSAMPLING = 4
const FRAME_SECONDS = (SUBSAMPLING * HOP) / SAMPLE_RATE
/** Letters peak this long after their sound has begun: the median over words with known times. */
const LATENCY_SECONDS = 0.05
/** Fewer feature frames than this hold no word. */
const LEAST_FRAMES = 16

export interface RecogniserFiles {
  readonly model: string
  readonly tokens: string
  /** Without word counts the decoder takes the best letter of every frame. */
  readonly counts: string | null
}

export interface Recogniser extends AsyncDisposable {
  readonly posteriors: (features: LogMel) => Promise<Posteriors>
  /** The words in raw log-mel features, with moments counted from `t_start` seconds. */
  readonly recognise: (features: LogMel, t_start: number, terms?: ReadonlyArray<string>) => Promise<Array<Word>>
}

/**
 * Opens the recogniser. One utterance is run at a time, so that its words do not depend on which others are around.
 * Throws `OnnxModelError` when a file cannot be loaded.
 */
export const openRecogniser = async (files: RecogniserFiles): Promise<Recogniser> => {
  const tokens = readTokens(files.tokens)
  const counts = files.counts === null ? null : readWordCounts(files.counts)
  const session = await openSession(files.model)

  const posteriors = async (features: LogMel): Promise<Posteriors> => {
    const { data, frames } = normalise(features)
    const { logprobs } = await session.run({
      audio_signal: { data, dims: [1, MEL_BINS, frames] },
      length: { data: BigInt64Array.of(BigInt(frames)), dims: [1] }
    })
    return {
      data: logprobs!.data as Float32Array,
      frames: Math.ceil(frames / SUBSAMPLING),
      tokens: logprobs!.dims[2]!
    }
  }

  return {
    posteriors,
    recognise: async (features, t_start, terms = []) => {
      if (features.frames < LEAST_FRAMES) return []
      const heard = await posteriors(features)
      const found = wordsOf(heard, decode(heard, tokens, counts, terms), tokens)
      const last = t_start + ((features.frames - 1) * HOP) / SAMPLE_RATE
      const words: Array<Word> = []
      for (const { confidence, from, text, to } of found) {
        const begins = t_start + from * FRAME_SECONDS - LATENCY_SECONDS
        words.push({
          t_start: roundSeconds(Math.max(words.at(-1)?.t_end ?? t_start, begins)),
          t_end: roundSeconds(Math.min(last, t_start + to * FRAME_SECONDS)),
          text,
          confidence: Math.round(confidence * 1000) / 1000
        })
      }
      return words
    },
    [Symbol.asyncDispose]: () => session.dispose()
  }
}

/** Token ids: by the word counts where there are any, else the best letter of every frame. */
const decode = (
  heard: Posteriors,
  tokens: CtcTokens,
  counts: WordCounts | null,
  terms: ReadonlyArray<string>
): Array<number> =>
  counts === null
    ? bestPath(heard, tokens.blank)
    : beamSearch(heard, tokens.blank, makeWordScorer(counts, tokens, terms))
