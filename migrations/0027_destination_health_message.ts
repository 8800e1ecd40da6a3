import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("ALTER TABLE footnote.destinations ADD COLUMN last_health_message text")
})
