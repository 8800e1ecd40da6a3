import { Schema } from "effect"
import { Seconds } from "./Moment.ts"

/** `frame#NNNNNN`: the index of the sampled frame, the same on every run over the same source. */
const FrameRef = Schema.String.check(Schema.isPattern(/^frame#\d{6,}$/u))

/** Frames are sampled at this rate: 1 fps misses builds, 4 fps keeps more transitions and costs twice. */
export const SAMPLES_PER_SECOND = 2

/** One sampled frame; `timestamp` is when the picture that it shows begins, by the container's own clock. Only a kept frame has an image; the others point at it by `cluster`. */
export const Frame = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^frm_\d{6,}$/u)),
  source_ref: FrameRef,
  timestamp: Seconds,
  cluster: Schema.Int,
  phash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/u)),
  kept: Schema.Boolean,
  width: Schema.Int,
  height: Schema.Int
}).annotate({ identifier: "Frame" })
export type Frame = typeof Frame.Type

/** Every sampled frame in time order; `kept` of `sampled` carry new information. */
export const Frames = Schema.Struct({
  visual_branch: Schema.Literals(["present", "absent"]),
  sampled: Schema.Int,
  kept: Schema.Int,
  frames: Schema.Array(Frame)
}).annotate({ identifier: "Frames" })
export type Frames = typeof Frames.Type

export const frameRef = (index: number): string => `frame#${String(index).padStart(6, "0")}`
export const frameId = (index: number): string => `frm_${String(index).padStart(6, "0")}`

/** Two pictures this close, in bits of 64, show the same: the frame selector's own bound for a revisit. */
const sameBits = 6

const distance = (a: string, b: string): number => {
  let bits = 0
  for (let rest = BigInt(`0x${a}`) ^ BigInt(`0x${b}`); rest > 0n; rest &= rest - 1n) bits += 1
  return bits
}

/**
 * From when to when each kept frame stood on screen, by `source_ref`: the unbroken run of samples around it that belong to
 * its cluster and look like it, from when its first picture begins to the moment of its last sample: a picture that stands
 * for a minute is sampled all the while. The run holds the frame itself, so a glimpse starts and ends at its own sample.
 */
export const onScreen = (
  frames: Frames
): ReadonlyMap<string, { readonly t_start: number; readonly t_end: number }> => {
  const samples = frames.frames.toSorted((a, b) => a.timestamp - b.timestamp)
  const moments = new Map<string, { readonly t_start: number; readonly t_end: number }>()
  const before = Math.floor((samples[0]?.timestamp ?? 0) * SAMPLES_PER_SECOND)
  const sampledAt = (at: number) => Math.max(samples[at]!.timestamp, (before + at) / SAMPLES_PER_SECOND)
  for (const [at, frame] of samples.entries()) {
    if (!frame.kept) continue
    const alike = (other: Frame | undefined): boolean =>
      other !== undefined && other.cluster === frame.cluster && distance(other.phash, frame.phash) <= sameBits
    let [first, last] = [at, at]
    while (alike(samples[first - 1])) first -= 1
    while (alike(samples[last + 1])) last += 1
    moments.set(frame.source_ref, { t_start: samples[first]!.timestamp, t_end: sampledAt(last) })
  }
  return moments
}
