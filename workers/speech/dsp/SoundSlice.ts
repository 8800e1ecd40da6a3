import { type LogMel, logMel, SAMPLE_RATE } from "./FeatureExtractor.ts"
import type { Interval } from "./Interval.ts"

/** One stretch of 16 kHz mono sound as the networks hear it. */
export interface SoundSlice {
  /** In [-1, 1). */
  readonly samples: Float32Array
  /** Seconds from the start of the source to the first sample. */
  readonly t_start: number
  /** Where in it speech is, in seconds of the source. */
  readonly speech: ReadonlyArray<Interval>
  /** Raw log-mel features of the samples, computed when first asked for and then kept. */
  readonly features: () => LogMel
}

/** A slice over samples that nobody changes afterwards; without `speech` all of it is speech. */
export const soundSlice = (samples: Float32Array, t_start: number, speech?: ReadonlyArray<Interval>): SoundSlice => {
  let features: LogMel | undefined
  return {
    samples,
    t_start,
    speech: speech ?? [{ t_start, t_end: t_start + samples.length / SAMPLE_RATE }],
    features: () => features ??= logMel(samples)
  }
}
