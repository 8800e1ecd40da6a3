import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What read a succeeded job's source and with what troubles, without its extraction: what a job that extracts from its
  // artifacts has to tell as well. Jobs that ended before have none.
  yield* sql`ALTER TABLE footnote.jobs ADD COLUMN read_by json`
})
