import { makeBatcher } from "../../onnx/Batcher.ts"
import { OnnxModelError, type OnnxTensor, openSession } from "../../onnx/OnnxSession.ts"
import type { SpeakerTracker } from "../asr/SpeakerActivity.ts"
import { HOP, logMel, SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import type { PcmFile } from "../dsp/PcmFile.ts"
import { makeArrivalOrderCache } from "./ArrivalOrderCache.ts"

/** Feature frames that a frame of the network stands for: 80 ms. */
const SUBSAMPLING = 8
const FRAME_SECONDS = SUBSAMPLING * HOP / SAMPLE_RATE
/** Feature frames whose windows reach into a stretch from outside; an even number, as the Fourier transform takes two at once. */
const MARGIN = 4
/** Sums and products of one operator on this many threads: the same count gives the same bytes. */
const THREADS = 2

export interface SortformerOptions {
  readonly name: string
  /**
   * Of the stack file, in frames of 80 ms: `chunk_frames` (340) that a step tells of, `context_frames` (40) that it hears
   * beyond, `recent_frames` (40), `moved_frames` (300) and `cache_frames` (264) of the cache; `bins` (128), `width` (512) of
   * a frame within the network and `channels` (8).
   */
  readonly options: Readonly<Record<string, unknown>>
}

interface Step {
  readonly tenant_id: string
  readonly length: number
  readonly features: OnnxTensor
  readonly cached: OnnxTensor
}

/**
 * Opens a Sortformer network (Park, T. et al., 2024; streaming: Medennikov, I. et al., 2025) as `onnx-community` exports
 * NVIDIA's Nemotron-3-Diarization: a graph of one step, which is given features and what is cached, and gives logits of up
 * to eight voices every 10 ms, the embeddings of the new frames and that of silence. The sound is heard in steps, each with a
 * little of what comes after it, tenants in turn; voices are numbered as they come and known again by the cache. Nothing is
 * padded but the last of the network's frames, with zeros as in training, so that every position is one to attend to.
 * Throws `OnnxModelError` when the file cannot be loaded; `track` does where it is no such network.
 */
export const openSortformerTracker = async (
  path: string,
  { name, options }: SortformerOptions
): Promise<SpeakerTracker> => {
  const numberOr = (key: string, otherwise: number) => typeof options[key] === "number" ? options[key] : otherwise
  const [chunk, context] = [numberOr("chunk_frames", 340), numberOr("context_frames", 40)]
  const [bins, channels, width] = [numberOr("bins", 128), numberOr("channels", 8), numberOr("width", 512)]
  const policy = {
    cache_frames: numberOr("cache_frames", 264),
    recent_frames: numberOr("recent_frames", 40),
    moved_frames: numberOr("moved_frames", 300)
  }
  const session = await openSession(path, { threads: THREADS })

  const run = async ({ cached, features }: Step) => {
    const shown = cached.dims[1]!
    const fresh = features.dims[1]! / SUBSAMPLING
    const { chunk_embeds, logits, silence_embeds } = await session.run({
      input_features: features,
      cached_embeds: cached,
      attention_mask: { data: new BigInt64Array(shown + fresh).fill(1n), dims: [1, shown + fresh] }
    })
    if (
      logits?.data.length !== (shown + fresh) * SUBSAMPLING * channels ||
      chunk_embeds?.data.length !== fresh * width || silence_embeds?.data.length !== width
    ) throw new OnnxModelError(`The network ${name} has not the outputs of a step that tells voices apart`)
    return {
      embeds: chunk_embeds.data as Float32Array,
      silence: silence_embeds.data as Float32Array,
      probabilities: pooled(logits.data as Float32Array, channels)
    }
  }
  const turns = makeBatcher<Step, Awaited<ReturnType<typeof run>>>(
    { items: 1, frames: 1, pad: (length) => length },
    async ({ items: [step] }) => [await run(step!)]
  )

  return {
    track: async (pcm, { signal, tenant_id = "" }) => {
      // The last feature frame of a sound is centred at its end and stands for nothing.
      const heard = Math.floor(pcm.samples / HOP)
      const frames = Math.ceil(heard / SUBSAMPLING)
      const probabilities = new Float32Array(frames * channels)
      const cache = makeArrivalOrderCache({ channels, policy, width })
      for (let from = 0; from < frames; from += chunk) {
        signal?.throwIfAborted()
        const fresh = Math.min(chunk, frames - from)
        const to = Math.min(frames, from + fresh + context)
        const features = await featuresOf(pcm, { from: from * SUBSAMPLING, to: to * SUBSAMPLING, heard, bins })
        const shown = cache.shown()
        const step = await turns.submit({
          tenant_id,
          length: 1,
          features: { data: features, dims: [1, (to - from) * SUBSAMPLING, bins] },
          cached: { data: shown, dims: [1, shown.length / width, width] }
        }, signal)
        const first = shown.length / width * channels
        probabilities.set(step.probabilities.subarray(first, first + fresh * channels), from * channels)
        cache.push({ ...step, fresh })
      }
      return { channels, frame_seconds: FRAME_SECONDS, probabilities }
    },
    [Symbol.asyncDispose]: () => session.dispose()
  }
}

/** Probabilities of the network's frames: the means of what it says every 10 ms. */
const pooled = (logits: Float32Array, channels: number): Float32Array => {
  const means = new Float32Array(logits.length / SUBSAMPLING)
  for (let at = 0; at < means.length; at++) {
    const [frame, channel] = [Math.floor(at / channels), at % channels]
    let sum = 0
    for (let k = 0; k < SUBSAMPLING; k++) {
      sum += 1 / (1 + Math.exp(-logits[(frame * SUBSAMPLING + k) * channels + channel]!))
    }
    means[at] = sum / SUBSAMPLING
  }
  return means
}

/** The feature frames `[from, to)` of a whole sound, row-major `[frames, bins]`; zero from `heard` on. */
const featuresOf = async (
  pcm: PcmFile,
  { bins, from, heard, to }: {
    readonly bins: number
    readonly from: number
    readonly heard: number
    readonly to: number
  }
): Promise<Float32Array> => {
  const first = Math.max(0, from - MARGIN)
  const { data, frames } = logMel(await pcm.read(first * HOP, (to + MARGIN) * HOP), bins)
  const rows = new Float32Array((to - from) * bins)
  for (let t = from; t < Math.min(to, heard); t++) {
    for (let bin = 0; bin < bins; bin++) rows[(t - from) * bins + bin] = data[bin * frames + t - first]!
  }
  return rows
}
