import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { isId } from "../crypto/Id.ts"
import { toInstant } from "../database/Instant.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { Blobs } from "../storage/Blobs.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { type DeletedJob, JobNotFound, type JobStatus } from "./Job.ts"

/** Takes a job out of the world on its owner's word. */
export class Erasure extends Context.Service<Erasure, {
  /**
   * Erases a terminal job: it is gone from every read at once, then its bytes go. Idempotent; a repetition finishes what a
   * crash left. A job that is still at work has to be cancelled first: `INVALID_REQUEST`.
   */
  readonly erase: (id: string) => Effect.Effect<DeletedJob, JobNotFound | InvalidRequest, CurrentTenant>
}>()("footnote/jobs/Erasure") {
  static readonly layer = Layer.effect(
    Erasure,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const blobs = yield* Blobs

      return Erasure.of({
        erase: Effect.fn("Erasure.erase")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const [row] = isId("job", id)
            ? yield* sql<{ status: JobStatus; deleted_at: Date | null }>`
              WITH erased AS (
                UPDATE footnote.jobs SET deleted_at = coalesce(deleted_at, date_trunc('milliseconds', now()))
                WHERE id = ${id} AND tenant_id = ${tenant_id} AND finished_at IS NOT NULL
                RETURNING id, status, deleted_at)
              SELECT status, deleted_at FROM erased
              UNION ALL SELECT status, deleted_at FROM footnote.jobs
              WHERE id = ${id} AND tenant_id = ${tenant_id} AND finished_at IS NULL`.pipe(Effect.orDie)
            : []
          if (row === undefined) return yield* new JobNotFound()
          if (row.deleted_at === null) {
            return yield* new InvalidRequest({
              message: "The job is still at work; cancel it first.",
              details: [{ path: "status", message: row.status }]
            })
          }
          yield* Effect.orDie(blobs.removeAll(`jobs/${id}`))
          yield* sql`DELETE FROM footnote.artifacts WHERE job_id = ${id}`.pipe(Effect.orDie)
          yield* sql`DELETE FROM footnote.manifests WHERE job_id = ${id}`.pipe(Effect.orDie)
          return { id, deleted_at: toInstant(row.deleted_at) }
        })
      })
    })
  )
}
