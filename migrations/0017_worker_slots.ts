import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // How many tasks a worker holds at a time, by pool. Null: a worker of a version that did not tell.
  yield* sql`ALTER TABLE footnote.workers ADD COLUMN slots jsonb`
  // When what only later stages read was removed, once the job was over. Null: not yet.
  yield* sql`ALTER TABLE footnote.jobs ADD COLUMN intermediates_removed_at timestamptz`
  yield* sql`CREATE INDEX IF NOT EXISTS jobs_with_intermediates ON footnote.jobs (finished_at, id)
    WHERE intermediates_removed_at IS NULL AND collected_at IS NULL AND deleted_at IS NULL AND finished_at IS NOT NULL`
})
