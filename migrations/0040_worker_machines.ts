import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Whose processors a worker's tasks share, and how many of them it may use. Null: a worker of a version that did not tell.
  yield* sql`ALTER TABLE footnote.workers ADD COLUMN machine text, ADD COLUMN processors int`
})
