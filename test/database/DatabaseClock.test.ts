import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import * as DatabaseClock from "../../src/database/DatabaseClock.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const hour = 3_600_000

/** The machine's clock as somebody sets it; the monotonic one cannot be set. */
const settable = (live: Clock.Clock) => {
  let shift = 0
  const own: Clock.Clock = {
    ...live,
    currentTimeMillisUnsafe: () => live.currentTimeMillisUnsafe() + shift,
    currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe() + BigInt(shift) * 1_000_000n,
    monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
    sleep: (duration) => live.sleep(duration)
  }
  return { own, set: (millis: number) => void (shift = millis) }
}

/** How far the clock is off the database's, at most. */
const error = (clock: Clock.Clock) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const before = clock.currentTimeMillisUnsafe()
    const [row] = yield* sql<{ readonly millis: number }>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`
    const after = clock.currentTimeMillisUnsafe()
    return Math.max(before - row!.millis, row!.millis - after, 0)
  })

const TestLayer = Layer.unwrap(
  Effect.map(Effect.promise(TestDatabase.create), (url) => Database.layerUrl(url, { maxConnections: 2 }))
).pipe(Layer.provide(NodeServices.layer))

layer(TestLayer, { excludeTestServices: true })("the database's clock", (it) => {
  describe("in a process", () => {
    it.effect("is the database's, however wrong the process's own is, and stays so when that jumps", () =>
      Effect.gen(function*() {
        const live = yield* Clock.Clock
        const { own, set } = settable(live)
        for (const wrong of [hour, -hour]) {
          set(wrong)
          const { clock, sync } = DatabaseClock.makeDatabaseClock(own)
          assert.strictEqual(
            Math.round((clock.currentTimeMillisUnsafe() - live.currentTimeMillisUnsafe()) / hour),
            wrong / hour
          )
          yield* sync
          // What a round trip of a busy machine leaves open.
          assert.isBelow(yield* error(clock), 1000)
          set(-wrong)
          assert.isBelow(yield* error(clock), 1000)
          yield* sync
          assert.isBelow(yield* error(clock), 1000)
          assert.strictEqual(
            Math.round((own.currentTimeMillisUnsafe() - live.currentTimeMillisUnsafe()) / hour),
            -wrong / hour
          )
        }
      }))

    it.effect("is what every effect above the layer reads", () =>
      Effect.gen(function*() {
        const live = yield* Clock.Clock
        const { own, set } = settable(live)
        set(hour)
        yield* Effect.gen(function*() {
          const seen = yield* Clock.currentTimeMillis
          assert.isBelow(Math.abs(seen - live.currentTimeMillisUnsafe()), 60_000)
          yield* Effect.sleep("1 millis")
        }).pipe(Effect.provide(DatabaseClock.layer), Effect.provideService(Clock.Clock, own))
      }))
  })
})
