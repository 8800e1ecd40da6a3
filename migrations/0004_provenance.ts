import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Which models made the result, and on what they ran; null until the job has ended, and for jobs that ended before.
  yield* sql`ALTER TABLE footnote.jobs ADD COLUMN provenance json`
})
