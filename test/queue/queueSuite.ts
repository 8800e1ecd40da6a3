import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, type Scope } from "effect"
import { Janitor } from "../../src/jobs/engine/Janitor.ts"
import { Tasks } from "../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { JobAlreadyTerminal } from "../../src/jobs/model/Job.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { Queue } from "../../src/queue/Queue.ts"
import { runWorker } from "../../workers/engine/Worker.ts"
import { noopOutput, noopWorker, unchanged } from "../support/NoopStages.ts"
import { makeTenant, newJob, untilTerminal } from "../support/TestEngine.ts"
import type * as TestEngine from "../support/TestEngine.ts"
import { stagePools, workOff } from "../support/WorkOff.ts"

const refused = (code: StageFailure["code"]) => new StageFailure({ code, message: "No.", retryable: false })
const stumbled = new StageFailure({ code: "SOURCE_UNREACHABLE", message: "Not now.", retryable: true })

/** Each guarantee on a database of its own. */
const proving = (layer: typeof TestEngine.layer) =>
<E>(
  title: string,
  body: () => Effect.Effect<void, E, TestEngine.Services | Scope.Scope>,
  options: Parameters<typeof layer>[0] = {}
) => it.live(title, () => Effect.scoped(body()).pipe(Effect.provide(layer(options))))

