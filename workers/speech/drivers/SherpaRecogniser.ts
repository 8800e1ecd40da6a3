import type { Word } from "../../../src/artifacts/Transcript.ts"
import { modelBeingOpened, runningModel } from "../../compute/CallSpans.ts"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"
import type { RecognisedSlice, Recogniser, RecogniserHints } from "../asr/Recogniser.ts"
import { readTokens, writesSentences } from "../ctc/CtcTokens.ts"
import { SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import type { SoundSlice } from "../dsp/SoundSlice.ts"
import { collectGarbage, loadSherpa, type SherpaRecognizer, type SherpaResult } from "./Sherpa.ts"
import { checkedModel, type SherpaModel } from "./SherpaModel.ts"
import { wordsOfText, wordsOfTokens } from "./TokenWords.ts"

/** A sound shorter than this holds no word, and some networks fail on fewer frames than one of their own steps. */
const LEAST_SAMPLES = 0.16 * SAMPLE_RATE
/** How long a token sounds at most where the model tells only when it begins: about two letters. */
const LONGEST_TOKEN_SECONDS = 0.15

export interface SherpaOptions {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** `type`, `languages` and `threads` of the stack file. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Opens a recogniser of `sherpa-onnx-node`: NeMo transducers (TDT with durations), NeMo CTC or Whisper, by the option
 * `type`. Slices are run one at a time, their networks on a thread of its own; their features hold up the process, for
 * Whisper by up to a tenth of the sound's length. Word times are the tokens' where the model has them; Whisper mostly has
 * none, and its words share out the slice's speech by their letters. Confidences are the tokens' probabilities, and 0.5
 * where the engine tells none. Expected terms are not favoured. Throws `OnnxModelError`, naming the file, when one cannot
 * be used: the engine ends its whole process over some of them, so they are checked first.
 */
export const openSherpaRecogniser = async ({ files, name, options }: SherpaOptions): Promise<Recogniser> => {
  const model = await checkedModel(name, files, options)
  const cased = model.whisper || writesSentences(readTokens(model.tokens).texts)
  const sherpa = await loadSherpa()
  const config = (language: string) => ({
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: {
      ...model.config(language),
      tokens: model.tokens,
      numThreads: typeof options["threads"] === "number" ? options["threads"] : 1,
      provider: "cpu",
      debug: 0
    }
  })
  const opened = modelBeingOpened()
  let engine: SherpaRecognizer | undefined
  try {
    engine = await sherpa.OfflineRecognizer.createAsync(config(""))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OnnxModelError(`The model ${name} cannot be opened: ${reason}`, { cause })
  }
  let told = ""
  /** The language is a setting of the whole engine, and one run at a time bounds its memory. */
  let turn: Promise<unknown> = Promise.resolve()

  const hear = async (slice: SoundSlice, hints: RecogniserHints): Promise<RecognisedSlice> => {
    hints.signal?.throwIfAborted()
    if (engine === undefined) throw new OnnxModelError(`The model ${name} has been closed`)
    if (slice.samples.length < LEAST_SAMPLES) return { words: [], language: languageOf(model, hints, "") }
    const language = hints.language !== null && model.languages.has(hints.language) ? hints.language : ""
    if (model.whisper && language !== told) {
      engine.setConfig(config(language))
      told = language
    }
    const stream = engine.createStream()
    stream.acceptWaveform({ samples: slice.samples, sampleRate: SAMPLE_RATE })
    const open = engine
    const result = await runningModel(opened, 1, () => open.decodeAsync(stream))
    return { words: wordsOf(result, slice), language: languageOf(model, hints, result.lang) }
  }

  return {
    name,
    cased,
    execution_provider: "cpu",
    recognise: async (slices, hints) => {
      const heard: Array<RecognisedSlice> = []
      for (const slice of slices) {
        const run = turn.then(() => hear(slice, hints))
        turn = run.catch(() => {})
        heard.push(await run)
      }
      return heard
    },
    [Symbol.asyncDispose]: async () => {
      await turn
      engine = undefined
      collectGarbage()
    }
  }
}

/** What the model heard, else what the caller said, else the only one that it knows. */
const languageOf = ({ only }: SherpaModel, { language }: RecogniserHints, heard: string): string | null =>
  heard !== "" ? heard : language ?? only

const wordsOf = (
  { durations = [], text, timestamps = [], tokens, ys_log_probs = [] }: SherpaResult,
  slice: SoundSlice
): Array<Word> => {
  const timed = tokens.length > 0 && timestamps.length === tokens.length
  // Tokens may be parts of a letter's bytes, which only the engine's own text puts together.
  if (!timed || plain(tokens.join("")) !== plain(text)) return wordsOfText(text, slice.speech)
  const t_end = slice.t_start + slice.samples.length / SAMPLE_RATE
  const pieces = tokens.map((token, i) => {
    const from = timestamps[i]!
    const lasts = durations.length === tokens.length
      ? durations[i]!
      : Math.min(LONGEST_TOKEN_SECONDS, (timestamps[i + 1] ?? Infinity) - from)
    return {
      text: token,
      t_start: slice.t_start + from,
      t_end: slice.t_start + from + lasts,
      log_probability: ys_log_probs.length === tokens.length ? ys_log_probs[i]! : null
    }
  })
  return wordsOfTokens(pieces, { t_start: slice.t_start, t_end })
}

const plain = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()
