import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { roles } from "../src/database/Roles.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Of the bytes as they came. Null for segments of an earlier version: these are read unchecked, as they were.
  yield* sql`ALTER TABLE footnote.upload_segments ADD COLUMN sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$')`
  // What is damaged is forgotten, so that its sender sends it again.
  yield* sql.unsafe(`GRANT DELETE ON footnote.upload_segments TO ${roles.tenant}`)
})
