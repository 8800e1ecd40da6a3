import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // When the blobs that nothing refers to were removed, once a job had been over for long enough. Null: not yet.
  yield* sql`ALTER TABLE footnote.jobs ADD COLUMN collected_at timestamptz`
  yield* sql`CREATE INDEX IF NOT EXISTS jobs_to_collect ON footnote.jobs (finished_at, id)
    WHERE collected_at IS NULL AND deleted_at IS NULL AND finished_at IS NOT NULL`
})
