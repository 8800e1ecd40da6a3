import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE SCHEMA IF NOT EXISTS footnote`
  // max_active: jobs that are not terminal (admission). max_running: of these, how many work at once. weight: share of
  // the workers while several tenants wait.
  yield* sql`
    CREATE TABLE footnote.tenants (
      id text PRIMARY KEY CHECK (id LIKE 'ten\\_%'),
      name text NOT NULL,
      max_active int NOT NULL DEFAULT 100 CHECK (max_active >= 0),
      max_running int NOT NULL DEFAULT 4 CHECK (max_running >= 1),
      weight real NOT NULL DEFAULT 1 CHECK (weight > 0),
      created_at timestamptz NOT NULL DEFAULT now()
    )`
  yield* sql`
    CREATE TABLE footnote.api_keys (
      id text PRIMARY KEY CHECK (id LIKE 'key\\_%'),
      tenant_id text NOT NULL REFERENCES footnote.tenants,
      name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
      prefix text NOT NULL,
      secret_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(secret_sha256) = 32),
      scopes jsonb NOT NULL DEFAULT '["*"]' CHECK (jsonb_typeof(scopes) = 'array' AND jsonb_array_length(scopes) <= 20),
      created_at timestamptz NOT NULL DEFAULT now(),
      revoked_at timestamptz
    )`
  yield* sql`CREATE INDEX api_keys_by_tenant ON footnote.api_keys (tenant_id, created_at DESC, id DESC)`
})
