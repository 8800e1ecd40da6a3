import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Layer } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../src/database/Database.ts"
import { EmbeddedPostgres } from "../src/database/EmbeddedPostgres.ts"
import type { TenantId } from "../src/identity/Id.ts"
import * as Engine from "../src/jobs/Engine.ts"
import { Jobs } from "../src/jobs/Jobs.ts"
import { layerSealing, makeTenant, newJob } from "../test/support/TestEngine.ts"
import * as WorkerProcess from "../test/support/WorkerProcess.ts"

export interface QueueReport {
  /** From the call of `create` to the handler of the first stage in another process, on an idle service. */
  readonly pickup_p50_ms: number
  readonly pickup_p99_ms: number
  /** One stage of 500 no-op tasks over two worker processes, book-keeping included. */
  readonly tasks_per_second: number
  /** From `kill -9` of a worker that holds 10 tasks until all of them run elsewhere. */
  readonly restart_ms: number
  /** From SIGTERM of a worker without time to finish what it holds until all 10 tasks of it run elsewhere, the worst of 10 times. */
  readonly handed_on_ms: number
  /** From the call of `cancel` to the interruption of the handler in another process. */
  readonly cancel_ms: number
}

const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

const startedIn = (stage: string) => (said: Record<string, unknown>) =>
  (said.started as WorkerProcess.Started | undefined)?.stage === stage

const pickup = Effect.fnUntraced(function*(tenant: TenantId, rounds: number) {
  const jobs = yield* Jobs
  const { url } = yield* Database
  const worker = yield* WorkerProcess.start(url, { tell: true })
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = yield* Effect.forkChild(WorkerProcess.message(worker, startedIn("fetch")), {
      startImmediately: true
    })
    const began = performance.now()
    const { job } = yield* jobs.create(newJob(tenant, { chunks: 1, images: 1 }))
    yield* Fiber.join(started)
    times.push(performance.now() - began)
    yield* jobs.waitUntilTerminal(tenant, job.id, 30)
  }
  return times
}, Effect.scoped)

const fanOut = Effect.fnUntraced(function*(tenant: TenantId) {
  const jobs = yield* Jobs
  const sql = yield* PgClient.PgClient
  const { url } = yield* Database
  for (let at = 0; at < 2; at++) yield* WorkerProcess.start(url, { slots: { speech: 32 } })
  const rates: Array<number> = []
  for (let round = 0; round < 3; round++) {
    const { job } = yield* jobs.create(newJob(tenant, { chunks: 500, video: false }))
    yield* jobs.waitUntilTerminal(tenant, job.id, 60)
    const [stage] = yield* sql<{ readonly seconds: number }>`
      SELECT extract(epoch FROM finished_at - started_at)::float8 AS seconds FROM footnote.stages
      WHERE job_id = ${job.id} AND name = 'transcribe'`
    rates.push(500 / stage!.seconds)
  }
  return percentile(rates, 0.5)
}, Effect.scoped)

/** From the signal to a worker that holds 10 tasks until another one has begun all of them. */
const elsewhere = Effect.fnUntraced(function*(tenant: TenantId, signal: "SIGKILL" | "SIGTERM") {
  const jobs = yield* Jobs
  const { url } = yield* Database
  const slots = { speech: 10 }
  const first = yield* WorkerProcess.start(url, { block: "transcribe", tell: true, slots, drain_seconds: 0 })
  const { job } = yield* jobs.create(newJob(tenant, { chunks: 10, video: false }))
  for (let held = 0; held < 10; held++) yield* WorkerProcess.message(first, startedIn("transcribe"))
  const heir = yield* WorkerProcess.start(url, { tell: true, slots })
  const began = performance.now()
  first.kill(signal)
  for (let held = 0; held < 10; held++) yield* WorkerProcess.message(heir, startedIn("transcribe"))
  const taken = performance.now() - began
  yield* jobs.waitUntilTerminal(tenant, job.id, 30)
  return taken
}, Effect.scoped)

const cancel = Effect.fnUntraced(function*(tenant: TenantId) {
  const jobs = yield* Jobs
  const { url } = yield* Database
  const worker = yield* WorkerProcess.start(url, { block: "frames", tell: true })
  const { job } = yield* jobs.create(newJob(tenant))
  yield* WorkerProcess.message(worker, startedIn("frames"))
  const stopped = yield* Effect.forkChild(WorkerProcess.message(worker, (said) => "stopped" in said), {
    startImmediately: true
  })
  const began = performance.now()
  yield* jobs.cancel(tenant, job.id)
  yield* Fiber.join(stopped)
  return performance.now() - began
}, Effect.scoped)

const worst = <E, R>(rounds: number, measured: Effect.Effect<number, E, R>) =>
  Effect.map(Effect.forEach(Array.from({ length: rounds }), () => measured), (times) => Math.max(...times))

/** Measures the engine with stages that do nothing, on a private PostgreSQL with a durable disk. */
export const run = async (): Promise<QueueReport> => {
  const folder = await mkdtemp(join(tmpdir(), "footnote-bench-"))
  const layer = Layer.unwrap(
    Effect.map(
      EmbeddedPostgres,
      ({ owner_url: owner, url }) =>
        Engine.layerApi.pipe(Layer.provide(layerSealing), Layer.provideMerge(Database.layerUrl(url, { owner })))
    )
  ).pipe(
    Layer.provide(EmbeddedPostgres.layer({ dataDir: join(folder, "postgres") })),
    Layer.provide(NodeServices.layer)
  )
  const program = Effect.gen(function*() {
    const tenant = yield* makeTenant()
    const times = yield* pickup(tenant, 100)
    return {
      pickup_p50_ms: percentile(times, 0.5),
      pickup_p99_ms: percentile(times, 0.99),
      tasks_per_second: yield* fanOut(tenant),
      restart_ms: yield* elsewhere(tenant, "SIGKILL"),
      handed_on_ms: yield* worst(10, elsewhere(tenant, "SIGTERM")),
      cancel_ms: yield* cancel(tenant)
    }
  })
  const report = await Effect.runPromise(Effect.provide(program, layer))
  await rm(folder, { recursive: true, force: true })
  const shown = Object.entries(report).map(([name, value]) => [name, Math.round(value * 10) / 10])
  console.table(Object.fromEntries(shown))
  console.log(`${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`)
  return report
}

if (import.meta.main) await run()
