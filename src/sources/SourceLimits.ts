import { Config } from "effect"

/** What one source may be, whoever looks at it. */
export const sourceLimits = {
  bytes: 10 * 1024 ** 3,
  duration_seconds: 12 * 3600,
  pixels: 36_000_000,
  streams: 64
} as const

/** `SOURCE_MAX_SECONDS`: the longest source that is worked on. */
export const sourceMaxSeconds = Config.Int("SOURCE_MAX_SECONDS").pipe(
  Config.withDefault(sourceLimits.duration_seconds)
)
