import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { ChildProcess } from "node:child_process"
import { Database } from "../../src/database/Database.ts"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { layerSealing, makeTenant, newJob } from "../../test/support/TestEngine.ts"
import * as WorkerProcess from "../../test/support/WorkerProcess.ts"
import { processorMillisOf, serverOf } from "./ProcessorTime.ts"

/** What the engine takes of processors and of the log, in a stretch of time. */
interface Spent {
  readonly seconds: number
  readonly worker_ms: number
  readonly postgres_ms: number
  readonly wal_bytes: number
  readonly transactions: number
}

export interface Scale {
  readonly workers: number
  /** Of the stage of fixed cost, once its slots are no more in step and while there is work for all of them. */
  readonly tasks_per_second: number
  /** From the first start until as many tasks were begun as there are slots: what jobs take to come as far as this stage, through the one worker of the others. */
  readonly filled_seconds: number
  /** Of what so many workers could do if the engine cost nothing. */
  readonly of_linear: number
  /** Processor time of all workers of the stage, and of PostgreSQL, by task. */
  readonly worker_ms_per_task: number
  readonly postgres_ms_per_task: number
  readonly wal_kib_per_task: number
  readonly connections: number
  /** Processor time of a worker that has nothing to do, and of PostgreSQL for it, in a second. */
  readonly idle_worker_ms: number
  readonly idle_postgres_ms: number
  /** Of one worker that has nothing to do, in a second. */
  readonly idle_transactions: number
  readonly idle_wal_bytes: number
}

/** What one worker holds at once. */
const slots = 4

/**
 * How often each slot is used. In the first turn each task takes any part of its time, so that the slots of a fleet do not begin and end
 * at one moment: in step, 127 tasks of 30 s that ended within 3 s took two processors 2 s to hand on, which was told as 0.93 of linear;
 * at least half of its time, 256 ended within 15 s and were told as 0.68. In the last the line runs dry.
 */
const turns = 5

/** A stage has so many tasks in line at most (`EngineOptions.window`), of which half are held. */
const tasksPerJob = 32

const idleSeconds = 5

/**
 * What each slot does before anything is measured, with tasks of no more than this: a process that has just started interprets its code,
 * and took 70 ms of processor time for a task where one that had run took 22. No deployment's workers are that young for long.
 */
const warmUp = { turns: 3, millis: 200 }

const speechWorker = { pools: ["speech"], slots: { speech: slots - 1 } } as const

const startsOf = (child: ChildProcess) => WorkerProcess.startsOf(child, "transcribe")

/** What passes until `work` is done. */
const spending = Effect.fnUntraced(function*<A, E, R>(
  folder: string,
  pids: ReadonlyArray<number>,
  work: Effect.Effect<A, E, R>
) {
  const sql = yield* PgClient.PgClient
  const look = Effect.gen(function*() {
    const [counts] = yield* sql<{ readonly lsn: string; readonly transactions: number }>`
      SELECT pg_current_wal_lsn()::text AS lsn, xact_commit::float8 AS transactions
      FROM pg_stat_database WHERE datname = current_database()`
    return {
      ...counts!,
      at: performance.now(),
      worker_ms: processorMillisOf(pids),
      postgres_ms: processorMillisOf(serverOf(folder))
    }
  })
  const before = yield* look
  const done = yield* work
  const after = yield* look
  const [wal] = yield* sql<{ readonly bytes: number }>`
    SELECT pg_wal_lsn_diff(${after.lsn}::pg_lsn, ${before.lsn}::pg_lsn)::float8 AS bytes`
  const spent: Spent = {
    seconds: (after.at - before.at) / 1000,
    worker_ms: after.worker_ms - before.worker_ms,
    postgres_ms: after.postgres_ms - before.postgres_ms,
    wal_bytes: wal!.bytes,
    transactions: after.transactions - before.transactions
  }
  return { done, spent }
})

