import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Who holds a slot: as many as may run at once, whatever else waits.
  yield* sql`CREATE INDEX IF NOT EXISTS jobs_admitted ON footnote.jobs (tenant_id)
    WHERE status IN ('queued', 'running') AND admitted_at IS NOT NULL`
})
