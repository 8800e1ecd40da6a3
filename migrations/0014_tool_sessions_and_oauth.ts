import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keyIdOf } from "../src/crypto/SealedColumns.ts"
import { ownedByEngine } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Sessions of tool protocols before 2026-07-28: what the client said when it began.
  yield* sql`CREATE TABLE footnote.tool_sessions (
    id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES footnote.tenants ON DELETE CASCADE,
    initialize jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* sql`CREATE INDEX tool_sessions_by_tenant ON footnote.tool_sessions (tenant_id, seen_at)`
  yield* sql`CREATE INDEX tool_sessions_by_age ON footnote.tool_sessions (seen_at)`
  yield* ownedByEngine("tool_sessions")

  // Clients, sign-ins, grants and tokens. The id of a token is the SHA-256 of it, so that nobody can use what lies here.
  // `key_id` is the API key that a person signed in with: with the key goes all that was granted by it.
  yield* sql`CREATE TABLE footnote.oauth_entries (
    model text NOT NULL,
    id text NOT NULL,
    payload jsonb NOT NULL,
    key_id text REFERENCES footnote.api_keys ON DELETE CASCADE,
    grant_id text,
    uid text,
    created_at timestamptz NOT NULL DEFAULT now(),
    consumed_at timestamptz,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (model, id)
  )`
  yield* sql`CREATE INDEX oauth_entries_by_grant ON footnote.oauth_entries (grant_id) WHERE grant_id IS NOT NULL`
  yield* sql`CREATE INDEX oauth_entries_by_uid ON footnote.oauth_entries (model, uid) WHERE uid IS NOT NULL`
  yield* sql`CREATE INDEX oauth_entries_by_key ON footnote.oauth_entries (key_id) WHERE key_id IS NOT NULL`
  yield* sql`CREATE INDEX oauth_entries_by_expiry ON footnote.oauth_entries (expires_at)`
  yield* ownedByEngine("oauth_entries")

  // What all replicas sign with, sealed.
  yield* sql`CREATE TABLE footnote.oauth_secrets (
    name text PRIMARY KEY,
    sealed bytea NOT NULL,
    ${sql.literal(keyIdOf("sealed"))},
    created_at timestamptz NOT NULL DEFAULT now()
  )`
  yield* sql`CREATE INDEX oauth_secrets_key ON footnote.oauth_secrets (sealed_key_id)`
  yield* ownedByEngine("oauth_secrets")
})
