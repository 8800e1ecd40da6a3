import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What a worker lacks on its machine, in words, for whoever looks at its health; none is none.
  yield* sql`ALTER TABLE footnote.workers ADD COLUMN warnings jsonb NOT NULL DEFAULT '[]'`
})
