import { Cause, Clock, Effect, Metric } from "effect"

const failures = Metric.counter("footnote_background_failures_total", {
  description: "Work that nobody waits for and that failed, by what it was.",
  incremental: true
})

/** A loop that fails every second is told of once in this time. */
const quietNanos = 60_000_000_000n

/**
 * Lets work fail that nobody waits for: each failure is counted, and the first is logged with its cause, with what happens next
 * and with the ids given; those within the minute after it are told of by their number in the next line. An interruption is no
 * failure. One call is one piece of work: where it is repeated, make it outside of the loop.
 */
export const tolerated = (
  work: string,
  next: string,
  ids: Readonly<Record<string, string>> = {}
): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<void, never, R> => {
  let told: bigint | undefined
  let untold = 0
  const tell = Effect.fnUntraced(function*(cause: Cause.Cause<unknown>) {
    yield* Metric.update(Metric.withAttributes(failures, { work }), 1)
    const now = yield* Clock.monotonicTimeNanos
    if (told !== undefined && now - told < quietNanos) {
      untold++
      return
    }
    const more = untold === 0 ? {} : { failures_since_last_line: untold }
    told = now
    untold = 0
    yield* Effect.logWarning(`${work} failed; ${next}`, cause).pipe(Effect.annotateLogs({ ...ids, ...more }))
  })
  return (effect) =>
    Effect.matchCauseEffect(effect, {
      onSuccess: () => Effect.void,
      onFailure: (cause) => Cause.hasInterruptsOnly(cause) ? Effect.void : tell(cause)
    })
}
