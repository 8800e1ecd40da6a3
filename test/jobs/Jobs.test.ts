import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { canonicalSha256 } from "../../src/crypto/CanonicalJson.ts"
import type { ApiErrorInstance } from "../../src/errors/ApiError.ts"
import type { ErrorCode } from "../../src/errors/ErrorCatalog.ts"
import { IdempotencyKeyConflict, IdempotencyKeyOrphaned } from "../../src/idempotency/IdempotencyKey.ts"
import { newId } from "../../src/identity/Id.ts"
import { Tasks } from "../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { ConcurrentJobsLimit, JobNotFound, JobNotSucceeded } from "../../src/jobs/model/Job.ts"
import { runWorker } from "../../workers/engine/Worker.ts"
import { rounds } from "../support/Breadth.ts"
import { noopWorker } from "../support/NoopStages.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob, untilTerminal } from "../support/TestEngine.ts"
import { stagePools, workOff } from "../support/WorkOff.ts"

const dawn = DateTime.toDateUtc(DateTime.makeUnsafe(0))
const keyed = (key: string, body: string = "body") => ({ key, body_sha256: canonicalSha256(body) })

layer(TestEngine.layer(), { excludeTestServices: true })("Jobs", (it) => {
  it.effect("gives back what was submitted, queued, with nothing done yet", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job, replayed, webhook_secret } = yield* jobs.create(newJob(tenant, {}, {
        webhook_url: "https://hooks.test/",
        webhook_secret: Uint8Array.of(1, 2, 3),
        metadata: { team: "a" },
        destination_ids: ["dst_1"]
      }))
      assert.isFalse(replayed)
      assert.deepStrictEqual(Uint8Array.from(webhook_secret!), Uint8Array.of(1, 2, 3))
      assert.deepInclude(job, {
        status: "queued",
        webhook_url: "https://hooks.test/",
        metadata: { team: "a" },
        destination_ids: ["dst_1"],
        started_at: null,
        source: null,
        error: null
      })
      assert.strictEqual(job.progress.fraction, 0)
      assert.deepStrictEqual(yield* jobs.get(tenant, job.id), job)
    }))

  it.effect("does not reveal whether a job of another tenant exists", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
      const { job } = yield* jobs.create(newJob(tenant))
      const reads: ReadonlyArray<(id: string) => Effect.Effect<unknown, ApiErrorInstance<ErrorCode>>> = [
        (id) => jobs.get(stranger, id),
        (id) => jobs.cancel(stranger, id),
        (id) => jobs.artifact(stranger, id, "result"),
        (id) => jobs.waitUntilTerminal(stranger, id, 5),
        (id) => Stream.runCollect(jobs.events(stranger, id, 0))
      ]
      for (const read of reads) {
        for (const id of [job.id, yield* newId("job"), "job_", "nonsense", "job_\u0000", "job_' OR 1=1"]) {
          const error = yield* Effect.flip(Effect.asVoid(read(id)))
          assert.deepStrictEqual(error, new JobNotFound())
        }
      }
      assert.lengthOf((yield* jobs.list(stranger, { limit: 10 })).jobs, 0)
      assert.strictEqual((yield* jobs.get(tenant, job.id)).status, "queued")
    }))

  it.effect("pages through a list newest first, while jobs are added, without a gap or a repeat", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const ids: Array<string> = []
      for (let at = 0; at < 7; at++) ids.push((yield* jobs.create(newJob(tenant))).job.id)
      const seen: Array<string> = []
      let before: string | undefined
      for (let more = true; more;) {
        const page = yield* jobs.list(tenant, { limit: 3, after: before })
        seen.push(...page.jobs.map((job) => job.id))
        before = page.jobs.at(-1)!.id
        more = page.more
        yield* jobs.create(newJob(tenant))
      }
      assert.deepStrictEqual(seen, ids.toSorted().toReversed())
    }))

  it.effect("filters a list by status, moment and metadata", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const first = yield* jobs.create(newJob(tenant, {}, { metadata: { team: "a", run: "1" } }))
      const second = yield* jobs.create(newJob(tenant, {}, { metadata: { team: "b", run: "1" } }))
      yield* jobs.cancel(tenant, second.job.id)
      const ids = (filter: Parameters<typeof jobs.list>[2]) =>
        Effect.map(jobs.list(tenant, { limit: 10 }, filter), (page) => page.jobs.map((job) => job.id))
      assert.deepStrictEqual(yield* ids({ status: ["cancelled"] }), [second.job.id])
      assert.deepStrictEqual(yield* ids({ metadata: { team: "a" } }), [first.job.id])
      assert.lengthOf(yield* ids({ metadata: { run: "1" } }), 2)
      assert.lengthOf(yield* ids({ metadata: { run: "1", team: "c" } }), 0)
      assert.lengthOf(yield* ids({ created_before: dawn }), 0)
      assert.lengthOf(yield* ids({ created_after: dawn }), 2)
    }))

  it.effect("refuses one job more than the tenant may have active, also when they come at once", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant({ max_active: 5 })
      const tries = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.result(jobs.create(newJob(tenant)))),
        { concurrency: "unbounded" }
      )
      const made = tries.flatMap((attempt) => attempt._tag === "Success" ? [attempt.success.job] : [])
      const errors = tries.flatMap((attempt) => attempt._tag === "Failure" ? [attempt.failure] : [])
      assert.lengthOf(made, 5)
      assert.isTrue(errors.every((error) => error instanceof ConcurrentJobsLimit))
      assert.property(errors[0]!.headers, "retry-after")
      yield* jobs.cancel(tenant, made[0]!.id)
      yield* jobs.create(newJob(tenant))
    }))

  it.effect("has no artifact of a job that has not succeeded, and says how it stands", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      const error = yield* Effect.flip(jobs.artifact(tenant, job.id, "result"))
      assert.instanceOf(error, JobNotSucceeded)
      assert.deepStrictEqual(error.details, [{ path: "status", message: "queued" }])
    }))

  it.effect("tells every change in order, again from any point, and ends with the terminal one", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      const watching = yield* Effect.forkScoped(Stream.runCollect(jobs.events(tenant, job.id, 0)))
      yield* Effect.forkScoped(runWorker(noopWorker()))
      const done = yield* untilTerminal(tenant, job.id)
      const events = yield* Fiber.join(watching)
      assert.deepStrictEqual(events.map((event) => event.id), events.map((_, at) => at + 1))
      assert.deepStrictEqual([...new Set(events.map((event) => event.status))], ["queued", "running", "succeeded"])
      assert.deepStrictEqual(events.at(-1)!.progress, done.progress)
      const fractions = events.map((event) => event.progress.fraction)
      assert.deepStrictEqual(fractions, fractions.toSorted((a, b) => a - b))
      const resumed = yield* Stream.runCollect(jobs.events(tenant, job.id, 3))
      assert.deepStrictEqual(resumed, events.slice(3))
      assert.lengthOf(yield* Stream.runCollect(jobs.events(tenant, job.id, events.length)), 0)
    }).pipe(Effect.scoped))

  it.effect("counts a task that runs but has told nothing yet as nothing done", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      const held = yield* tasks.claim("fetch", 1, 1)
      assert.deepStrictEqual(held.map(({ job_id }) => job_id), [job.id])
      const { progress, status } = yield* jobs.get(tenant, job.id)
      assert.strictEqual(status, "running")
      assert.strictEqual(progress.fraction, 0)
      yield* jobs.cancel(tenant, job.id)
    }))

  it.effect("lets workers of an earlier version, which know no pool for it, fetch while there are no others", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant()
      // What the tests before have left in line.
      yield* workOff(stagePools)
      yield* sql`INSERT INTO footnote.workers (no, pools, host, pid) VALUES (801, '["media"]', 'test', 1)`
      const { job } = yield* jobs.create(newJob(tenant))
      const [held] = yield* tasks.claim("media", 1, 801)
      assert.deepStrictEqual([held?.job_id, held?.stage], [job.id, "fetch"])
      yield* jobs.cancel(tenant, job.id)
      yield* sql`INSERT INTO footnote.workers (no, pools, host, pid) VALUES (802, '["fetch", "media"]', 'test', 1)`
      const next = yield* jobs.create(newJob(tenant))
      assert.lengthOf(yield* tasks.claim("media", 1, 801), 0)
      assert.strictEqual((yield* tasks.claim("fetch", 1, 802))[0]?.job_id, next.job.id)
      yield* jobs.cancel(tenant, next.job.id)
    }))

  it.effect("counts what a job has fetched and decoded into what its tenant keeps", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      yield* workOff(stagePools)
      const [row] = yield* sql<{ readonly bytes: number }>`
        SELECT stored_bytes::int AS bytes FROM footnote.jobs WHERE id = ${job.id}`
      assert.strictEqual(row!.bytes, 2, "a byte of source and a byte of sound")
    }))

  it.effect("answers a wait with the job as it stands when the seconds are over", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      assert.strictEqual((yield* jobs.waitUntilTerminal(tenant, job.id, 0)).status, "queued")
    }))
})

