import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../database/Rows.ts"
import { retryTransient } from "../../database/Transient.ts"
import { EndedJob, JobHooks } from "./JobHooks.ts"

const BatchState = Schema.Struct({
  closed: Schema.Boolean,
  completed: Schema.Boolean
})
const ActiveRow = Schema.Struct({
  active: Schema.Finite
})
const BatchIdRow = Schema.Struct({
  batch_id: Schema.String
})
const IdRow = Schema.Struct({
  id: Schema.String
})

/** A request judges its items one after the other; one that takes longer than this has died. */
const openMinutes = 15

/**
 * Completes batches: once, when every item has been judged and no job of it is at work any more, together with the event that
 * tells so. A batch whose request died is closed after 15 minutes with what it had made.
 */
export class BatchEnds extends Context.Service<BatchEnds, {
  /** A job has become terminal: part of the transaction that made it so. */
  readonly jobEnded: (job: EndedJob) => Effect.Effect<void, SqlError>
  /** No item comes to it any more. */
  readonly close: (batch_id: string) => Effect.Effect<void, SqlError>
  /** Closes those that nobody closed; answers how many. */
  readonly closeAbandoned: Effect.Effect<number, SqlError>
}>()("footnote/jobs/engine/BatchEnds") {
  static readonly layer = Layer.effect(
    BatchEnds,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hooks = yield* JobHooks

      /** By its id alone: whoever waits here sees whether the other one has closed it. */
      const lock = Effect.fnUntraced(function*(batch_id: string) {
        const [batch] = yield* rowsOf(BatchState)(
          sql`
          SELECT closed_at IS NOT NULL AS closed, completed_at IS NOT NULL AS completed
          FROM footnote.batches WHERE id = ${batch_id} FOR NO KEY UPDATE`.unprepared
        )
        return batch
      })

      const complete = Effect.fnUntraced(function*(batch_id: string, last: EndedJob | undefined) {
        // A statement of its own: its snapshot is taken after the lock.
        const [jobs] = yield* rowsOf(ActiveRow)(
          sql`
          SELECT count(*)::int AS active FROM footnote.batch_items i JOIN footnote.jobs j ON j.id = i.job_id
          WHERE i.batch_id = ${batch_id} AND j.status IN ('queued', 'running')`.unprepared
        )
        if (jobs!.active > 0) return
        yield* sql`UPDATE footnote.batches SET completed_at = now() WHERE id = ${batch_id}`.unprepared
        // Where no item became a job there is nobody to tell beside the caller, who was told at once.
        if (last !== undefined) yield* hooks.batchCompleted(last, batch_id)
      })

      const close = (batch_id: string) =>
        retryTransient(sql.withTransaction(Effect.gen(function*() {
          // The end of a job that was made before the batch may have looked for batches before this one had it, and not be committed yet.
          yield* sql`SELECT FROM footnote.jobs WHERE status IN ('queued', 'running')
            AND id IN (SELECT job_id FROM footnote.batch_items WHERE batch_id = ${batch_id})
            ORDER BY id FOR SHARE`.unprepared
          const batch = yield* lock(batch_id)
          if (batch === undefined || batch.closed) return
          yield* sql`UPDATE footnote.batches SET closed_at = now() WHERE id = ${batch_id}`.unprepared
          const [last] = yield* rowsOf(EndedJob)(
            sql`
            SELECT j.id, j.tenant_id, t.weight FROM footnote.batch_items i JOIN footnote.jobs j ON j.id = i.job_id
              JOIN footnote.tenants t ON t.id = j.tenant_id
            WHERE i.batch_id = ${batch_id} ORDER BY j.finished_at DESC NULLS LAST, j.id LIMIT 1`.unprepared
          )
          yield* complete(batch_id, last)
        })))

      return BatchEnds.of({
        close,
        jobEnded: Effect.fnUntraced(function*(job) {
          const batches = yield* rowsOf(BatchIdRow)(
            sql`
            SELECT DISTINCT batch_id FROM footnote.batch_items WHERE job_id = ${job.id} ORDER BY batch_id`.unprepared
          )
          for (const { batch_id } of batches) {
            const batch = yield* lock(batch_id)
            if (batch?.closed === true && !batch.completed) yield* complete(batch_id, job)
          }
        }),
        closeAbandoned: Effect.gen(function*() {
          const abandoned = yield* rowsOf(IdRow)(
            sql`
            SELECT id FROM footnote.batches
            WHERE closed_at IS NULL AND created_at < now() - make_interval(mins => ${openMinutes})
            ORDER BY created_at LIMIT 100`.unprepared
          )
          for (const { id } of abandoned) yield* close(id)
          return abandoned.length
        })
      })
    })
  )
}
