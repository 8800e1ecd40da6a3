import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { BlobError, Blobs } from "../../storage/Blobs.ts"

/**
 * Removes the bytes of a job that has been erased, unless an extraction that is not over yet works from them: then they go with
 * the end of that (`OrphanedBlobs`). Of a job that has not been erased nothing is removed.
 */
export const removeErasedBytes = Effect.fn("removeErasedBytes")(function*(
  sql: SqlClient.SqlClient,
  blobs: Blobs["Service"],
  job_id: string
): Effect.fn.Return<void, SqlError | BlobError> {
  const [unused] = yield* sql`
    SELECT e.id FROM footnote.jobs e WHERE e.id = ${job_id} AND e.deleted_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM footnote.jobs j WHERE j.tenant_id = e.tenant_id AND j.status IN ('queued', 'running')
        AND j.spec->'extracted_from'->>'job_id' = e.id)`
  if (unused !== undefined) yield* blobs.removeAll(`jobs/${job_id}`)
})
