import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { Database } from "../../src/database/Database.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { runWorker } from "../../workers/engine/Worker.ts"
import { noopWorker } from "./NoopStages.ts"
import { layerSealing, makeTenant, newJob, untilTerminal } from "./TestEngine.ts"

/** Of the machine that is lost. */
const sessions = "pg_stat_activity WHERE client_addr = '10.231.7.2'"

const far = process.env["FOOTNOTE_FAR"] ?? ""

/** No FIN and no RST: nothing goes through any more. */
const cutOff = () => execFileSync("ip", ["-n", far, "link", "set", "far", "down"])

const tell = (seen: object) => process.stdout.write(`${JSON.stringify(seen)}\n`)

/** The near machine: takes a job, sees it begun on the far one, cuts that off and waits for the job's end and for the locks. */
const watch = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const jobs = yield* Jobs
  const tenant = yield* makeTenant()
  const { job } = yield* jobs.create(newJob(tenant))
  yield* Effect.repeat(sql`SELECT FROM footnote.tasks WHERE worker IS NOT NULL`, { until: (rows) => rows.length > 0 })
  cutOff()
  yield* Effect.forkScoped(runWorker(noopWorker()))
  const { status } = yield* untilTerminal(tenant, job.id)
  const [seen] = yield* sql<{ readonly lease_ms: number }>`
    SELECT extract(epoch FROM now() - started_at)::float8 * 1000 AS lease_ms FROM footnote.jobs WHERE id = ${job.id}`
  const locks = sql.unsafe(`SELECT FROM pg_locks JOIN (SELECT pid FROM ${sessions}) far USING (pid)`)
  yield* Effect.repeat(locks, { until: (rows) => rows.length === 0 })
  tell({ status, seconds: seen!.lease_ms / 1000 })
}).pipe(Effect.scoped)

const Services = Layer.unwrap(
  Effect.map(
    Config.Redacted("DATABASE_URL"),
    (url) =>
      Layer.merge(Engine.layerApi, Engine.layerWorker).pipe(
        Layer.provide(layerSealing),
        Layer.provideMerge(Database.layerUrl(url))
      )
  )
).pipe(Layer.provideMerge(NodeServices.layer))

NodeRuntime.runMain(Effect.provide(process.argv[2] === "watch" ? watch : Effect.void, Services))
