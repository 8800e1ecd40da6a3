import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { canonicalSha256 } from "../../../src/crypto/CanonicalJson.ts"
import { Database } from "../../../src/database/Database.ts"
import { IdempotencyKeyOrphaned } from "../../../src/idempotency/IdempotencyKey.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { ConcurrentJobsLimit } from "../../../src/jobs/model/Job.ts"
import { CostQuotaExceeded } from "../../../src/usage/ledger/CostQuota.ts"
import { rounds } from "../../support/Breadth.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"
import { stagePools, workOff } from "../../support/WorkOff.ts"

const keyed = (key: string) => ({ key, body_sha256: canonicalSha256("body") })

const setPrices = Effect.fnUntraced(function*(job_tokens: number, price: number) {
  const sql = yield* PgClient.PgClient
  yield* sql`INSERT INTO footnote.model_prices (model, job_tokens, input_price, output_price)
    VALUES ('priced', ${job_tokens}, 0, ${price})
    ON CONFLICT (model) DO UPDATE SET job_tokens = excluded.job_tokens, output_price = excluded.output_price`
})

/** Books money that a job has spent, as a worker does. */
const spend = Effect.fnUntraced(function*(tenant_id: string, job_id: string, cost: number) {
  const sql = yield* PgClient.PgClient
  yield* sql`INSERT INTO footnote.charges (tenant_id, job_id, task_id, attempt, tokens, cost)
    VALUES (${tenant_id}, ${job_id}, gen_random_uuid(), 0, 10, ${cost})`
})

/** What a creation takes locks on, in this order: when one of them is there, the transaction has come so far. */
const tables = ["tenants", "jobs", "idempotency_keys", "stages", "tasks", "job_events"]

/** Ends the next connection that has touched the table in a transaction of its own; gives up after a second. */
const killOne = (sql: PgClient.PgClient, table: string) =>
  sql.unsafe(
    `DO $$ BEGIN FOR turn IN 1..1000 LOOP
      PERFORM pg_terminate_backend(pid) FROM pg_locks
        WHERE relation = 'footnote.${table}'::regclass AND mode IN ('RowShareLock', 'RowExclusiveLock')
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid();
      EXIT WHEN FOUND; PERFORM pg_sleep(0.001);
    END LOOP; END $$`
  )

