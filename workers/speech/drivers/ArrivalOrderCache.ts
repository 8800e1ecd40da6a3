/** How many frames the network is shown again, and which of them are worth keeping. */
export interface CachePolicy {
  /** Frames of the speakers so far, and of the time just before. */
  readonly cache_frames: number
  readonly recent_frames: number
  /** So many recent frames go over to the cache at once, when there are too many. */
  readonly moved_frames: number
}

/** What one step of the network gave: one row per frame of what it was shown, cached ones first. */
export interface CachedStep {
  /** Of the new frames alone; of these only the first `fresh` are done with. */
  readonly embeds: Float32Array
  readonly fresh: number
  /** Row-major `[frames, channels]`, of the cached and the new frames. */
  readonly probabilities: Float32Array
  /** What the network takes for silence. */
  readonly silence: Float32Array
}

/** Frames per channel that stand for silence, so that a cache of one speaker does not look like a room without pauses. */
const SILENT_FRAMES = 1
/** Logarithms of probabilities are taken of no less than this: one frame that is sure of itself must not outweigh many. */
const LEAST_PROBABILITY = 0.25
/** What frames that came last are worth more. */
const LATEST = 0.05
/** Shares of a channel's part of the cache: of frames it has alone that push out those it shares, and of frames worth more. */
const ALONE_SHARE = 0.5
const SURE_SHARE = 0.75
const LIKELY_SHARE = 1.5

/**
 * What a Sortformer network is shown beside the newest sound: frames of every speaker so far, in the order in which the
 * speakers came, and the frames just before (the arrival-order speaker cache of Medennikov, I. et al., 2025: Streaming
 * Sortformer, and of `Nemotron3DiarizationSpeakerCache` in Hugging Face's transformers, whose constants these are). It holds
 * `cache_frames + recent_frames` rows at most, however long the sound is, and depends on the steps alone.
 */
export const makeArrivalOrderCache = (
  { channels, policy, width }: { readonly channels: number; readonly policy: CachePolicy; readonly width: number }
) => {
  const share = Math.floor(policy.cache_frames / channels) - SILENT_FRAMES
  let cached = new Float32Array(0)
  /** Of the cached frames, once these are no longer one after the other and the network cannot be asked again. */
  let kept: Float32Array | null = null
  let recent = new Float32Array(0)

  const rows = (embeds: Float32Array) => embeds.length / width

  const push = ({ embeds, fresh, probabilities, silence }: CachedStep): void => {
    const before = rows(cached)
    recent = joined(recent, embeds.subarray(0, fresh * width))
    const waiting = rows(recent)
    if (waiting <= policy.recent_frames) return
    const moved = Math.min(waiting, Math.max(policy.moved_frames, waiting - policy.recent_frames))
    const frames = joined(cached, recent.subarray(0, moved * width))
    recent = recent.slice(moved * width)
    const known = probabilities.slice(0, (before + moved) * channels)
    if (kept !== null) known.set(kept)
    if (before + moved <= policy.cache_frames) {
      cached = frames
      return
    }
    const chosen = bestFrames(known, { channels, share, room: policy.cache_frames })
    cached = new Float32Array(policy.cache_frames * width)
    kept = new Float32Array(policy.cache_frames * channels)
    for (let at = 0; at < policy.cache_frames; at++) {
      const frame = chosen[at] ?? null
      if (frame === null) cached.set(silence, at * width)
      else {
        cached.set(frames.subarray(frame * width, (frame + 1) * width), at * width)
        kept.set(known.subarray(frame * channels, (frame + 1) * channels), at * channels)
      }
    }
  }

  return { shown: () => joined(cached, recent), push }
}

const joined = (a: Float32Array, b: Float32Array): Float32Array<ArrayBuffer> => {
  const both = new Float32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** Indices of the `count` highest of the numbers that are no `-Infinity`, the earlier of equals, in rising order. */
const highest = (values: Float64Array, count: number): ReadonlyArray<number> =>
  Array.from(values.keys()).filter((at) => values[at]! > -Infinity)
    .toSorted((a, b) => values[b]! - values[a]! || a - b).slice(0, count).toSorted((a, b) => a - b)

/**
 * The frames to keep, channel by channel and in time order within one, null for silence: those that a channel has most
 * surely and most alone.
 */
const bestFrames = (
  probabilities: Float32Array,
  { channels, room, share }: { readonly channels: number; readonly room: number; readonly share: number }
): ReadonlyArray<number | null> => {
  const frames = probabilities.length / channels
  const places = frames + SILENT_FRAMES
  const worth = new Float64Array(channels * places).fill(Infinity)
  for (let channel = 0; channel < channels; channel++) {
    const own = worth.subarray(channel * places, channel * places + frames)
    for (let t = 0; t < frames; t++) own[t] = worthOf(probabilities.subarray(t * channels, (t + 1) * channels), channel)
    const alone = own.reduce((count, value) => count + Number(value > 0), 0)
    if (alone >= Math.floor(share * ALONE_SHARE)) own.forEach((value, t) => own[t] = value > 0 ? value : -Infinity)
    for (let t = room; t < frames; t++) own[t]! += LATEST
    for (const t of highest(own, Math.floor(share * SURE_SHARE))) own[t]! += 2 * Math.LN2
    for (const t of highest(own, Math.floor(share * LIKELY_SHARE))) own[t]! += Math.LN2
  }
  return highest(worth, room).map((at) => at % places < frames ? at % places : null)
}

const log = (probability: number) => Math.log(Math.max(probability, LEAST_PROBABILITY))

/** How surely a frame is a channel's and no other's, in nats; above 0 it is the channel's alone rather than shared. */
const worthOf = (row: Float32Array, channel: number): number => {
  const own = row[channel]!
  if (own <= 0.5) return -Infinity
  const nobody = row.reduce((sum, probability) => sum + log(1 - probability), 0)
  return log(own) - log(1 - own) + nobody + Math.LN2
}
