import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What the janitor's sweep of each minute takes away. Without an index it read every event of every job for that, of which some ten
  // stay for as long as the job does (162 MB for 10,000 jobs). On a large table build it beforehand, CONCURRENTLY and by this name.
  yield* sql`CREATE INDEX IF NOT EXISTS job_events_progress ON footnote.job_events (job_id) WHERE type = 'progress'`
})
