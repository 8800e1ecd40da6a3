import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../../../src/database/Database.ts"
import { Janitor } from "../../../src/jobs/engine/Janitor.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { captured } from "../../support/LogLines.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"
import { stagePools, workOff } from "../../support/WorkOff.ts"

const asOwner = (statement: string) =>
  Effect.flatMap(
    Database,
    ({ url }) => Effect.promise(() => TestDatabase.execute(TestDatabase.asOwner(url), statement))
  )

describe("what a job that was cancelled leaves in the queue", () => {
  it.live("goes with its other tasks once they are no longer kept, and holds up no pool's return to zero before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* Jobs
      const { sweep } = yield* Janitor
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      yield* jobs.cancel(tenant, job.id)
      const tasks = sql<{ readonly done: boolean }>`SELECT done FROM footnote.tasks WHERE job_id = ${job.id}`
      const shares = sql<{ readonly finish: number }>`SELECT finish FROM footnote.fair_shares`
      assert.deepStrictEqual((yield* tasks).map(({ done }) => done), [false])
      yield* sql`UPDATE footnote.fair_shares SET finish = 2e8`
      yield* sweep
      assert.lengthOf(yield* tasks, 1)
      assert.lengthOf(yield* shares, 0)
      // Of another job that waits nothing goes, and its pool counts on.
      const waiting = yield* jobs.create(newJob(tenant))
      yield* sql`UPDATE footnote.fair_shares SET finish = 2e8`
      yield* sql`UPDATE footnote.jobs SET created_at = now() - interval '400 days', finished_at = now() - interval '399 days'
        WHERE id = ${job.id}`
      yield* sweep
      assert.lengthOf(yield* tasks, 0)
      assert.lengthOf(yield* sql`SELECT FROM footnote.tasks WHERE job_id = ${waiting.job.id}`, 1)
      assert.lengthOf(yield* shares, 1)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

describe("what is past its time", () => {
  it.live("goes though the database refuses to remove some of it, and that goes once it does not", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* Jobs
      const { sweep } = yield* Janitor
      const { lines, logged } = captured()
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      yield* jobs.cancel(tenant, job.id)
      yield* sql`UPDATE footnote.jobs SET created_at = now() - interval '3 hours', finished_at = now() - interval '2 hours'`
      yield* sql`INSERT INTO footnote.job_events (job_id, seq, type, data) VALUES (${job.id}, 1000, 'progress', '{}')`
      yield* sql`INSERT INTO footnote.idempotency_keys (tenant_id, key, body_sha256, job_id, created_at)
        VALUES (${tenant}, 'old', sha256('x'), ${job.id}, now() - interval '26 hours')`
      yield* sql`INSERT INTO footnote.paces (credential, arrival) VALUES ('old', now() - interval '2 days')`
      yield* sql`INSERT INTO footnote.batches (id, tenant_id, size, created_at)
        VALUES ('bat_1', ${tenant}, 1, now() - interval '20 minutes')`
      const left = sql`SELECT
        (SELECT count(*)::int FROM footnote.idempotency_keys) AS keys,
        (SELECT count(*)::int FROM footnote.job_events WHERE type = 'progress') AS progress,
        (SELECT count(*)::int FROM footnote.paces) AS paces,
        (SELECT count(*)::int FROM footnote.batches WHERE closed_at IS NULL) AS open`
      yield* asOwner("REVOKE DELETE ON footnote.job_events FROM footnote_engine")
      yield* logged(sweep)
      assert.deepStrictEqual(yield* left, [{ keys: 0, progress: 1, paces: 0, open: 0 }])
      assert.deepStrictEqual(lines.map(({ text }) => text), [
        "Removing the progress of jobs that are over failed; tried again in a minute"
      ])
      yield* asOwner("GRANT DELETE ON footnote.job_events TO footnote_engine")
      yield* sweep
      assert.deepStrictEqual(yield* left, [{ keys: 0, progress: 0, paces: 0, open: 0 }])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))

  it.live("is removed however much of it has been left, and of a job's events no others are read for it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* Jobs
      const { sweep } = yield* Janitor
      const tenant = yield* makeTenant()
      const { job: over } = yield* jobs.create(newJob(tenant))
      yield* workOff(stagePools)
      const { job: atWork } = yield* jobs.create(newJob(tenant))
      yield* sql`UPDATE footnote.jobs SET created_at = now() - interval '3 hours', finished_at = now() - interval '2 hours'
        WHERE id = ${over.id}`
      const add = (id: string, type: string, from: number, count: number) =>
        sql`INSERT INTO footnote.job_events (job_id, seq, type, data)
          SELECT ${id}, ${from}::int + n, ${type}, '{}' FROM generate_series(1, ${count}) n`
      // Two statements' worth and one more.
      yield* add(over.id, "progress", 1000, 20_001)
      yield* add(over.id, "stage", 100_000, 5000)
      yield* add(atWork.id, "progress", 1000, 5)
      yield* sweep
      const kept = yield* sql`SELECT job_id, count(*)::int AS progress FROM footnote.job_events
        WHERE type = 'progress' GROUP BY 1`
      assert.deepStrictEqual(kept, [{ job_id: atWork.id, progress: 5 }])
      yield* add(over.id, "progress", 1000, 5)
      yield* asOwner("ANALYZE footnote.job_events")
      const read = yield* sql.withTransaction(Effect.andThen(
        sweep,
        sql`SELECT seq_tup_read::int AS whole FROM pg_stat_xact_user_tables
          WHERE schemaname = 'footnote' AND relname = 'job_events'`
      ))
      assert.deepStrictEqual(read, [{ whole: 0 }])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})
