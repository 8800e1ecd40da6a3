import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // A question about finished jobs, kept with the moment up to which it looks. The answer is read from the jobs themselves.
  yield* sql`
    CREATE TABLE footnote.exports (
      id text PRIMARY KEY CHECK (id LIKE 'exp\\_%'),
      tenant_id text NOT NULL REFERENCES footnote.tenants,
      filter json NOT NULL,
      include json NOT NULL CHECK (json_typeof(include) = 'array'),
      jobs int NOT NULL CHECK (jobs >= 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      deleted_at timestamptz
    )`
  yield* sql`CREATE INDEX exports_by_tenant ON footnote.exports (tenant_id, id DESC) WHERE deleted_at IS NULL`
  yield* sql`CREATE INDEX exports_by_expiry ON footnote.exports (expires_at)`
  yield* ownedByTenant("exports", ["SELECT", "INSERT", "UPDATE (deleted_at)"])
})
