import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { advisoryLocks } from "../../../src/database/AdvisoryLocks.ts"
import { Database } from "../../../src/database/Database.ts"
import * as Engine from "../../../src/jobs/Engine.ts"
import { Janitor } from "../../../src/jobs/engine/Janitor.ts"
import { type HeldTask, Tasks } from "../../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { Queue } from "../../../src/queue/Queue.ts"
import { runStage, StopSeconds } from "../../../workers/engine/StageRunner.ts"
import { runWorker, type WorkerPool } from "../../../workers/engine/Worker.ts"
import { captured } from "../../support/LogLines.ts"
import { noopOutput } from "../../support/NoopStages.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob, untilTerminal } from "../../support/TestEngine.ts"
import * as WorkerProcess from "../../support/WorkerProcess.ts"

/** As the API process is: creates and watches, takes its turn as the janitor, works on nothing. */
const api = Layer.unwrap(
  Effect.map(
    Effect.promise(TestDatabase.create),
    (url) => Engine.layerApi.pipe(Layer.provide(TestEngine.layerSealing), Layer.provideMerge(Database.layerUrl(url)))
  )
).pipe(Layer.provide(NodeServices.layer))

const startedIn = (stage: string) => (said: Record<string, unknown>) =>
  (said.started as WorkerProcess.Started | undefined)?.stage === stage

/** Whose first question about held tasks is answered only when `answer` is done; tells of this question and of the next. */
const slowTouch = (
  asked: Deferred.Deferred<void>,
  answer: Effect.Effect<void>,
  askedAgain: Deferred.Deferred<void>
) =>
  Layer.effect(
    Tasks,
    Effect.map(Tasks, (tasks) => {
      let first = true
      return Tasks.of({
        ...tasks,
        touch: (pool, held) =>
          Effect.flatMap(tasks.touch(pool, held), (ours) => {
            if (!first) return Effect.as(Deferred.succeed(askedAgain, undefined), ours)
            first = false
            return Deferred.succeed(asked, undefined).pipe(Effect.andThen(answer), Effect.as(ours))
          })
      })
    })
  )

