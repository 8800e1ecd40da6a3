import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { engineRights, ownedByEngine } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What every process of a deployment must see alike. One row; a null is what no process has told yet.
  yield* sql`CREATE TABLE footnote.deployment (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    blob_store text,
    blob_store_place text,
    encryption_key_id text,
    model_stacks jsonb
  )`
  yield* ownedByEngine("deployment")
  yield* Effect.forEach(engineRights, (statement) => sql.unsafe(statement), { discard: true })
  // Which of them a worker does not see alike: it is there, and takes nothing until it does.
  yield* sql`ALTER TABLE footnote.workers ADD COLUMN problems jsonb NOT NULL DEFAULT '[]'`
})
