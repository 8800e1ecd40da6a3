import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { vi } from "vitest"
import { Janitor } from "../../src/jobs/engine/Janitor.ts"
import { Tasks } from "../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { Queue } from "../../src/queue/Queue.ts"
import { stageRetries } from "../../src/retries/RetryPolicy.ts"
import { runWorker } from "../../workers/engine/Worker.ts"
import { noopOutput, noopWorker } from "../support/NoopStages.ts"
import * as TestEngine from "../support/TestEngine.ts"
import { makeTenant, newJob, untilTerminal } from "../support/TestEngine.ts"

const away = new StageFailure({ code: "INTERNAL", message: "S3: SlowDown (503)", retryable: true, fault: "blob_store" })
const stumbled = new StageFailure({ code: "SOURCE_UNREACHABLE", message: "Not now.", retryable: true })

/** More often than a task may be tried. */
const often = stageRetries.attempts * 2

/** A worker for fetching alone, with two slots, that tries again only after an hour without its blobs. */
const fetching = (handle: Effect.Effect<undefined, StageFailure>) =>
  Effect.forkScoped(runWorker({
    pools: noopWorker(() => handle, { fetch: 2 }).pools.filter(({ pool }) => pool === "fetch"),
    longest_rest_seconds: 3600
  }))

describe("a fault of the service", () => {
  it.live("uses up no attempt: the task goes on when it is over, however often it was met", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      let met = 0
      const worker = noopWorker(({ stage }) =>
        stage === "probe" && met++ < often ? Effect.fail(away) : Effect.undefined
      )
      yield* Effect.forkScoped(runWorker({ ...worker, longest_rest_seconds: 0 }))
      const { job } = yield* jobs.create(newJob(tenant))
      assert.strictEqual((yield* untilTerminal(tenant, job.id)).status, "succeeded")
      assert.isAbove(met, often)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))

  it.live("leaves to others what a worker would only pause, which is without its blobs", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const tenant = yield* makeTenant()
      for (let at = 0; at < 60; at++) yield* jobs.create(newJob(tenant))
      yield* fetching(Effect.fail(away))
      yield* fetching(Effect.undefined)
      const waiting = sql`SELECT FROM footnote.tasks WHERE stage = 'fetch' AND NOT done AND NOT delayed`
      yield* Effect.repeat(waiting, { until: (rows) => rows.length === 0 })
      // Its tries double their distance, so this is one a minute; without a rest it took most of the sixty.
      assert.isBelow((yield* sql`SELECT FROM footnote.tasks WHERE stage = 'fetch' AND delayed`).length, 15)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer({ retry_delay_seconds: 3600 }))))

  it.live("is not waited for without end: the job fails and says what was away", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      yield* Effect.forkScoped(
        runWorker(noopWorker(({ stage }) => stage === "probe" ? Effect.fail(away) : Effect.undefined))
      )
      const { job } = yield* jobs.create(newJob(tenant))
      const { error, status } = yield* untilTerminal(tenant, job.id)
      assert.strictEqual(status, "failed")
      assert.deepInclude(error!, { code: "INTERNAL", message: away.message, stage: "probe" })
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer({ pause_limit_seconds: 0 }))))

  it.live("leaves the attempts of what is the job's own fault as they are", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      for (let round = 0; round < stageRetries.attempts; round++) {
        const [paused] = yield* tasks.claim("fetch", 1, 1)
        assert.isTrue(yield* tasks.pause(paused!, away))
        const [failed] = yield* tasks.claim("fetch", 1, 1)
        assert.strictEqual((yield* jobs.get(tenant, job.id)).status, "running")
        yield* tasks.fail(failed!, stumbled)
      }
      assert.strictEqual((yield* jobs.get(tenant, job.id)).status, "failed")
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

describe("a worker that ends", () => {
  it.live("uses up no attempt of what it gives back", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      for (let round = 0; round < often; round++) yield* tasks.giveBack(yield* tasks.claim("fetch", 1, 1))
      const [held] = yield* tasks.claim("fetch", 1, 1)
      yield* tasks.fail(held!, stumbled)
      assert.strictEqual((yield* jobs.get(tenant, job.id)).status, "running")
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

describe("a worker that lived beyond its lease", () => {
  it.live("changes nothing by what it says then, and uses up no attempt", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const tasks = yield* Tasks
      const queue = yield* Queue
      const sql = yield* PgClient.PgClient
      const tenant = yield* makeTenant()
      const { job } = yield* jobs.create(newJob(tenant))
      for (let round = 0; round < often; round++) {
        const [stopped] = yield* tasks.claim("fetch", 1, 1)
        // The lease ends while the process is stopped; another worker takes the task, and then the first one wakes up.
        yield* queue.restart("fetch", [stopped!])
        yield* tasks.settle("fetch", [{ task: stopped!, output: noopOutput(stopped!) }])
        assert.isFalse((yield* tasks.touch("fetch", [stopped!])).has(stopped!.id))
        yield* tasks.forgive([stopped!])
      }
      assert.lengthOf(yield* sql`SELECT FROM footnote.tasks WHERE job_id = ${job.id} AND stage = 'probe'`, 0)
      const [held] = yield* tasks.claim("fetch", 1, 2)
      yield* tasks.settle("fetch", [{ task: held!, output: noopOutput(held!) }])
      assert.lengthOf(yield* sql`SELECT FROM footnote.tasks WHERE job_id = ${job.id} AND stage = 'probe'`, 1)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

describe("a process whose clock jumps", () => {
  for (const hours of [1, -1]) {
    it.live(`by ${hours} h gives tasks back that others may take at once, and keeps no task from its turn`, () =>
      Effect.gen(function*() {
        const jobs = yield* Jobs
        const tasks = yield* Tasks
        const { reap } = yield* Janitor
        const tenant = yield* makeTenant()
        const now = yield* Clock.currentTimeMillis
        vi.useFakeTimers({ toFake: ["Date"], now: now + hours * 3_600_000 })
        yield* Effect.addFinalizer(() => Effect.sync(() => void vi.useRealTimers()))
        const { job } = yield* jobs.create(newJob(tenant))
        yield* tasks.giveBack(yield* tasks.claim("fetch", 1, 1))
        const [again] = yield* tasks.claim("fetch", 1, 7)
        assert.strictEqual(again?.job_id, job.id)
        // Nobody holds the lock of worker 7.
        yield* reap
        assert.strictEqual(yield* reap, 1)
        const [restarted] = yield* tasks.claim("fetch", 1, 1)
        assert.strictEqual(restarted?.job_id, job.id)
        yield* tasks.settle("fetch", [{ task: again!, output: noopOutput(again!) }])
        assert.isTrue((yield* tasks.touch("fetch", [restarted!])).has(restarted!.id))
      }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
  }
})