layer(TestEngine.layer(), { excludeTestServices: true })("Intake", (it) => {
  it.effect("tells one of ten requests that the key's job is gone, makes one job for the others, and they all get it", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const tenant = yield* makeTenant()
      for (let round = 0; round < rounds(10); round++) {
        const { job } = yield* jobs.create(newJob(tenant), keyed(`orphan ${round}`))
        yield* jobs.cancel(tenant, job.id)
        yield* sql`UPDATE footnote.jobs SET deleted_at = now() WHERE id = ${job.id}`
        const answers = yield* Effect.all(
          Array.from({ length: 10 }, () => Effect.result(jobs.create(newJob(tenant), keyed(`orphan ${round}`)))),
          { concurrency: "unbounded" }
        )
        const errors = answers.flatMap((answer) => answer._tag === "Failure" ? [answer.failure] : [])
        const made = answers.flatMap((answer) => answer._tag === "Success" ? [answer.success] : [])
        assert.lengthOf(errors, 1)
        assert.instanceOf(errors[0], IdempotencyKeyOrphaned)
        assert.strictEqual(made.filter(({ replayed }) => !replayed).length, 1)
        assert.strictEqual(new Set(made.map(({ job }) => job.id)).size, 1)
        assert.notStrictEqual(made[0]!.job.id, job.id)
      }
    }))

  it.effect("leaves the key free where there is no slot, and tells how long until there is one", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      // An estimate is kept for a second, so that each tenant is told once here.
      const first = yield* makeTenant({ max_active: 1 })
      yield* jobs.create(newJob(first))
      const unknown = yield* Effect.flip(jobs.create(newJob(first), keyed("a")))
      assert.instanceOf(unknown, ConcurrentJobsLimit)
      assert.strictEqual(unknown.headers?.["retry-after"], "5")
      const tenant = yield* makeTenant({ max_active: 1 })
      const { job } = yield* jobs.create(newJob(tenant))
      yield* workOff(stagePools)
      // The tenant's jobs take two minutes; the present one has been at work for one.
      yield* sql`UPDATE footnote.jobs SET started_at = finished_at - interval '2 minutes' WHERE id = ${job.id}`
      const { job: next } = yield* jobs.create(newJob(tenant), keyed("a"))
      yield* sql`UPDATE footnote.jobs SET status = 'running', started_at = now() - interval '1 minute' WHERE id = ${next.id}`
      const known = yield* Effect.flip(jobs.create(newJob(tenant), keyed("b")))
      assert.include([59, 60], Number(known.headers?.["retry-after"]))
      assert.include(known.message, "limit of 1 concurrent jobs")
      yield* jobs.cancel(tenant, next.id)
      assert.isFalse((yield* jobs.create(newJob(tenant), keyed("b"))).replayed)
    }))

  it.effect("refuses with COST_QUOTA_EXCEEDED once the month's money is spent, and the key stays free", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const tenant = yield* makeTenant({ cost_quota: 10 })
      const { job } = yield* jobs.create(newJob(tenant))
      yield* spend(tenant, job.id, 9.5)
      assert.isFalse((yield* jobs.create(newJob(tenant), keyed("a"))).replayed, "0.5 are left")
      yield* spend(tenant, job.id, 0.5)
      const error = yield* Effect.flip(jobs.create(newJob(tenant), keyed("b")))
      assert.instanceOf(error, CostQuotaExceeded)
      assert.match(
        error.message,
        /^Of the cost quota of 10 for \d{4}-\d{2}, 10 is used\. It resets at \d{4}-\d{2}-01T00:00:00\.000Z\.$/u
      )
      assert.isTrue((yield* jobs.create(newJob(tenant), keyed("a"))).replayed, "a replay costs nothing")
      yield* sql`UPDATE footnote.tenants SET cost_quota = 11 WHERE id = ${tenant}`
      assert.isFalse((yield* jobs.create(newJob(tenant), keyed("b"))).replayed)
      yield* sql`UPDATE footnote.tenants SET cost_quota = NULL WHERE id = ${tenant}`
      yield* jobs.create(newJob(tenant))
    }))

  it.effect("counts what cancelled, failed and erased jobs have spent, and nothing of another month", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const tenant = yield* makeTenant({ cost_quota: 1 })
      const { job } = yield* jobs.create(newJob(tenant))
      yield* spend(tenant, job.id, 1)
      yield* jobs.cancel(tenant, job.id)
      yield* sql`UPDATE footnote.jobs SET deleted_at = now() WHERE id = ${job.id}`
      assert.instanceOf(yield* Effect.flip(jobs.create(newJob(tenant))), CostQuotaExceeded)
      yield* sql`UPDATE footnote.charges SET at = date_trunc('month', now(), 'UTC') - interval '1 millisecond'
        WHERE job_id = ${job.id}`
      yield* jobs.create(newJob(tenant))
    }))

  it.effect("puts into a cancelled job's usage what it had spent", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      yield* spend(tenant, job.id, 0.75)
      const cancelled = yield* jobs.cancel(tenant, job.id)
      assert.deepInclude(cancelled.usage, { tokens: 10, cost: 0.75 })
    }))
})

