import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // When somebody last signed in with a client. Null: nobody has yet, and it goes soon.
  yield* sql`ALTER TABLE footnote.oauth_entries ADD COLUMN used_at timestamptz`
  // Those that are there were promised 90 days.
  yield* sql`UPDATE footnote.oauth_entries SET used_at = created_at WHERE model = 'Client'`
  yield* sql`CREATE INDEX oauth_unused_clients ON footnote.oauth_entries (created_at)
    WHERE model = 'Client' AND used_at IS NULL`
})
