import { setImmediate as turn } from "node:timers/promises"
import type { Word } from "../../../src/artifacts/Transcript.ts"
import { makeBatcher } from "../../onnx/Batcher.ts"
import type { Device } from "../../onnx/Device.ts"
import { OnnxModelError, type OnnxTensor, openSession } from "../../onnx/OnnxSession.ts"
import { onlyLanguage, type RecognisedSlice, type Recogniser, type RecogniserHints } from "../asr/Recogniser.ts"
import { readTokens, WORD_MARK, writesSentences } from "../ctc/CtcTokens.ts"
import { HOP, logMel, normalise, SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import type { SoundSlice } from "../dsp/SoundSlice.ts"
import { type TimedToken, wordsOfTokens } from "./TokenWords.ts"

/** Fewer feature frames than this hold no word. */
const LEAST_FRAMES = 16
/** A network that says more at one frame goes round in circles: NeMo's own limit. */
const MOST_AT_A_FRAME = 10
/** Frames between two turns of the event loop: a few milliseconds of the joint network. */
const FRAMES_A_TURN = 50
/** Of each of the two states of the prediction network, as NeMo's Parakeet has them. */
const STATE = { layers: 2, width: 640 } as const

export interface TdtOptions {
  readonly name: string
  /** Of the stack file: `languages`, `bins` (128), `subsampling` (8), `state_layers` and `state_width`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly device?: Device
}

interface Sound {
  readonly tenant_id: string
  readonly length: number
  readonly samples: Float32Array
}

/** The states of all frames, row-major `[width, frames]`. */
interface Encoded {
  readonly data: Float32Array
  readonly width: number
  readonly columns: number
  readonly frames: number
}

/** A token as the decoder found it: at which frame, for how many, and how likely. */
interface TdtToken {
  readonly id: number
  readonly frame: number
  readonly frames: number
  readonly log_probability: number
}

const numberOr = (value: unknown, otherwise: number): number => typeof value === "number" ? value : otherwise

const argmax = (values: Float32Array, from: number, to: number): number => {
  let best = from
  for (let at = from + 1; at < to; at++) if (values[at]! > values[best]!) best = at
  return best - from
}

/** Natural logarithm of the probability of one of the values `[0, to)`. */
const logProbability = (values: Float32Array, to: number, id: number): number => {
  let most = -Infinity
  for (let at = 0; at < to; at++) most = Math.max(most, values[at]!)
  let sum = 0
  for (let at = 0; at < to; at++) sum += Math.exp(values[at]! - most)
  return values[id]! - most - Math.log(sum)
}

/**
 * Opens a token-and-duration transducer (Xu, H. et al., 2023: Efficient sequence transduction by jointly predicting tokens and
 * durations) as `onnx-asr` exports NeMo's: an encoder and one network for prediction and joint. Slices are encoded one at a
 * time, tenants in turn, and decoded greedily: the likeliest token at a frame, then as many frames on as the likeliest
 * duration says; a blank leaves the state as it is. Throws `OnnxModelError` when a file cannot be loaded.
 */
export const openTdtRecogniser = async (
  files: { readonly encoder: string; readonly decoder: string; readonly tokens: string },
  { device, name, options }: TdtOptions
): Promise<Recogniser> => {
  const { blank, texts } = readTokens(files.tokens)
  const bins = numberOr(options["bins"], 128)
  const frame_seconds = numberOr(options["subsampling"], 8) * HOP / SAMPLE_RATE
  const layers = numberOr(options["state_layers"], STATE.layers)
  const width = numberOr(options["state_width"], STATE.width)
  const language = onlyLanguage(options)
  const encoder = await openSession(files.encoder, device === undefined ? {} : { device })
  const decoder = await openSession(files.decoder)

  const encode = async ({ samples }: Sound): Promise<Encoded> => {
    const { data, frames } = normalise(logMel(samples, bins), bins)
    const { encoded_lengths, outputs } = await encoder.run({
      audio_signal: { data, dims: [1, bins, frames] },
      length: { data: BigInt64Array.of(BigInt(frames)), dims: [1] }
    })
    if (outputs === undefined || encoded_lengths === undefined) {
      throw new OnnxModelError(`The encoder of ${name} has not the outputs of a transducer`)
    }
    const [, rows, columns] = outputs.dims as readonly [number, number, number]
    return {
      data: outputs.data as Float32Array,
      width: rows,
      columns,
      frames: Math.min(columns, Number(encoded_lengths.data[0]))
    }
  }

  const step = async (
    { columns, data, width: rows }: Encoded,
    at: number,
    last: number,
    states: readonly [OnnxTensor, OnnxTensor]
  ) => {
    const frame = new Float32Array(rows)
    for (let row = 0; row < rows; row++) frame[row] = data[row * columns + at]!
    const results = await decoder.run({
      encoder_outputs: { data: frame, dims: [1, rows, 1] },
      targets: { data: Int32Array.of(last), dims: [1, 1] },
      target_length: { data: Int32Array.of(1), dims: [1] },
      input_states_1: states[0],
      input_states_2: states[1]
    })
    const [first, second] = [results["output_states_1"], results["output_states_2"]]
    if (results["outputs"] === undefined || first === undefined || second === undefined) {
      throw new OnnxModelError(`The decoder of ${name} has not the outputs of a transducer`)
    }
    return { logits: results["outputs"].data as Float32Array, states: [first, second] as const }
  }

  const decode = async (encoded: Encoded, signal: AbortSignal | undefined): Promise<ReadonlyArray<TdtToken>> => {
    const start: OnnxTensor = { data: new Float32Array(layers * width), dims: [layers, 1, width] }
    let states: readonly [OnnxTensor, OnnxTensor] = [start, start]
    let last = blank
    const tokens: Array<TdtToken> = []
    let steps = 0
    for (let at = 0, here = 0; at < encoded.frames;) {
      if (++steps % FRAMES_A_TURN === 0) {
        await turn()
        signal?.throwIfAborted()
      }
      const { logits, states: next } = await step(encoded, at, last, states)
      const id = argmax(logits, 0, texts.length)
      const skip = argmax(logits, texts.length, logits.length)
      if (id !== blank) {
        tokens.push({
          id,
          frame: at,
          frames: Math.max(1, skip),
          log_probability: logProbability(logits, texts.length, id)
        })
        states = next
        last = id
        here++
      }
      const stuck = skip === 0 && (id === blank || here >= MOST_AT_A_FRAME)
      if (skip > 0 || stuck) here = 0
      at += stuck ? 1 : skip
    }
    return tokens
  }

  const turns = makeBatcher<Sound, Encoded>(
    { items: 1, frames: 1, pad: (length) => length },
    async ({ items: [sound] }) => [await encode(sound!)]
  )

  const hear = async (slice: SoundSlice, { signal, tenant_id = "" }: RecogniserHints): Promise<RecognisedSlice> => {
    const { samples, t_start } = slice
    if (samples.length < LEAST_FRAMES * HOP) return { words: [], language }
    const encoded = await turns.submit({ tenant_id, length: 1, samples }, signal)
    const pieces = (await decode(encoded, signal)).map(({ frame, frames, id, log_probability }): TimedToken => ({
      text: texts[id]!.replaceAll(WORD_MARK, " "),
      t_start: t_start + frame * frame_seconds,
      t_end: t_start + (frame + frames) * frame_seconds,
      log_probability
    }))
    const words: ReadonlyArray<Word> = wordsOfTokens(pieces, { t_start, t_end: t_start + samples.length / SAMPLE_RATE })
    return { words, language }
  }

  return {
    name,
    cased: writesSentences(texts),
    execution_provider: encoder.execution_provider,
    recognise: async (slices, hints) => {
      const heard: Array<RecognisedSlice> = []
      for (const slice of slices) {
        hints.signal?.throwIfAborted()
        heard.push(await hear(slice, hints))
      }
      return heard
    },
    [Symbol.asyncDispose]: async () => {
      await encoder.dispose()
      await decoder.dispose()
    }
  }
}