layer(TestEngine.layer(), { excludeTestServices: true })("Intake of many jobs at once", (it) => {
  it.effect("admits no more than the quota can pay, whatever comes at the same moment", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      yield* setPrices(100_000, 5)
      // A job may cost 0.5: ten of forty fit.
      const tenant = yield* makeTenant({ cost_quota: 5 })
      const tries = yield* Effect.all(
        Array.from({ length: 40 }, () => Effect.result(jobs.create(newJob(tenant)))),
        { concurrency: "unbounded" }
      )
      const errors = tries.flatMap((attempt) => attempt._tag === "Failure" ? [attempt.failure] : [])
      assert.lengthOf(errors, 30)
      assert.isTrue(errors.every((error) => error instanceof CostQuotaExceeded))
      assert.include(errors[0]!.message, "5 is held back for jobs that are not over yet")
      // Each of them costs 0.25 in the end: what they held back is free again.
      yield* workOff(stagePools)
      const made = yield* jobs.list(tenant, { limit: 100 }, { status: ["succeeded"] })
      assert.lengthOf(made.jobs, 10)
      assert.isTrue(made.jobs.every(({ usage }) => usage.cost === 0.25))
      // Now it is known what they cost: of the 2.5 that are left ten more are paid.
      for (let more = 0; more < 10; more++) yield* jobs.create(newJob(tenant))
      assert.instanceOf(yield* Effect.flip(jobs.create(newJob(tenant))), CostQuotaExceeded)
      yield* workOff(stagePools)
      assert.instanceOf(yield* Effect.flip(jobs.create(newJob(tenant))), CostQuotaExceeded)
    }))

  it.effect("leaves all of a job or nothing where connections are killed in the middle, and a retry makes one job", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const { url } = yield* Database
      // Connected before the first creation begins, which takes less time than to connect.
      const hunter = yield* Effect.map(
        Layer.build(PgClient.layer({ url, maxConnections: 1 })),
        (context) => Context.get(context, PgClient.PgClient)
      )
      yield* hunter`SELECT 1`
      const tenant = yield* makeTenant({ max_active: 1000, max_running: 9, cost_quota: 1000 })
      let broken = 0
      const create = (key: string): Effect.Effect<string> =>
        Effect.exit(jobs.create(newJob(tenant), keyed(key))).pipe(
          Effect.flatMap((exit) => {
            if (Exit.isSuccess(exit)) return Effect.succeed(exit.value.job.id)
            broken++
            return Cause.hasInterrupts(exit.cause) ? Effect.interrupt : create(key)
          })
        )
      const keys = Array.from({ length: tables.length * rounds(3) }, (_, at) => `kill ${at}`)
      const ids = yield* Effect.forEach(keys, (key, at) =>
        Effect.map(
          Effect.all([killOne(hunter, tables[at % tables.length]!), create(key)], {
            concurrency: 2
          }),
          ([, id]) => id
        ))
      assert.isAbove(broken, keys.length / 4)
      assert.strictEqual(new Set(ids).size, keys.length)
      const [left] = yield* sql<Record<"jobs" | "keys" | "lone_keys" | "halves" | "reserved" | "eventless", number>>`
        SELECT count(*)::int AS jobs,
          (SELECT count(*)::int FROM footnote.idempotency_keys WHERE tenant_id = ${tenant}) AS keys,
          (SELECT count(*)::int FROM footnote.idempotency_keys k WHERE tenant_id = ${tenant}
            AND NOT EXISTS (SELECT FROM footnote.jobs j WHERE j.id = k.job_id)) AS lone_keys,
          count(*) FILTER (WHERE (admitted_at IS NOT NULL) <> EXISTS (
            SELECT FROM footnote.tasks t WHERE t.job_id = jobs.id AND t.stage = 'fetch'))::int AS halves,
          round(sum(cost_reserved)::numeric, 6)::float8 AS reserved,
          count(*) FILTER (WHERE NOT EXISTS (SELECT FROM footnote.job_events e WHERE e.job_id = jobs.id))::int AS eventless
        FROM footnote.jobs WHERE tenant_id = ${tenant}`
      const made = { jobs: keys.length, keys: keys.length, reserved: keys.length / 2 }
      assert.deepStrictEqual(left, { ...made, lone_keys: 0, halves: 0, eventless: 0 })
    }))
})
