import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // How much of what the schema asks was found; null where the job has no result, or an earlier version made it.
  yield* sql`ALTER TABLE footnote.jobs ADD COLUMN counts json`
})