layer(TestEngine.layer(), { excludeTestServices: true })("Idempotency-Key", (it) => {
  it.effect("replays the original job for the same key and body", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const first = yield* jobs.create(newJob(tenant), keyed("a"))
      const second = yield* jobs.create(newJob(tenant), keyed("a"))
      assert.isTrue(second.replayed)
      assert.strictEqual(second.job.id, first.job.id)
      assert.lengthOf((yield* jobs.list(tenant, { limit: 10 })).jobs, 1)
      const other = yield* jobs.create(newJob(yield* makeTenant()), keyed("a"))
      assert.isFalse(other.replayed, "keys belong to a tenant")
    }))

  it.effect("refuses the same key with another body", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      yield* jobs.create(newJob(tenant), keyed("a"))
      assert.instanceOf(yield* Effect.flip(jobs.create(newJob(tenant), keyed("a", "other"))), IdempotencyKeyConflict)
    }))

  it.effect("replays also where the tenant has no room for another job", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant({ max_active: 1 })
      yield* jobs.create(newJob(tenant), keyed("a"))
      assert.isTrue((yield* jobs.create(newJob(tenant), keyed("a"))).replayed)
      yield* Effect.flip(jobs.create(newJob(tenant), keyed("b")))
      yield* jobs.cancel(tenant, (yield* jobs.list(tenant, { limit: 1 })).jobs[0]!.id)
      assert.isFalse((yield* jobs.create(newJob(tenant), keyed("b"))).replayed, "a refused create reserves nothing")
    }))

  it.effect("says once that the job is gone, then makes a new one", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant), keyed("a"))
      yield* jobs.cancel(tenant, job.id)
      yield* sql`UPDATE footnote.jobs SET deleted_at = now() WHERE id = ${job.id}`
      assert.instanceOf(yield* Effect.flip(jobs.create(newJob(tenant), keyed("a"))), IdempotencyKeyOrphaned)
      const healed = yield* jobs.create(newJob(tenant), keyed("a"))
      assert.isFalse(healed.replayed)
      assert.notStrictEqual(healed.job.id, job.id)
    }))

  it.effect("makes one job of 20 first uses at the same moment, as often as it is tried", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant({ max_running: 1 })
      for (let round = 0; round < rounds(20); round++) {
        const made = yield* Effect.all(
          Array.from({ length: 20 }, () => jobs.create(newJob(tenant), keyed(`round ${round}`))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(made.map(({ job }) => job.id)).size, 1)
        assert.strictEqual(made.filter(({ replayed }) => !replayed).length, 1)
      }
      assert.lengthOf((yield* jobs.list(tenant, { limit: 1000 })).jobs, rounds(20))
    }))
})

layer(TestEngine.layer())("Idempotency-Key over time", (it) => {
  it.effect("is remembered for 24 hours and not a millisecond longer", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant), keyed("a"))
      yield* TestClock.adjust("23 hours")
      yield* TestClock.adjust("3599999 millis")
      assert.isTrue((yield* jobs.create(newJob(tenant), keyed("a"))).replayed)
      assert.instanceOf(yield* Effect.flip(jobs.create(newJob(tenant), keyed("a", "other"))), IdempotencyKeyConflict)
      yield* TestClock.adjust("1 millis")
      const later = yield* jobs.create(newJob(tenant), keyed("a", "other"))
      assert.isFalse(later.replayed)
      assert.notStrictEqual(later.job.id, job.id)
    }))
})
