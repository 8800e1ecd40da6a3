import { intFrom } from "../observability/Configuration.ts"

/** How long an upload is kept once it is whole, and how long an unfinished one waits for its next byte. */
export const uploadLifetime = { lifetime_seconds: 7 * 86_400, unfinished_seconds: 86_400 } as const

/** What one source may be, whoever looks at it. */
export const sourceLimits = {
  bytes: 10 * 1024 ** 3,
  duration_seconds: 12 * 3600,
  pixels: 36_000_000,
  streams: 64
} as const

/** `SOURCE_MAX_SECONDS`: the longest source that is worked on. */
export const sourceMaxSeconds = intFrom("SOURCE_MAX_SECONDS", 1, sourceLimits.duration_seconds, "longest source")