/** What every engine behind `Tasks`, `Jobs` and `Janitor` has to guarantee; over real PostgreSQL. */
export const queueSuite = (name: string, layer: typeof TestEngine.layer) =>
  describe(name, () => {
    const proves = proving(layer)

    describe("fan-out", () => {
      proves("runs every stage once per planned task and leaves artifacts, warnings and usage", () =>
        Effect.gen(function*() {
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant, { chunks: 5, images: 9, captions: true }))
          const counts = new Map<string, number>()
          yield* workOff(stagePools, ({ stage }) =>
            counts.set(stage, (counts.get(stage) ?? 0) + 1))
          assert.deepStrictEqual(Object.fromEntries(counts), {
            fetch: 1,
            probe: 1,
            audio: 1,
            captions: 1,
            frames: 1,
            detect_speech: 1,
            transcribe: 5,
            describe: 3,
            diarize: 1,
            extract: 1
          })
          const done = yield* jobs.get(tenant, job.id)
          assert.strictEqual(done.status, "succeeded")
          assert.strictEqual(done.progress.fraction, 1)
          assert.deepStrictEqual(done.warnings.map((warning) => warning.code), ["PROBED"])
          assert.deepInclude(done.usage, {
            audio_seconds: 60,
            frames_sampled: 60,
            frames_kept: 9,
            model_seconds: 5 * 0.5 + 3 * 0.25,
            tokens: 120,
            cost: 0.25
          })
          assert.deepStrictEqual(done.provenance?.models.map(({ name, role }) => [role, name]), [
            ["asr", "noop-asr"],
            ["ocr", "noop-ocr"],
            ["speaker", "noop-speaker"]
          ])
          assert.strictEqual((yield* jobs.artifact(tenant, job.id, "result"))?.key, `jobs/${job.id}/extract/0`)
        }))

      for (
        const [source, skipped] of [
          [{ video: false }, ["captions", "frames", "describe"]],
          [{ audio: false }, ["audio", "captions", "detect_speech", "transcribe"]],
          [{ chunks: 0, images: 0 }, ["captions", "transcribe", "describe"]]
        ] as const
      ) {
        proves(`skips the stages that have nothing to do and still joins: ${JSON.stringify(source)}`, () =>
          Effect.gen(function*() {
            const jobs = yield* Jobs
            const tenant = yield* makeTenant()
            const { job } = yield* jobs.create(newJob(tenant, source))
            yield* workOff(stagePools)
            const done = yield* jobs.get(tenant, job.id)
            assert.strictEqual(done.status, "succeeded")
            const { stages } = done.progress
            assert.deepStrictEqual(
              stages.filter((s) =>
                s.status === "skipped"
              ).map((s) =>
                s.name
              ),
              [...skipped]
            )
            assert.isTrue(stages.every((stage) => stage.status === "skipped" || stage.status === "done"))
          }))
      }

      proves("queues at most 64 tasks of a stage at a time and gets through all of them", () =>
        Effect.gen(function*() {
          const sql = yield* PgClient.PgClient
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant, { chunks: 150, video: false }))
          yield* workOff(["fetch", "media"])
          const [vad] = yield* tasks.claim("speech", 10, 1)
          yield* tasks.settle("speech", [{ task: vad!, output: noopOutput(vad!) }])
          const open = Effect.map(
            sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM footnote.tasks
              WHERE job_id = ${job.id} AND stage = 'transcribe' AND NOT done`,
            (rows) => rows[0]!.n
          )
          const sizes: Array<number> = []
          for (;;) {
            sizes.push(yield* open)
            const held = yield* tasks.claim("speech", 17, 1)
            if (held[0]?.stage !== "transcribe") break
            yield* tasks.settle("speech", held.map((task) => ({ task, output: noopOutput(task) })))
          }
          assert.strictEqual(Math.max(...sizes), 64)
          const [stage] = yield* sql<{ readonly done: number; readonly status: string }>`
            SELECT done, status FROM footnote.stages WHERE job_id = ${job.id} AND name = 'transcribe'`
          assert.deepStrictEqual({ ...stage! }, { done: 150, status: "done" })
        }))
    })

    describe("fence", () => {
      proves("counts an output only while its claim holds: a stale holder changes nothing", () =>
        Effect.gen(function*() {
          const sql = yield* PgClient.PgClient
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant))
          const [stale] = yield* tasks.claim("fetch", 1, 1)
          yield* tasks.giveBack([stale!])
          const [fresh] = yield* tasks.claim("fetch", 1, 2)
          assert.strictEqual(fresh!.id, stale!.id)
          assert.strictEqual(fresh!.attempt, stale!.attempt + 1)
          assert.isFalse((yield* tasks.touch("fetch", [stale!])).has(stale!.id))
          yield* tasks.settle("fetch", [{ task: stale!, output: noopOutput(stale!) }])
          yield* tasks.fail(stale!, refused("SOURCE_CORRUPT"))
          assert.strictEqual((yield* jobs.get(tenant, job.id)).status, "running")
          assert.lengthOf(yield* sql`SELECT id FROM footnote.tasks WHERE job_id = ${job.id} AND stage = 'probe'`, 0)
          const settled = { task: fresh!, output: noopOutput(fresh!) }
          yield* tasks.settle("fetch", [settled])
          yield* tasks.settle("fetch", [settled])
          assert.lengthOf(yield* sql`SELECT id FROM footnote.tasks WHERE job_id = ${job.id} AND stage = 'probe'`, 1)
          assert.strictEqual((yield* tasks.claim("media", 10, 1)).length, 1)
        }))

      proves("drops what is still open of a job that is over", () =>
        Effect.gen(function*() {
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant))
          const [held] = yield* tasks.claim("fetch", 1, 1)
          yield* jobs.cancel(tenant, job.id)
          assert.strictEqual((yield* tasks.touch("fetch", [held!])).size, 0)
          yield* tasks.settle("fetch", [{ task: held!, output: noopOutput(held!) }])
          assert.strictEqual((yield* jobs.get(tenant, job.id)).status, "cancelled")
          assert.lengthOf(yield* tasks.claim("fetch", 10, 1), 0)
        }))
    })

    describe("failures", () => {
      proves("fails the job at once with code and stage where another attempt cannot help", () =>
        Effect.gen(function*() {
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant))
          const [fetch] = yield* tasks.claim("fetch", 1, 1)
          yield* tasks.settle("fetch", [{ task: fetch!, output: noopOutput(fetch!) }])
          const [probe] = yield* tasks.claim("media", 1, 1)
          yield* tasks.fail(probe!, refused("SOURCE_NOT_MEDIA"))
          const failed = yield* jobs.get(tenant, job.id)
          assert.strictEqual(failed.status, "failed")
          assert.deepStrictEqual(failed.error, { code: "SOURCE_NOT_MEDIA", message: "No.", stage: "probe" })
          assert.isTrue(failed.progress.stages.every(({ status }) => status === "done" || status === "failed"))
        }))

      proves("tries a retryable failure five times in all, then fails the job", () =>
        Effect.gen(function*() {
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant))
          const attempts: Array<number> = []
          for (let at = 0; at < 5; at++) {
            const [held] = yield* tasks.claim("fetch", 1, 1)
            attempts.push(held!.attempt)
            yield* tasks.fail(held!, stumbled)
          }
          assert.deepStrictEqual(attempts, [0, 1, 2, 3, 4])
          const failed = yield* jobs.get(tenant, job.id)
          assert.deepStrictEqual(failed.error, { code: "SOURCE_UNREACHABLE", message: "Not now.", stage: "fetch" })
          assert.lengthOf(yield* tasks.claim("fetch", 1, 1), 0)
        }))

      proves("waits before another attempt, longer each time and not in step", () =>
        Effect.gen(function*() {
          const sql = yield* PgClient.PgClient
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          for (let at = 0; at < 20; at++) yield* jobs.create(newJob(tenant))
          const delays = Effect.map(
            sql<{ readonly seconds: number }>`SELECT extract(epoch FROM start_after - now())::float8 AS seconds
              FROM pgboss.job WHERE name = 'fetch' AND state = 'retry'`,
            (rows) => rows.map((row) => row.seconds)
          )
          for (const task of yield* tasks.claim("fetch", 20, 1)) yield* tasks.fail(task, stumbled)
          const first = yield* delays
          assert.lengthOf(yield* tasks.claim("fetch", 20, 1), 0)
          yield* sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`
          for (const task of yield* tasks.claim("fetch", 20, 1)) yield* tasks.fail(task, stumbled)
          const second = yield* delays
          assert.lengthOf(first, 20)
          assert.isTrue(first.every((seconds) => seconds > 0 && seconds <= 5), first.join())
          assert.isAbove(Math.max(...second), Math.max(...first))
          assert.isAbove(new Set(second.map((seconds) => seconds.toFixed(2))).size, 10)
        }), { retry_delay_seconds: 2 })

      proves("fails the job with TASK_LOST when its worker dies on every attempt at a task", () =>
        Effect.gen(function*() {
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const { bury, reap } = yield* Janitor
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant))
          for (let attempt = 0; attempt < 5; attempt++) {
            // Nobody holds the lock of such a worker, as if it had just been killed.
            const [held] = yield* tasks.claim("fetch", 1, 900 + attempt)
            assert.strictEqual(held!.attempt, attempt)
            assert.strictEqual(yield* reap, 0, "one look is not enough")
            assert.strictEqual(yield* reap, 1)
          }
          assert.lengthOf(yield* tasks.claim("fetch", 1, 1), 0)
          assert.strictEqual(yield* bury, 1)
          const lost = yield* jobs.get(tenant, job.id)
          assert.strictEqual(lost.status, "failed")
          assert.deepInclude(lost.error!, { code: "TASK_LOST", stage: "fetch" })
        }))

      proves("counts no attempt that a restart of PostgreSQL cut off, ten times a task", () =>
        Effect.gen(function*() {
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const sql = yield* PgClient.PgClient
          const { spareRestarted } = yield* Queue
          const { bury, reap } = yield* Janitor
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant))
          let attempts = 0
          for (;; attempts++) {
            const [held] = yield* tasks.claim("fetch", 1, 900 + attempts)
            if (held === undefined) {
              break
            }
            // As the rows lie after a power cut: claimed before the server began.
            yield* sql`UPDATE pgboss.job SET started_on = pg_postmaster_start_time() - interval '1 second'
              WHERE id = ${held.id}`.unprepared
            yield* spareRestarted
            yield* reap
            assert.strictEqual(yield* reap, 1)
          }
          assert.strictEqual(attempts, 5 + 10)
          assert.strictEqual(yield* bury, 1)
          assert.deepInclude((yield* jobs.get(tenant, job.id)).error!, { code: "TASK_LOST", stage: "fetch" })
        }))

      proves("fails a job with QUEUE_TIMEOUT that nobody began in time, and only such a job", () =>
        Effect.gen(function*() {
          const tasks = yield* Tasks
          const jobs = yield* Jobs
          const { expire } = yield* Janitor
          const tenant = yield* makeTenant()
          const begun = yield* jobs.create(newJob(tenant))
          yield* tasks.claim("fetch", 1, 1)
          const waiting = yield* jobs.create(newJob(tenant))
          yield* expire
          assert.strictEqual((yield* jobs.get(tenant, begun.job.id)).status, "running")
          const expired = yield* jobs.get(tenant, waiting.job.id)
          assert.deepInclude(expired.error!, { code: "QUEUE_TIMEOUT", stage: null })
          assert.isNull(expired.started_at)
          assert.lengthOf(yield* tasks.claim("fetch", 1, 1), 0)
        }), { queue_timeout_seconds: 0 })
    })

    describe("cancel", () => {
      proves("stops the running handler, frees the slot and lets the next job of a full tenant run", () =>
        Effect.gen(function*() {
          const jobs = yield* Jobs
          const tenant = yield* makeTenant({ max_running: 1 })
          const begun = Latch.makeUnsafe(false)
          const stopped = Latch.makeUnsafe(false)
          let first: string | undefined
          yield* Effect.forkScoped(runWorker(noopWorker((task) =>
            task.job_id !== first || task.stage !== "frames"
              ? unchanged
              : begun.open.pipe(
                Effect.andThen(Effect.never),
                Effect.onInterrupt(() =>
                  stopped.open
                )
              )
          )))
          first = (yield* jobs.create(newJob(tenant))).job.id
          const second = (yield* jobs.create(newJob(tenant))).job.id
          yield* begun.await
          assert.strictEqual((yield* jobs.get(tenant, second)).status, "queued")
          assert.strictEqual((yield* jobs.cancel(tenant, first)).status, "cancelled")
          yield* stopped.await
          assert.strictEqual((yield* untilTerminal(tenant, second)).status, "succeeded")
          assert.strictEqual((yield* jobs.get(tenant, first)).status, "cancelled")
        }))

      proves("is the same again for a cancelled job and an error for any other terminal one", () =>
        Effect.gen(function*() {
          const jobs = yield* Jobs
          const tenant = yield* makeTenant()
          const { job } = yield* jobs.create(newJob(tenant))
          const once = yield* jobs.cancel(tenant, job.id)
          assert.deepStrictEqual(yield* jobs.cancel(tenant, job.id), once)
          const other = yield* jobs.create(newJob(tenant))
          yield* workOff(stagePools)
          assert.instanceOf(yield* Effect.flip(jobs.cancel(tenant, other.job.id)), JobAlreadyTerminal)
        }))
    })
  })
