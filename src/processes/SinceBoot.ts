import { Clock, Effect } from "effect"

/** Milliseconds by a clock that nobody sets: by one that goes back, what is kept for a time would be kept for as long. */
export const sinceBoot = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))
