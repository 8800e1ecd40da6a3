import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What a destination is told of. Before this column each was told of successes alone.
  yield* sql`ALTER TABLE footnote.destinations
    ADD COLUMN events jsonb NOT NULL DEFAULT '["job.succeeded"]' CHECK (jsonb_typeof(events) = 'array')`
})
