import llamaTokenizer from "llama-tokenizer-js"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Word } from "../../../src/artifacts/Transcript.ts"
import { makeBatcher } from "../../onnx/Batcher.ts"
import type { Device } from "../../onnx/Device.ts"
import {
  type HeardSlice,
  onlyLanguage,
  type RecognisedSlice,
  type Recogniser,
  type RecogniserHints
} from "../asr/Recogniser.ts"
import { readTokens, WORD_MARK } from "../ctc/CtcTokens.ts"
import { correctTerms } from "../ctc/TermCorrection.ts"
import { alignWords } from "../ctc/WordAlignment.ts"
import { HOP, SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import type { SoundSlice } from "../dsp/SoundSlice.ts"
import { openCtcNetwork, SUBSAMPLING } from "./CtcNetwork.ts"
import { LATENCY_SECONDS, OVERHANG_SECONDS } from "./CtcRecogniser.ts"
import { certainty, type MoonshineToken, openMoonshineNetwork } from "./MoonshineNetwork.ts"
import { wordsOfText } from "./TokenWords.ts"

/** Shorter sounds hold no word. */
const LEAST_SECONDS = 0.16

export interface MoonshineFiles {
  readonly encoder: string
  readonly decoder: string
  /** A CTC network of letters that hears when each word is said, with its token table. */
  readonly aligner: string
  readonly letters: string
}

export interface MoonshineOptions {
  readonly name: string
  /** Of the stack file: `languages`. Its confidence needs no calibration: of words it was off by 0.027 on LibriSpeech test-other. */
  readonly options: Readonly<Record<string, unknown>>
  readonly device?: Device
}

interface Sound {
  readonly tenant_id: string
  readonly length: number
  readonly samples: Float32Array
  readonly signal: AbortSignal | undefined
}

interface WrittenWord {
  readonly text: string
  readonly confidence: number
}

/** Words as the decoder wrote them, cut where a token begins with a space, each as sure as its tokens in the geometric mean. */
export const writtenWords = (tokens: ReadonlyArray<MoonshineToken>): ReadonlyArray<WrittenWord> => {
  const runs: Array<Array<MoonshineToken>> = []
  for (const token of tokens) {
    if (runs.length === 0 || llamaTokenizer.vocabById[token.id]?.startsWith(WORD_MARK) === true) runs.push([])
    runs.at(-1)!.push(token)
  }
  return runs.flatMap((run) => {
    const text = llamaTokenizer.decode(run.map(({ id }) => id), false, false).trim()
    if (text === "") return []
    return [{ text, confidence: Math.round(certainty(run) * 1000) / 1000 }]
  })
}

/**
 * Opens Moonshine, which writes sentences and tells no times, beside a CTC network that finds each word in the sound by forced alignment.
 * Slices are heard one at a time, tenants in turn. Throws
 * `OnnxModelError` when a file cannot be loaded.
 */
export const openMoonshineRecogniser = async (
  files: MoonshineFiles,
  { device, name, options }: MoonshineOptions
): Promise<Recogniser> => {
  const letters = readTokens(files.letters)
  const language = onlyLanguage(options)
  const network = await openMoonshineNetwork(files.encoder, files.decoder)
  const aligner = await openCtcNetwork(files.aligner, device === undefined ? {} : { device })
  const frame_seconds = (SUBSAMPLING * HOP) / SAMPLE_RATE

  const turns = makeBatcher<Sound, ReadonlyArray<MoonshineToken>>(
    { items: 1, frames: 1, pad: (length) => length },
    async ({ items: [sound] }) => [await network.tokens(sound!.samples, sound!.signal)]
  )

  const timed = (
    slice: SoundSlice,
    { posteriors, t_end }: HeardSlice,
    written: ReadonlyArray<WrittenWord>
  ): ReadonlyArray<Word> => {
    const aligned = alignWords(posteriors, letters, written.map(({ text }) => text))
    if (aligned === null) {
      const shares = wordsOfText(written.map(({ text }) => text).join(" "), slice.speech)
      return shares.map(({ t_end, t_start, text }, at) => ({
        t_start,
        t_end,
        text,
        confidence: written[at]!.confidence
      }))
    }
    const words: Array<Word> = []
    for (const [at, { from, to }] of aligned.entries()) {
      const begins = Math.max(
        words.at(-1)?.t_end ?? slice.t_start,
        slice.t_start + from * frame_seconds - LATENCY_SECONDS
      )
      const t_start = roundSeconds(Math.min(begins, t_end))
      const ends = Math.min(t_end, slice.t_start + to * frame_seconds - OVERHANG_SECONDS)
      words.push({ t_start, t_end: Math.max(t_start, roundSeconds(ends)), ...written[at]! })
    }
    return words
  }

  const again: NonNullable<Recogniser["again"]> = ({ posteriors, t_start }, terms, words) =>
    correctTerms({ posteriors, t_start, frame_seconds, latency_seconds: LATENCY_SECONDS }, letters, words, terms)

  const hear = async (slice: SoundSlice, hints: RecogniserHints): Promise<RecognisedSlice> => {
    const { samples } = slice
    if (samples.length < LEAST_SECONDS * SAMPLE_RATE) return { words: [], language }
    const { signal, tenant_id = "" } = hints
    const tokens = await turns.submit({ tenant_id, length: 1, samples, signal }, signal)
    const written = writtenWords(tokens)
    if (written.length === 0) return { words: [], language }
    const { t_start } = slice
    const posteriors = await aligner.posteriors(slice.features(), hints)
    const heard = { posteriors, t_start, t_end: t_start + samples.length / SAMPLE_RATE }
    return { words: again(heard, hints.terms, timed(slice, heard, written)), language, heard }
  }

  return {
    name,
    cased: true,
    // What writes the words: its weights are quantised at run time, which GPU providers leave to the CPU. The aligner may run elsewhere.
    execution_provider: "cpu",
    recognise: async (slices, hints) => {
      const heard: Array<RecognisedSlice> = []
      for (const slice of slices) {
        hints.signal?.throwIfAborted()
        heard.push(await hear(slice, hints))
      }
      return heard
    },
    again,
    [Symbol.asyncDispose]: async () => {
      await network[Symbol.asyncDispose]()
      await aligner[Symbol.asyncDispose]()
    }
  }
}
