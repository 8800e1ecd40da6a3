import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Bytes that a tenant may keep; 0 is no limit, null the deployment's own value.
  yield* sql`ALTER TABLE footnote.tenants ADD COLUMN storage_quota double precision CHECK (storage_quota >= 0)`
  // What lies in the job's folder: while it is at work what it fetched and decoded, from its end on what was found there.
  // Jobs that ended before this column count as nothing.
  yield* sql`ALTER TABLE footnote.jobs ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0)`
  yield* sql`CREATE INDEX IF NOT EXISTS jobs_stored ON footnote.jobs (tenant_id) INCLUDE (stored_bytes)
    WHERE stored_bytes > 0 AND deleted_at IS NULL`
})
