import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByEngine } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What is sent under an event's id, decided with the first attempt; the bytes are the blob that the hash names. Version 14
  // builds a body at each attempt and knows nothing of this: its attempts leave no row.
  yield* sql`CREATE TABLE footnote.webhook_bodies (
    event_id text PRIMARY KEY CHECK (event_id LIKE 'evt\\_%'),
    job_id text NOT NULL REFERENCES footnote.jobs ON DELETE CASCADE,
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    created_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* sql`CREATE INDEX webhook_bodies_by_job ON footnote.webhook_bodies (job_id)`
  yield* ownedByEngine("webhook_bodies")
})
