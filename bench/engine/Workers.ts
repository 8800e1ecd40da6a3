import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { EmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { layerSealing, makeTenant, newJob } from "../../test/support/TestEngine.ts"
import * as WorkerProcess from "../../test/support/WorkerProcess.ts"

export interface Scale {
  readonly workers: number
  /** Of the stage of fixed cost. */
  readonly tasks_per_second: number
  /** Of what so many workers could do if the engine cost nothing. */
  readonly of_linear: number
  readonly wal_kib_per_job: number
  readonly connections: number
}

/** What one worker holds at once. */
const slots = 4

/** Jobs over `workers` processes whose speech tasks take a fixed time each. */
const run = Effect.fnUntraced(function*(workers: number, taskMillis: number) {
  const jobs = yield* Jobs
  const sql = yield* PgClient.PgClient
  const { url } = yield* Database
  // Of one tenant: where two meet, they share the processors of their machine, and these processes are all on this one.
  const tenant = yield* makeTenant()
  const tenants = [tenant, tenant]
  yield* WorkerProcess.start(url, { pools: ["fetch", "media", "vision", "extraction", "delivery"] })
  for (let at = 0; at < workers; at++) {
    yield* WorkerProcess.start(url, {
      pools: ["speech"],
      slots: { speech: slots - 1 },
      at_least: taskMillis,
      at_most: taskMillis
    })
  }
  const lsn = sql<{ readonly lsn: string }>`SELECT pg_current_wal_lsn()::text AS lsn`
  const [before] = yield* lsn
  const chunks = workers * slots * 4
  const made = yield* Effect.forEach(tenants, (tenant) => jobs.create(newJob(tenant, { chunks, video: false })))
  for (const [at, { job }] of made.entries()) yield* jobs.waitUntilTerminal(tenants[at]!, job.id, 240)
  const [after] = yield* sql<{ readonly bytes: number; readonly connections: number }>`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), ${before!.lsn}::pg_lsn)::float8 AS bytes,
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections`
  const [stage] = yield* sql<{ readonly seconds: number }>`
    SELECT extract(epoch FROM max(finished_at) - min(started_at))::float8 AS seconds FROM footnote.stages
    WHERE job_id IN ${sql.in(made.map(({ job }) => job.id))} AND name = 'transcribe'`
  const tasks_per_second = (2 * chunks) / stage!.seconds
  return {
    workers,
    tasks_per_second,
    of_linear: tasks_per_second / ((workers * slots * 1000) / taskMillis),
    wal_kib_per_job: after!.bytes / 1024 / made.length,
    connections: after!.connections
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
  return await Effect.runPromise(Effect.provide(Effect.forEach(counts, (workers) => run(workers, taskMillis)), layer))
}
