import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { toInstant } from "../../database/Instant.ts"
import { rowsOf, tenantRowsOf } from "../../database/Rows.ts"
import { TenantSql } from "../../database/TenantSql.ts"
import { InvalidRequest } from "../../errors/RequestErrors.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { isId, type JobId, type TenantId } from "../../identity/Id.ts"
import { Signals } from "../../queue/Signals.ts"
import { Blobs } from "../../storage/Blobs.ts"
import { type DeletedJob, JobNotFound, JobStatus } from "../model/Job.ts"
import { removeErasedBytes } from "./ErasedBytes.ts"

const DeletedRow = Schema.Struct({
  deleted_at: Schema.Date
})
const WorkerRow = Schema.Struct({
  worker: Schema.NullOr(Schema.Finite)
})

type Erased = Effect.Effect<DeletedJob, JobNotFound | InvalidRequest>

/** Takes a job out of the world on its owner's word. */
export class Erasure extends Context.Service<Erasure, {
  /**
   * Erases a terminal job: it is gone from every read at once, then its bytes go; where an extraction still works from them,
   * with its end. What is left is who had it, when, how it
   * ended and what it took, which usage is counted from. Deliveries of it that have not begun are cancelled. Idempotent; a
   * repetition finishes what a crash left. A job that is still at work has to be cancelled first: `INVALID_REQUEST`.
   */
  readonly erase: (id: string) => Effect.Effect<DeletedJob, JobNotFound | InvalidRequest, CurrentTenant>
  /** The same for whoever keeps a tenant's rules, such as how long jobs are kept. */
  readonly eraseOwned: (tenant_id: TenantId, id: string) => Erased
}>()("footnote/jobs/retention/Erasure") {
  static readonly layer = Layer.effect(Erasure, Effect.suspend(() => make))
}

const Found = Schema.Struct({
  status: JobStatus,
  finished: Schema.Boolean,
  extracted_from: Schema.NullOr(Schema.String)
})

const make = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const { inTenant, sql: tenantSql } = yield* TenantSql
  const blobs = yield* Blobs
  const signals = yield* Signals

  /** Rows that say what the job was about. */
  const forget = Effect.fnUntraced(function*(id: JobId) {
    const [row] = yield* rowsOf(DeletedRow)(sql`
      UPDATE footnote.jobs SET deleted_at = coalesce(deleted_at, date_trunc('milliseconds', now())),
        spec = json_build_object('source_uri', '', 'json_schema', true, 'schema_id', null, 'hints', '{}'::json,
          'on_missing', 'fill', 'model_stack', spec->>'model_stack'),
        schema_text = NULL, metadata = '{}', source = NULL, warnings = '[]', webhook_url = NULL,
        webhook_secret = NULL, source_sealed = NULL, webhook_sealed = NULL, webhook_endpoint = NULL,
        error = CASE WHEN error IS NOT NULL
          THEN json_build_object('code', error->>'code', 'message', '', 'stage', error->>'stage') END
      WHERE id = ${id} RETURNING deleted_at`)
    // What tells of a batch names no job: it goes on, though this one was the last to end.
    yield* sql`UPDATE footnote.deliveries SET status = 'cancelled', parked = false, next_attempt_at = NULL, finished_at = now()
      WHERE job_id = ${id} AND status = 'pending' AND event_type <> 'batch.completed'`
    const tables = [
      "artifacts",
      "manifests",
      "job_events",
      "stages",
      "webhook_bodies",
      "reviews",
      "job_speakers",
      "renditions"
    ]
    for (const table of tables) {
      yield* sql`DELETE FROM footnote.${sql.literal(table)} WHERE job_id = ${id}`
    }
    // A delivery that is under way finds its task; it tells the receiver what has been sent already.
    const gone = yield* rowsOf(WorkerRow)(sql`
      DELETE FROM footnote.tasks WHERE job_id = ${id} AND stage <> 'deliver' RETURNING worker`)
    // Whoever renders something of it stops; its lease ends by itself.
    if (gone.some(({ worker }) => worker !== null)) yield* signals.stop(id)
    return row!.deleted_at
  })

  const eraseOwned = Effect.fn("Erasure.erase")(function*(tenant_id: TenantId, id: string) {
    const [job] = isId("job", id)
      ? yield* tenantRowsOf(Found)(
        inTenant(tenant_id)(tenantSql`
        SELECT status, finished_at IS NOT NULL AS finished, spec->'extracted_from'->>'job_id' AS extracted_from
        FROM footnote.jobs
        WHERE id = ${id} AND tenant_id = ${tenant_id}`)
      )
      : []
    if (job === undefined || !isId("job", id)) return yield* new JobNotFound()
    if (!job.finished) {
      return yield* new InvalidRequest({
        message: `The job is ${job.status}; cancel it first.`,
        details: [{ path: "status", message: job.status }]
      })
    }
    // A terminal job stays one: nobody else moves it between the two transactions.
    const deleted_at = yield* Effect.orDie(sql.withTransaction(forget(id)))
    yield* Effect.orDie(removeErasedBytes(sql, blobs, id))
    // Its row does not say any more what it was extracted from, so whoever comes later could not do this.
    if (job.extracted_from !== null) yield* Effect.orDie(removeErasedBytes(sql, blobs, job.extracted_from))
    return { id, deleted_at: toInstant(deleted_at) }
  })

  return Erasure.of({
    eraseOwned,
    erase: (id) => Effect.flatMap(CurrentTenant, ({ tenant_id }) => eraseOwned(tenant_id, id))
  })
})
