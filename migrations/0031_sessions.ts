import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByEngine } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Browsers that were signed in with an API key. The token is stored as its SHA-256, so that nobody can use what lies here.
  yield* sql`CREATE TABLE footnote.sessions (
    id text PRIMARY KEY CHECK (id LIKE 'ses\\_%'),
    tenant_id text NOT NULL REFERENCES footnote.tenants ON DELETE CASCADE,
    key_id text NOT NULL REFERENCES footnote.api_keys ON DELETE CASCADE,
    token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
  )`
  yield* sql`CREATE INDEX sessions_by_key ON footnote.sessions (key_id, id)`
  yield* sql`CREATE INDEX sessions_by_expiry ON footnote.sessions (expires_at)`
  yield* ownedByEngine("sessions")
})