describe("a worker", () => {
  it.live("leaves alone a task that it took while asking which tasks are still its own", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const second = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()
      const askedAgain = yield* Deferred.make<void>()
      const interrupted: Array<string> = []
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const handle = (task: HeldTask) =>
        (task.job_id === first.job.id ? Effect.never : Deferred.succeed(second, undefined).pipe(
          // By then the worker has drawn its conclusions from the first answer.
          Effect.andThen(Deferred.await(askedAgain)),
          Effect.as({ output: noopOutput(task) })
        )).pipe(Effect.onInterrupt(() => Effect.sync(() => interrupted.push(task.job_id))))
      const first = yield* jobs.create(newJob(tenant))
      yield* Effect.forkScoped(
        runWorker({ pools: [{ pool: "fetch", slots: 4, handle }], drain_seconds: 0 }).pipe(
          Effect.provide(slowTouch(asked, Deferred.await(answered), askedAgain))
        )
      )
      yield* Deferred.await(asked)
      const late = yield* jobs.create(newJob(tenant))
      yield* Deferred.await(second)
      yield* Deferred.succeed(answered, undefined)
      const sql = yield* PgClient.PgClient
      yield* Effect.repeat(
        sql<{ readonly done: boolean }>`SELECT bool_or(done) AS done FROM footnote.tasks WHERE job_id = ${late.job.id}`,
        { until: ([row]) => row?.done === true || interrupted.length > 0 }
      )
      assert.deepStrictEqual(interrupted, [])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

/** Tells of every claim, and once a worker has looked twice whether it has to claim. */
const counting = (claimed: Array<number>, lookedTwice: Deferred.Deferred<void>) =>
  Layer.effect(
    Tasks,
    Effect.map(Tasks, (tasks) => {
      let looks = 0
      return Tasks.of({
        ...tasks,
        claim: (pool, count, worker) =>
          Effect.tap(tasks.claim(pool, count, worker), (held) => Effect.sync(() => claimed.push(held.length))),
        isWaiting: (pool) =>
          Effect.tap(
            tasks.isWaiting(pool),
            () => ++looks === 2 ? Deferred.succeed(lookedTwice, undefined) : Effect.void
          )
      })
    })
  )

describe("a worker that found nothing", () => {
  it.live("claims nothing until a task is ready, and takes that one", () =>
    Effect.gen(function*() {
      const claimed: Array<number> = []
      const lookedTwice = yield* Deferred.make<void>()
      const taken = yield* Deferred.make<string>()
      const jobs = yield* Jobs
      const tenant = yield* makeTenant()
      const handle = (task: HeldTask) => Effect.as(Deferred.succeed(taken, task.job_id), { output: noopOutput(task) })
      yield* Effect.forkScoped(
        runWorker({ pools: [{ pool: "fetch", slots: 4, handle }], drain_seconds: 0 }).pipe(
          Effect.provide(counting(claimed, lookedTwice))
        )
      )
      yield* Deferred.await(lookedTwice)
      assert.deepStrictEqual(claimed, [0])
      const { job } = yield* jobs.create(newJob(tenant))
      assert.strictEqual(yield* Deferred.await(taken), job.id)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

/** Runs `renewed` each time that this job's task turned out to be still the worker's. */
const toldOfRenewals = (job_id: string, renewed: Effect.Effect<unknown>) =>
  Layer.effect(
    Tasks,
    Effect.map(Tasks, (tasks) =>
      Tasks.of({
        ...tasks,
        touch: (pool, held) =>
          Effect.tap(
            tasks.touch(pool, held),
            (ours) => held.some((task) => task.job_id === job_id && ours.has(task.id)) ? renewed : Effect.void
          )
      }))
  )

const leaves = "Tasks are no longer this worker's"

/**
 * A worker of two slots, each held by another tenant's task. One of them lost its lease and does not stop before it is released,
 * for which it is given so many seconds.
 */
const losing = Effect.fnUntraced(function*(stopSeconds: number) {
  const { lines, logged } = captured()
  const jobs = yield* Jobs
  const queue = yield* Queue
  const { recover } = yield* Janitor
  const hung = yield* Deferred.make<HeldTask>()
  const release = yield* Deferred.make<void>()
  const begun = yield* Deferred.make<void>()
  const again = yield* Deferred.make<number>()
  const renewed = yield* Deferred.make<void>()
  const told = (text: string) => lines.find((line) => line.text.startsWith(text))
  yield* jobs.create(newJob(yield* makeTenant()))
  const neighbour = yield* jobs.create(newJob(yield* makeTenant()))
  const stuck = runStage({
    fetch: () => Effect.andThen(Effect.uninterruptible(Deferred.await(release)), Effect.never)
  })
  const handle: WorkerPool["handle"] = (task, progress) => {
    if (task.job_id === neighbour.job.id) return Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
    return task.attempt === 0
      ? Effect.andThen(Deferred.succeed(hung, task), stuck(task, progress))
      : Effect.andThen(Deferred.succeed(again, task.attempt), Effect.never)
  }
  yield* Effect.forkScoped(
    runWorker({ pools: [{ pool: "fetch", slots: 2, handle }], drain_seconds: 0 }).pipe(
      Effect.provide(toldOfRenewals(
        neighbour.job.id,
        Effect.suspend(() => told(leaves) === undefined ? Effect.void : Deferred.succeed(renewed, undefined))
      )),
      Effect.provideService(StopSeconds, stopSeconds),
      logged
    )
  )
  yield* Effect.addFinalizer(() => Deferred.succeed(release, undefined))
  const task = yield* Deferred.await(hung)
  yield* Deferred.await(begun)
  yield* queue.restart("fetch", [task])
  yield* Effect.repeat(recover, { until: (recovered) => recovered === 1 })
  return { task, told, renewed: Deferred.await(renewed), again: Deferred.await(again) }
})

describe("a worker whose task does not stop when its lease is lost", () => {
  it.live("renews the leases of the others meanwhile", () =>
    Effect.gen(function*() {
      const { renewed, task, told } = yield* losing(3600)
      yield* renewed
      assert.include(told(leaves)?.annotations["task_ids"], task.id)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))

  it.live("takes the next task into its slot once its time to stop is over, and tells of it with its ids", () =>
    Effect.gen(function*() {
      const { again, task, told } = yield* losing(0)
      assert.strictEqual(yield* again, 1)
      const ids = { task_id: task.id, job_id: task.job_id, stage: "fetch", attempt: "0" }
      assert.deepInclude(told("A task has not stopped")?.annotations, ids)
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})

interface Begun {
  readonly started: WorkerProcess.Started
}

describe("worker processes", () => {
  it.live("share one job over several processes by pool and succeed together", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      const groups = [["fetch", "media"], ["fetch", "media"], ["speech", "vision"], ["speech", "vision"], [
        "extraction"
      ]] as const
      yield* Effect.forEach(groups, (pools) => WorkerProcess.start(url, { pools, at_least: 1, at_most: 5 }), {
        concurrency: "unbounded"
      })
      const { job } = yield* jobs.create(newJob(tenant, { chunks: 40, images: 40 }))
      assert.strictEqual((yield* untilTerminal(tenant, job.id)).status, "succeeded")
    }).pipe(Effect.scoped, Effect.provide(api)))

  it.live("restart elsewhere the tasks of a process that was killed, and count the attempt", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      const doomed = yield* WorkerProcess.start(url, { block: "frames", tell: true })
      const { job } = yield* jobs.create(newJob(tenant))
      yield* WorkerProcess.message(doomed, startedIn("frames"))
      const heir = yield* WorkerProcess.start(url, { pools: ["media"], tell: true })
      doomed.kill("SIGKILL")
      const { started } = yield* WorkerProcess.message<{ readonly started: WorkerProcess.Started }>(
        heir,
        startedIn("frames")
      )
      assert.strictEqual(started.attempt, 1)
      yield* WorkerProcess.start(url, { pools: ["speech", "vision", "extraction"] })
      assert.strictEqual((yield* untilTerminal(tenant, job.id)).status, "succeeded")
    }).pipe(Effect.scoped, Effect.provide(api)))

  it.live("stop a cancelled job's work in whatever process it runs", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      const worker = yield* WorkerProcess.start(url, { block: "describe", tell: true })
      const { job } = yield* jobs.create(newJob(tenant))
      yield* WorkerProcess.message(worker, startedIn("describe"))
      const stopped = yield* Effect.forkChild(WorkerProcess.message(worker, (said) => "stopped" in said), {
        startImmediately: true
      })
      yield* jobs.cancel(tenant, job.id)
      yield* Fiber.join(stopped)
    }).pipe(Effect.scoped, Effect.provide(api)))

  it.live("change nothing by what they finish after being stopped (SIGSTOP) for longer than a lease", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      // Its sleep is over when it goes on, so that it settles before it can have asked whether the task is still its own.
      const stopped = yield* WorkerProcess.start(url, { tell: true, at_least: 1500, at_most: 1501 })
      const { job } = yield* jobs.create(newJob(tenant))
      yield* WorkerProcess.message(stopped, startedIn("frames"))
      stopped.kill("SIGSTOP")
      const heir = yield* WorkerProcess.start(url)
      assert.strictEqual((yield* untilTerminal(tenant, job.id)).status, "succeeded")
      const kept = sql`SELECT
        (SELECT to_jsonb(j) FROM footnote.jobs j WHERE j.id = ${job.id}) AS job,
        (SELECT jsonb_agg(to_jsonb(a) ORDER BY a.kind) FROM footnote.artifacts a WHERE a.job_id = ${job.id}) AS artifacts,
        (SELECT jsonb_agg(jsonb_build_array(t.id, t.attempt, t.done, t.output) ORDER BY t.id) FROM footnote.tasks t
          WHERE t.job_id = ${job.id}) AS tasks`
      const before = yield* kept
      heir.kill("SIGKILL")
      stopped.kill("SIGCONT")
      // One slot in each pool: it takes another job's task only when it is done with the one that it had.
      const next = yield* jobs.create(newJob(tenant))
      assert.strictEqual((yield* untilTerminal(tenant, next.job.id)).status, "succeeded")
      assert.deepStrictEqual(yield* kept, before)
    }).pipe(Effect.scoped, Effect.provide(api)))

  it.live("are seen again as they were once the database is back after longer than their rows are kept", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const { url } = yield* Database
      yield* WorkerProcess.start(url, { pools: ["speech", "media"], slots: { media: 3 } })
      const rows = sql`SELECT to_jsonb(w) - 'seen_at' - 'started_at' AS row FROM footnote.workers w`
      const before = yield* rows
      assert.lengthOf(before, 1)
      // A minute without the database, in short: the janitor has forgotten the worker, and its session is cut.
      const holders = sql<{ readonly pid: number }>`SELECT l.pid FROM pg_locks l JOIN footnote.workers w
        ON l.objid = w.no::oid WHERE l.locktype = 'advisory' AND l.classid = ${advisoryLocks.worker} AND l.granted`
      const [holder] = yield* Effect.repeat(holders, { until: (found) => found.length > 0 })
      yield* sql`DELETE FROM footnote.workers`
      yield* Effect.promise(() => TestDatabase.execute(url, `SELECT pg_terminate_backend(${holder!.pid})`))
      const after = yield* Effect.repeat(rows, { until: (found) => found.length > 0 })
      assert.deepStrictEqual(after, before)
      // The row alone may go too, as where the machine slept: the next beat writes it.
      yield* sql`DELETE FROM footnote.workers`
      assert.deepStrictEqual(yield* Effect.repeat(rows, { until: (found) => found.length > 0 }), before)
    }).pipe(Effect.scoped, Effect.provide(api)))

  it.live("drain on SIGTERM: give back what they cannot finish and exit with 0", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      const worker = yield* WorkerProcess.start(url, { block: "fetch", tell: true })
      const { job } = yield* jobs.create(newJob(tenant))
      yield* WorkerProcess.message(worker, startedIn("fetch"))
      worker.kill("SIGTERM")
      assert.strictEqual(yield* WorkerProcess.exited(worker), 0)
      const [row] = yield* sql<{ readonly worker: number | null }>`
        SELECT worker FROM footnote.tasks WHERE job_id = ${job.id}`
      assert.isNull(row!.worker)
      assert.lengthOf(yield* sql`SELECT no FROM footnote.workers`, 0)
      yield* WorkerProcess.start(url)
      assert.strictEqual((yield* untilTerminal(tenant, job.id)).status, "succeeded")
    }).pipe(Effect.scoped, Effect.provide(api)))

  it.live("hand what they hold to a second one on SIGTERM, before they end what they had begun", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      const first = yield* WorkerProcess.start(url, { block: "fetch", lingers: true, tell: true, drain_seconds: 0 })
      const { job } = yield* jobs.create(newJob(tenant))
      const { started } = yield* WorkerProcess.message<Begun>(first, startedIn("fetch"))
      const second = yield* WorkerProcess.start(url, { tell: true })
      first.kill("SIGTERM")
      const again = yield* WorkerProcess.message<Begun>(second, startedIn("fetch"))
      assert.strictEqual(again.started.id, started.id)
      assert.isNull(first.exitCode, "the first still holds on to its imagined decoder")
      assert.strictEqual((yield* untilTerminal(tenant, job.id)).status, "succeeded")
    }).pipe(Effect.scoped, Effect.provide(api)))

  it.live("end by themselves until idle: with everything done that waited, or after so many tasks", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const sql = yield* PgClient.PgClient
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      for (let at = 0; at < 3; at++) yield* jobs.create(newJob(tenant))
      const done = sql<{ readonly pool: string; readonly done: number }>`
        SELECT pool, count(*) FILTER (WHERE done)::int AS done FROM footnote.tasks GROUP BY 1 ORDER BY 1`
      const two = yield* WorkerProcess.start(url, { pools: ["fetch"], until_idle: { max_tasks: 2 } })
      assert.strictEqual(yield* WorkerProcess.exited(two), 0)
      assert.deepStrictEqual(yield* done, [{ pool: "fetch", done: 2 }, { pool: "media", done: 0 }])
      const rest = yield* WorkerProcess.start(url, { until_idle: {} })
      assert.strictEqual(yield* WorkerProcess.exited(rest), 0)
      const [open] = yield* sql<{ readonly open: number }>`
        SELECT count(*)::int AS open FROM footnote.jobs WHERE status <> 'succeeded'`
      assert.strictEqual(open!.open, 0)
      assert.lengthOf(yield* sql`SELECT no FROM footnote.workers`, 0)
    }).pipe(Effect.scoped, Effect.provide(api)))
})
