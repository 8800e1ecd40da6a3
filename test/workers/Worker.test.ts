import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { makeTenant, newJob } from "../support/TestEngine.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

/** As the API process is: creates and watches, takes its turn as the janitor, works on nothing. */
const api = Layer.unwrap(
  Effect.map(
    Effect.promise(TestDatabase.create),
    (url) => Engine.layerApi.pipe(Layer.provideMerge(Database.layerUrl(url)))
  )
).pipe(Layer.provide(NodeServices.layer))

const startedIn = (stage: string) => (said: Record<string, unknown>) =>
  (said.started as WorkerProcess.Started | undefined)?.stage === stage

describe("worker processes", () => {
  it.live("share one job over several processes by pool and succeed together", () =>
    Effect.gen(function*() {
      const jobs = yield* Jobs
      const { url } = yield* Database
      const tenant = yield* makeTenant()
      const groups = [["media"], ["media"], ["speech", "vision"], ["speech", "vision"], ["extraction"]] as const
      yield* Effect.forEach(groups, (pools) => WorkerProcess.start(url, { pools, at_least: 1, at_most: 5 }), {
        concurrency: "unbounded"
      })
      const { job } = yield* jobs.create(newJob(tenant, { chunks: 40, images: 40 }))
      assert.strictEqual((yield* jobs.waitUntilTerminal(tenant, job.id, 60)).status, "succeeded")
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
      assert.strictEqual((yield* jobs.waitUntilTerminal(tenant, job.id, 60)).status, "succeeded")
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
      assert.strictEqual((yield* jobs.waitUntilTerminal(tenant, job.id, 60)).status, "succeeded")
    }).pipe(Effect.scoped, Effect.provide(api)))
})
