import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { Database } from "../../src/database/Database.ts"
import { newId, type TenantId } from "../../src/identity/Id.ts"
import * as Engine from "../../src/jobs/Engine.ts"
import { EngineOptions } from "../../src/jobs/engine/EngineOptions.ts"
import type { NewJob } from "../../src/jobs/engine/Intake.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { isTerminal } from "../../src/jobs/model/Job.ts"
import { type ImaginedSource, imaginedSpec } from "./NoopStages.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** A key of tests. */
export const layerSealing = Sealing.layerKey(Redacted.make(new Uint8Array(32).fill(7)))

/** The engine over a database of its own, with nothing running by itself. Retries are immediate unless told otherwise. */
export const layer = (options: Partial<EngineOptions> = {}) => {
  const defaults = { ...Effect.runSync(EngineOptions), retry_delay_seconds: 0, restart_grace_seconds: 0 }
  return Layer.unwrap(Effect.map(Effect.promise(TestDatabase.create), (url) =>
    Engine.layer.pipe(
      Layer.provide(layerSealing),
      Layer.provide(Layer.succeed(EngineOptions, { ...defaults, ...options })),
      Layer.provideMerge(Database.layerUrl(url, { maxConnections: 16 }))
    ))).pipe(Layer.provide(NodeServices.layer))
}

export type Services = ReturnType<typeof layer> extends Layer.Layer<infer A, infer _E, infer _R> ? A : never

export interface TenantLimits {
  readonly max_active?: number
  readonly max_running?: number
  readonly weight?: number
  readonly cost_quota?: number
}

export const makeTenant = Effect.fnUntraced(function*(limits: TenantLimits = {}) {
  const sql = yield* PgClient.PgClient
  const id = yield* newId("ten")
  yield* sql`INSERT INTO footnote.tenants ${
    sql.insert({ id, name: "test", max_active: 10_000, max_running: 1000, ...limits })
  }`
  return id
})

export const newJob = (tenant_id: TenantId, source: ImaginedSource = {}, more: Partial<NewJob> = {}): NewJob => ({
  tenant_id,
  spec: imaginedSpec(source),
  destination_ids: [],
  webhook_url: null,
  webhook_secret: null,
  metadata: {},
  request_id: null,
  ...more
})

/** The job once it is terminal, however long a loaded machine takes: only the test's own limit ends the wait. */
export const untilTerminal = (tenant_id: TenantId, id: string) =>
  Effect.flatMap(
    Jobs,
    (jobs) => Effect.repeat(jobs.waitUntilTerminal(tenant_id, id, 60), { until: ({ status }) => isTerminal(status) })
  )