/** Jobs over `workers` processes whose speech tasks take a fixed time each, after a look at the same processes without work. */
const run = Effect.fnUntraced(function*(folder: string, workers: number, taskMillis: number) {
  const jobs = yield* Jobs
  const sql = yield* PgClient.PgClient
  const { url } = yield* Database
  yield* WorkerProcess.start(url, { pools: ["fetch", "media", "vision", "extraction", "delivery"] })
  const started = yield* Effect.forEach(
    Array.from({ length: workers }),
    () => WorkerProcess.start(url, { ...speechWorker, at_least: warmUp.millis, at_most: warmUp.millis, tell: true })
  )
  const pids = started.map((child) => child.pid!)

  // Of one tenant: where two meet, they share the processors of their machine, and these processes are all on this one. Nobody is
  // given the last slot, so the tasks are as many as fill the others some times over: with 32 tasks for each worker eight of them
  // took a ninth turn for the last few, which was told as 0.89 of linear.
  const most = workers * slots - 1
  const tenant = yield* makeTenant({ max_running: 1000 })
  const done = Effect.fnUntraced(function*(tasks: number) {
    const chunks = Array.from(
      { length: Math.ceil(tasks / tasksPerJob) },
      (_, at) => Math.min(tasksPerJob, tasks - at * tasksPerJob)
    )
    const made = yield* Effect.forEach(chunks, (chunks) => jobs.create(newJob(tenant, { chunks, video: false })))
    for (const { job } of made) yield* jobs.waitUntilTerminal(tenant, job.id, 600)
  })
  yield* done(most * warmUp.turns)
  const warm = started.map((child) => startsOf(child).length)
  for (const child of started) child.send({ at_least: taskMillis, at_most: taskMillis, staggered: slots })
  const { spent: idle } = yield* spending(folder, pids, Effect.sleep(`${idleSeconds} seconds`))
  const tasks = most * turns
  const { spent } = yield* spending(folder, pids, done(tasks))
  const starts = started.flatMap((child, at) => startsOf(child).slice(warm[at])).toSorted((a, b) => a - b)
  if (starts.length !== tasks) return yield* Effect.die(new Error(`${tasks} tasks were started ${starts.length} times`))
  const [connections] = yield* sql<{ readonly n: number }>`
    SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()`
  const full = starts[most - 1]!
  const even = starts.findIndex((at) => at >= full + taskMillis)
  const last = tasks - most
  const tasks_per_second = ((last - even) * 1000) / (starts[last]! - starts[even]!)
  const each = (amount: number) => amount / idle.seconds / workers
  return {
    workers,
    tasks_per_second,
    filled_seconds: (full - starts[0]!) / 1000,
    of_linear: tasks_per_second / ((most * 1000) / taskMillis),
    worker_ms_per_task: spent.worker_ms / tasks,
    postgres_ms_per_task: spent.postgres_ms / tasks,
    wal_kib_per_task: spent.wal_bytes / 1024 / tasks,
    connections: connections!.n,
    idle_worker_ms: each(idle.worker_ms),
    idle_postgres_ms: each(idle.postgres_ms),
    idle_transactions: each(idle.transactions),
    idle_wal_bytes: each(idle.wal_bytes)
  }
}, Effect.scoped)

/** The engine's own share of the time, by worker processes: their work is a wait, so two processors can show many of them. */
export const measureWorkers = async (
  folder: string,
  counts: ReadonlyArray<number>,
  taskMillis: number
): Promise<ReadonlyArray<Scale>> => {
  // 64 that begin at one moment found none left of 242, though each holds three once it works.
  const max_connections = 200 + 6 * Math.max(...counts)
  const layer = Layer.unwrap(
    Effect.map(
      EmbeddedPostgres,
      ({ owner_url: owner, url }) =>
        Engine.layerApi.pipe(Layer.provide(layerSealing), Layer.provideMerge(Database.layerUrl(url, { owner })))
    )
  ).pipe(Layer.provide(EmbeddedPostgres.layer({ dataDir: folder, max_connections })), Layer.provide(NodeServices.layer))
  return await Effect.runPromise(
    Effect.provide(Effect.forEach(counts, (workers) => run(folder, workers, taskMillis)), layer)
  )
}
