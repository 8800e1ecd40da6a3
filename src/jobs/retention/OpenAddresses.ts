import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Sealing } from "../../crypto/Sealing.ts"
import { rowsOf } from "../../database/Rows.ts"
import { JobId, TenantId } from "../../identity/Id.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import { plainSource, sealAddresses } from "../model/JobAddresses.ts"

/** Short transactions: nobody who wants one of these jobs waits long. */
const batch = 100

const OpenRow = Schema.Struct({
  id: JobId,
  tenant_id: TenantId,
  // Of which the rest is written back as it is.
  spec: Schema.Struct({ source_uri: Schema.String }),
  webhook_url: Schema.NullOr(Schema.String)
})
type OpenRow = typeof OpenRow.Type

const FetchRow = Schema.Struct({ id: Schema.String, input: Schema.Struct({ source_uri: Schema.String }) })

/** Seals the addresses that an earlier version, or an API process of one that still runs, wrote in plain text. */
export class OpenAddresses extends Context.Service<OpenAddresses, {
  /** Answers how many jobs it sealed. Jobs that somebody holds are left to the next round; so is everything after a fault. */
  readonly seal: Effect.Effect<number, SqlError>
}>()("footnote/jobs/retention/OpenAddresses") {
  static readonly layer = Layer.effect(OpenAddresses, Effect.suspend(() => make))

  /** A round at the start and every hour, for the life of the scope. */
  static readonly layerRunning = Layer.effectDiscard(Effect.gen(function*() {
    const { seal } = yield* OpenAddresses
    yield* Effect.forkScoped(
      seal.pipe(
        tolerated("The sealing of earlier jobs' addresses", "tried again in an hour"),
        Effect.repeat(Schedule.spaced("1 hour"))
      )
    )
  })).pipe(Layer.provide(OpenAddresses.layer))
}

const make = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const sealing = yield* Sealing

  const sealOne = Effect.fnUntraced(function*({ id, spec, tenant_id, webhook_url }: OpenRow) {
    const { source_uri, ...sealed } = sealAddresses(sealing, { id, tenant_id }, spec.source_uri, webhook_url)
    yield* sql`UPDATE footnote.jobs SET addresses_sealed = true, webhook_url = NULL,
        spec = ${JSON.stringify({ ...spec, source_uri })}::json, source_sealed = ${sealed.source_sealed},
        webhook_sealed = ${sealed.webhook_sealed}, webhook_endpoint = ${sealed.webhook_endpoint}
      WHERE id = ${id}`.unprepared
    if (sealed.source_sealed === null) return
    const tasks = yield* rowsOf(FetchRow)(sql`
      SELECT id, input FROM footnote.tasks WHERE job_id = ${id} AND stage = 'fetch'`)
    for (const task of tasks) {
      const input = { ...task.input, source_uri: plainSource(task.input.source_uri) }
      yield* sql`UPDATE footnote.tasks SET input = ${JSON.stringify(input)}::json WHERE id = ${task.id}`
    }
  })

  const some = sql.withTransaction(Effect.gen(function*() {
    const rows = yield* rowsOf(OpenRow)(sql`SELECT id, tenant_id, spec, webhook_url FROM footnote.jobs
      WHERE NOT addresses_sealed ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED`)
    yield* Effect.forEach(rows, sealOne, { discard: true })
    return rows.length
  }))

  return OpenAddresses.of({
    seal: Effect.gen(function*() {
      let [all, last] = [0, batch]
      while (last === batch) all += last = yield* some
      if (all > 0) yield* Effect.logInfo(`Sealed the addresses of ${all} jobs of an earlier version`)
      return all
    })
  })
})
