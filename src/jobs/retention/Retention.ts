import { Context, DateTime, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../../database/AdvisoryLocks.ts"
import { rowsOf } from "../../database/Rows.ts"
import { JobId, TenantId } from "../../identity/Id.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import { Erasure } from "./Erasure.ts"

/** Small enough that a round which is killed has little to do again. */
const batch = 50

const Due = Schema.Struct({
  id: JobId,
  tenant_id: TenantId,
  /** As PostgreSQL writes it, to the microsecond: a `Date` comes before all that was written in one transaction. */
  sort: Schema.String
})
type Due = typeof Due.Type

/**
 * Erases jobs whose tenant keeps them for `retention_days` from their end, as `DELETE /v1/jobs/{id}` does. A tenant without
 * that setting keeps its jobs for ever. A round may be killed anywhere: the next one goes on, and finishes what was erased
 * in the rows but not in the blobs. Among processes one at a time has a round.
 */
export class Retention extends Context.Service<Retention, {
  /** Answers how many jobs were erased. A job that cannot be erased now is logged and left to the next round. */
  readonly sweep: Effect.Effect<number, SqlError>
}>()("footnote/jobs/retention/Retention") {
  static readonly layer = Layer.effect(Retention, Effect.suspend(() => make))

  /** A round every quarter of an hour, for the life of the scope. */
  static readonly layerRunning = Layer.effectDiscard(Effect.gen(function*() {
    const { sweep } = yield* Retention
    yield* Effect.forkScoped(
      sweep.pipe(
        tolerated("The sweep of jobs past their retention", "tried again in 15 minutes"),
        Effect.repeat(Schedule.spaced("15 minutes"))
      )
    )
  })).pipe(Layer.provide(Retention.layer))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { eraseOwned } = yield* Erasure

  const expired = (now: Date, after: Due | undefined) =>
    rowsOf(Due)(
      sql`
      SELECT j.id, j.tenant_id, j.finished_at::text AS sort FROM footnote.tenants t
      JOIN footnote.jobs j ON j.tenant_id = t.id AND j.finished_at < ${now}::timestamptz - make_interval(days => t.retention_days)
      WHERE t.retention_days IS NOT NULL AND j.deleted_at IS NULL
        ${after === undefined ? sql`` : sql`AND (j.finished_at, j.id) > (${after.sort}::timestamptz, ${after.id})`}
      ORDER BY j.finished_at, j.id LIMIT ${batch}`.unprepared
    )

  // Whoever erased it may have died before its bytes were gone, and a worker that was stopping may have written after.
  const justErased = (now: Date, after: Due | undefined) =>
    rowsOf(Due)(
      sql`
      SELECT id, tenant_id, deleted_at::text AS sort FROM footnote.jobs
      WHERE deleted_at < ${now}::timestamptz - interval '1 minute' AND deleted_at > ${now}::timestamptz - interval '1 hour'
        ${after === undefined ? sql`` : sql`AND (deleted_at, id) > (${after.sort}::timestamptz, ${after.id})`}
      ORDER BY deleted_at, id LIMIT ${batch}`.unprepared
    )

  const eraseAll = Effect.fnUntraced(function*(
    next: (now: Date, after: Due | undefined) => Effect.Effect<ReadonlyArray<Due>, SqlError>
  ) {
    const now = DateTime.toDateUtc(yield* DateTime.now)
    let erased = 0
    for (let after: Due | undefined;;) {
      const due = yield* next(now, after)
      for (const { id, tenant_id } of due) {
        erased += yield* eraseOwned(tenant_id, id).pipe(
          Effect.as(1),
          Effect.catchCause((cause) =>
            Effect.as(
              Effect.annotateLogs(
                Effect.logWarning("A job past its retention could not be erased; the next sweep tries again", cause),
                { job_id: id }
              ),
              0
            )
          )
        )
      }
      after = due.at(-1)
      if (due.length < batch) return erased
    }
  })

  const sweep = Effect.scoped(Effect.gen(function*() {
    const session = yield* sql.reserve
    const [got] = yield* session.executeValues(`SELECT pg_try_advisory_lock(${advisoryLocks.retention}, 0)`, [])
    if (got?.[0] !== true) return 0
    yield* Effect.addFinalizer(() =>
      Effect.ignore(session.executeRaw(`SELECT pg_advisory_unlock(${advisoryLocks.retention}, 0)`, []))
    )
    const erased = yield* eraseAll(expired)
    yield* eraseAll(justErased)
    if (erased > 0) yield* Effect.logInfo(`Retention: ${erased} jobs erased`)
    return erased
  }))

  return Retention.of({ sweep: Effect.withSpan(sweep, "Retention.sweep") })
})
