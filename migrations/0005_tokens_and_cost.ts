import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What a model behind an address read and wrote for a job, and its price: what a quota can be counted by.
  yield* sql`ALTER TABLE footnote.jobs
    ADD COLUMN tokens int NOT NULL DEFAULT 0 CHECK (tokens >= 0),
    ADD COLUMN cost double precision NOT NULL DEFAULT 0 CHECK (cost >= 0)`
})
