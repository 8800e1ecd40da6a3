import { Clock, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** A process's oscillator is off by at most some 100 ppm: a millisecond in this time. */
const syncSeconds = 10

/** An answer that took longer says too little about when it was given. */
const longestRoundTripNanos = 1_000_000_000n

/**
 * A clock that shows the database's time: what it last said, plus what has passed since by a clock that nobody can set. A
 * process whose own clock is wrong or jumps shows the same time as the others; while the database is away it goes on.
 */
export const makeDatabaseClock = (own: Clock.Clock) => {
  /** Database minus monotonic time, in nanoseconds. */
  let offset: bigint | undefined
  const nanos = () => offset === undefined ? own.currentTimeNanosUnsafe() : offset + own.monotonicTimeNanosUnsafe()
  const millis = () => offset === undefined ? own.currentTimeMillisUnsafe() : Number(nanos() / 1_000_000n)
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => own.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: own.monotonicTimeNanos,
    sleep: (duration) => own.sleep(duration)
  }

  /** Asks the database. An answer that does not contradict what is known changes nothing, so that time does not flicker. */
  const sync: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const asked = own.monotonicTimeNanosUnsafe()
    const [row] = yield* sql<{ readonly micros: string }>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text AS micros`
    const took = own.monotonicTimeNanosUnsafe() - asked
    if (offset !== undefined && took > longestRoundTripNanos) return
    const seen = BigInt(row!.micros) * 1000n - asked - took / 2n
    const differs = offset === undefined ? undefined : seen > offset ? seen - offset : offset - seen
    if (differs === undefined || differs > took / 2n) offset = seen
  })
  return { clock, sync }
}

/**
 * Gives everything above it the database's time in place of the process's: leases of limits, idempotency keys, schedules and
 * signatures of deliveries mean the same moment in every process. Until the database has first answered it is the process's own.
 */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.unwrap(Effect.gen(function*() {
  const { clock, sync } = makeDatabaseClock(yield* Clock.Clock)
  yield* Effect.ignore(sync)
  yield* Effect.forkScoped(
    Effect.repeat(
      Effect.ignore(sync, { log: "Debug", message: "The database's time is not known anew; tried again in 10 s" }),
      Schedule.spaced(`${syncSeconds} seconds`)
    )
  )
  return Layer.succeed(Clock.Clock, clock)
}))
