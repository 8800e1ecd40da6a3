import { setImmediate as turn } from "node:timers/promises"
import { OnnxModelError, type OnnxSession, type OnnxTensor, openSession } from "../../onnx/OnnxSession.ts"
import { SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"

const START = 1
const END = 2
/** More than this in a second of sound is a decoder that goes round in circles: the limit of its makers. */
const TOKENS_A_SECOND = 6.5
/** Tokens between two turns of the event loop: some 50 milliseconds. */
const TOKENS_A_TURN = 4
/**
 * A decoder that ends before its first token has mostly heard no speech, but of clear sentences of the samples it did so too (by where the
 * slice began). Begun by its second choice, clear speech came out at 0.9 and more, and of 70 such slices of speech in noise none above 0.77.
 */
const SURE_AFTER_AN_END = 0.8
/** So many times one phrase right after itself is the decoder's own doing. */
const MOST_REPEATS = 4
const LONGEST_PHRASE = 12

/** A token as the decoder chose it, with the natural logarithm of its probability. */
export interface MoonshineToken {
  readonly id: number
  readonly log_probability: number
}

export interface MoonshineNetwork extends AsyncDisposable {
  /** The likeliest tokens of a sound of 16 kHz. Rejects with the signal's reason when it is aborted, after the token at hand. */
  readonly tokens: (samples: Float32Array, signal?: AbortSignal) => Promise<ReadonlyArray<MoonshineToken>>
}

/** Index of the largest value, and the natural logarithm of its share. */
const likeliest = (logits: Float32Array): MoonshineToken => {
  let best = 0
  for (let at = 1; at < logits.length; at++) if (logits[at]! > logits[best]!) best = at
  let sum = 0
  for (let at = 0; at < logits.length; at++) sum += Math.exp(logits[at]! - logits[best]!)
  return { id: best, log_probability: -Math.log(sum) }
}

/** Geometric mean of the probabilities of tokens. */
export const certainty = (tokens: ReadonlyArray<MoonshineToken>): number =>
  Math.exp(tokens.reduce((sum, { log_probability }) => sum + log_probability, 0) / tokens.length)

/** How many tokens at the end only say again what is before them, where one phrase stands more than `MOST_REPEATS` times. */
export const repeatedTail = (ids: ReadonlyArray<number>): number => {
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    let same = 0
    while (same + length < ids.length && ids[ids.length - 1 - same] === ids[ids.length - 1 - same - length]) same++
    if (same >= length * MOST_REPEATS) return same
  }
  return 0
}

/**
 * Opens Moonshine (Jeffries, N. et al., 2024: Moonshine: speech recognition for live transcription and voice commands): an encoder of the
 * wave itself and a decoder that writes one token after the other, the likeliest each time. Throws `OnnxModelError` when a
 * file cannot be loaded or has another layout.
 */
export const openMoonshineNetwork = async (encoder_path: string, decoder_path: string): Promise<MoonshineNetwork> => {
  const encoder = await openSession(encoder_path)
  const decoder = await openSession(decoder_path)
  const caches = decoder.inputs.filter((name) => name.startsWith("past_key_values."))
  const { heads, width } = cacheShape(decoder, caches)

  const empty: OnnxTensor = { data: new Float32Array(0), dims: [0, heads, 1, width] }

  const tokens: MoonshineNetwork["tokens"] = async (samples, signal) => {
    const { last_hidden_state } = await encoder.run({ input_values: { data: samples, dims: [1, samples.length] } })
    if (last_hidden_state === undefined) throw new OnnxModelError(`${encoder_path} is no encoder of Moonshine`)
    const most = Math.ceil((samples.length / SAMPLE_RATE) * TOKENS_A_SECOND)
    const heard: Array<MoonshineToken> = []
    const ids: Array<number> = []
    const past: Record<string, OnnxTensor> = Object.fromEntries(caches.map((name) => [name, empty]))
    let ended_at_once = false
    for (let last = START; heard.length < most;) {
      const first = heard.length === 0
      const results = await decoder.run({
        input_ids: { data: BigInt64Array.of(BigInt(last)), dims: [1, 1] },
        encoder_hidden_states: last_hidden_state,
        use_cache_branch: { data: Uint8Array.of(first ? 0 : 1), dims: [1] },
        ...past
      })
      const logits = results["logits"]!.data as Float32Array
      let token = likeliest(logits)
      if (first && token.id === END) {
        ended_at_once = true
        logits[END] = -Infinity
        token = likeliest(logits)
      }
      if (token.id === END) break
      heard.push(token)
      ids.push(last = token.id)
      const repeated = repeatedTail(ids)
      if (repeated > 0) return heard.slice(0, heard.length - repeated)
      for (const name of caches) {
        // What the decoder sees of the sound is computed with the first token and stays.
        if (first || name.includes(".decoder.")) past[name] = results[name.replace("past_key_values", "present")]!
      }
      if (heard.length % TOKENS_A_TURN === 0) {
        await turn()
        signal?.throwIfAborted()
      }
    }
    return ended_at_once && certainty(heard) < SURE_AFTER_AN_END ? [] : heard
  }

  return {
    tokens,
    [Symbol.asyncDispose]: async () => {
      await encoder.dispose()
      await decoder.dispose()
    }
  }
}

/** Of an export's caches, `[batch, heads, length, width]`. */
const cacheShape = (decoder: OnnxSession, caches: ReadonlyArray<string>) => {
  const [, heads, , width] = decoder.shapeOf(caches[0] ?? "") ?? []
  if (typeof heads !== "number" || typeof width !== "number") {
    throw new OnnxModelError("The decoder of Moonshine tells no shape of its caches")
  }
  return { heads, width }
}
