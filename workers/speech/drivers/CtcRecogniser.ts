import { setImmediate as turn } from "node:timers/promises"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Word } from "../../../src/artifacts/Transcript.ts"
import type { Device } from "../../onnx/Device.ts"
import { calibrationIn } from "../asr/Calibration.ts"
import {
  type HeardSlice,
  onlyLanguage,
  type RecognisedSlice,
  type Recogniser,
  type RecogniserHints
} from "../asr/Recogniser.ts"
import { beamSearch } from "../ctc/BeamSearch.ts"
import type { Posteriors } from "../ctc/CtcAlignment.ts"
import { bestPath, wordsOf } from "../ctc/CtcDecoder.ts"
import { type CtcTokens, readTokens, writesSentences } from "../ctc/CtcTokens.ts"
import { readWordModel, type WordModel } from "../ctc/WordModel.ts"
import { makeWordScorer } from "../ctc/WordScorer.ts"
import { HOP, type LogMel, SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import type { SoundSlice } from "../dsp/SoundSlice.ts"
import { openCtcNetwork, SUBSAMPLING } from "./CtcNetwork.ts"

/**
 * The first letter's frames begin this long after its word, and the last one's end this long after it: medians of the
 * built-in model over 933 words with known times (`bench/word-times.ts`).
 */
export const LATENCY_SECONDS = 0.08
export const OVERHANG_SECONDS = 0.02
/** Fewer feature frames than this hold no word. */
const LEAST_FRAMES = 16

export interface CtcFiles {
  readonly model: string
  readonly tokens: string
  /** A word model. Without one the decoder takes the best letter of every frame. */
  readonly words?: string
}

export interface CtcOptions {
  readonly name: string
  /**
   * Of the stack file: `languages`, `subsampling` (feature frames per output frame), `latency_seconds` and `calibration`
   * (`Calibration.ts`).
   */
  readonly options: Readonly<Record<string, unknown>>
  readonly device?: Device
}

const numberOr = (value: unknown, otherwise: number): number => typeof value === "number" ? value : otherwise

export interface CtcRecogniser extends Recogniser {
  readonly posteriors: (features: LogMel) => Promise<Posteriors>
}

/**
 * Opens a CTC network of NeMo's layout, one letter or word piece per output frame. Slices wait together for the
 * network, with those of other callers, and each is decoded on its own. Throws `OnnxModelError` when a file cannot be
 * loaded.
 */
export const openCtcRecogniser = async (
  files: CtcFiles,
  { device, name, options }: CtcOptions
): Promise<CtcRecogniser> => {
  const tokens = readTokens(files.tokens)
  const model = files.words === undefined ? null : readWordModel(files.words)
  const language = onlyLanguage(options)
  const subsampling = numberOr(options["subsampling"], SUBSAMPLING)
  const latency_seconds = numberOr(options["latency_seconds"], LATENCY_SECONDS)
  const calibration = calibrationIn(options)
  const frame_seconds = (subsampling * HOP) / SAMPLE_RATE
  const network = await openCtcNetwork(files.model, { subsampling, ...(device === undefined ? {} : { device }) })

  const wordsIn = ({ posteriors, t_end, t_start }: HeardSlice, terms: ReadonlyArray<string>): Array<Word> => {
    const decoded = wordsOf(posteriors, decode(posteriors, tokens, model, terms), tokens)
    const words: Array<Word> = []
    for (const { confidence, from, text, to } of decoded) {
      const begins = t_start + from * frame_seconds - latency_seconds
      words.push({
        t_start: roundSeconds(Math.max(words.at(-1)?.t_end ?? t_start, begins)),
        t_end: roundSeconds(Math.min(t_end, t_start + to * frame_seconds - OVERHANG_SECONDS)),
        text,
        confidence: Math.round(confidence * 1000) / 1000
      })
    }
    return words
  }

  const hear = async (slice: SoundSlice, hints: RecogniserHints): Promise<RecognisedSlice> => {
    const features = slice.features()
    if (features.frames < LEAST_FRAMES) return { words: [], language }
    const posteriors = await network.posteriors(features, hints)
    const { t_start } = slice
    const heard = { posteriors, t_start, t_end: t_start + ((features.frames - 1) * HOP) / SAMPLE_RATE }
    return { words: wordsIn(heard, hints.terms), language, ...(model === null ? {} : { heard }) }
  }

  return {
    name,
    cased: writesSentences(tokens.texts),
    ...(calibration === null ? {} : { calibration }),
    execution_provider: network.execution_provider,
    posteriors: network.posteriors,
    recognise: async (slices, hints) => {
      const heard: Array<Promise<RecognisedSlice>> = []
      for (const slice of slices) {
        hints.signal?.throwIfAborted()
        heard.push(hear(slice, hints))
        // Reported below; until then it must not count as forgotten.
        heard.at(-1)!.catch(() => {})
        // The next slice's features are computed while others' runs and cancellations get their turn.
        await turn()
      }
      return Promise.all(heard)
    },
    ...(model === null ? {} : { again: wordsIn }),
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]()
  }
}

/** Token ids: by the word model where there is one, else the best letter of every frame. */
const decode = (
  heard: Posteriors,
  tokens: CtcTokens,
  model: WordModel | null,
  terms: ReadonlyArray<string>
): Array<number> =>
  model === null
    ? bestPath(heard, tokens.blank)
    : beamSearch(heard, tokens.blank, makeWordScorer(model, tokens, terms))
