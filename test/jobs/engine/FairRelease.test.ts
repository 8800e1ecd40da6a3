import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Tasks } from "../../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"
import { settleNoop, workOff } from "../../support/WorkOff.ts"

const placeOf = (sql: PgClient.PgClient, pool: string) =>
  sql`SELECT FROM footnote.fair_shares WHERE pool = ${pool} FOR UPDATE NOWAIT`

describe("tasks that are put in several lines by one transaction", () => {
  it.live("lock the lines in one order, so that two transactions never wait for each other", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant()
      // Both have a place in both lines from now on.
      yield* jobs.create(newJob(tenant, { chunks: 1, video: false }))
      yield* workOff(["fetch", "media", "speech"])
      // The older job's next task is one of speech, the younger one's of media.
      yield* jobs.create(newJob(tenant, { chunks: 1, video: false }))
      yield* workOff(["fetch"])
      yield* settleNoop(yield* tasks.claim("media", 1, 1))
      const audio = yield* tasks.claim("media", 1, 1)
      yield* jobs.create(newJob(tenant, { chunks: 1, video: false }))
      yield* workOff(["fetch"])
      const probe = yield* tasks.claim("media", 1, 1)
      assert.deepStrictEqual([...audio, ...probe].map(({ stage }) => stage), ["audio", "probe"])

      const holds = yield* Deferred.make<void>()
      const over = yield* Deferred.make<void>()
      const other = yield* placeOf(sql, "media").pipe(
        Effect.andThen(Deferred.succeed(holds, undefined)),
        Effect.andThen(Deferred.await(over)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(holds)
      const settling = yield* Effect.forkChild(settleNoop([...audio, ...probe]))
      yield* Effect.repeat(sql`SELECT FROM pg_locks WHERE NOT granted`, { until: (waiting) => waiting.length > 0 })
      // It waits for the first line and holds none that comes later.
      yield* sql.withTransaction(placeOf(sql, "speech"))
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(other)
      yield* Fiber.join(settling)
    }).pipe(Effect.provide(TestEngine.layer())))
})
