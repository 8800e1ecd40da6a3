import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE footnote.api_keys ADD COLUMN last_used_at timestamptz`
  // json, not jsonb: a schema comes back with its members in the order in which it was sent.
  yield* sql`
    CREATE TABLE footnote.schemas (
      id text PRIMARY KEY CHECK (id LIKE 'sch\\_%'),
      tenant_id text NOT NULL REFERENCES footnote.tenants,
      name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
      description text CHECK (char_length(description) <= 1000),
      json_schema json NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz
    )`
  yield* sql`CREATE INDEX schemas_by_tenant ON footnote.schemas (tenant_id, id DESC) WHERE deleted_at IS NULL`
  yield* sql`CREATE INDEX api_keys_by_tenant_and_id ON footnote.api_keys (tenant_id, id DESC)`
  yield* sql`
    CREATE TABLE footnote.uploads (
      id text PRIMARY KEY CHECK (id LIKE 'upl\\_%'),
      tenant_id text NOT NULL REFERENCES footnote.tenants,
      blob_key text NOT NULL UNIQUE,
      size_bytes bigint NOT NULL CHECK (size_bytes > 0),
      sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX uploads_by_expiry ON footnote.uploads (expires_at)`
})
