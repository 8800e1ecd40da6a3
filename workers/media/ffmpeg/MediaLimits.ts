import { sourceLimits } from "../../../src/sources/SourceLimits.ts"

/** What one source may cost. A source beyond a limit fails with a typed code; it is never cut silently. */
export interface MediaLimits {
  readonly max_bytes: number
  /** `SOURCE_MAX_SECONDS`. Ten hours of sound are 1.15 GB of samples on disk until the job is erased. */
  readonly max_duration_seconds: number
  readonly max_pixels: number
  readonly max_streams: number
  /** Longest side of the frames that models see. 1280 reads 12 px text of a 1080p slide; 1920 costs 20 to 60 % more. */
  readonly max_frame_side: number
}

export const defaultLimits: MediaLimits = {
  max_bytes: sourceLimits.bytes,
  max_duration_seconds: sourceLimits.duration_seconds,
  max_pixels: sourceLimits.pixels,
  max_streams: sourceLimits.streams,
  max_frame_side: 1280
}

export const PCM_RATE = 16_000
