import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // When a job of the tenant was last let in from the line: between tenants of the same share, who was served longest ago comes first.
  yield* sql`ALTER TABLE footnote.tenants ADD COLUMN served_at timestamptz`
})
