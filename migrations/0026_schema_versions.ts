import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // The row in `schemas` is version 1 for ever; what came later is here and never changes either. json: as it was sent.
  yield* sql`
    CREATE TABLE footnote.schema_versions (
      schema_id text NOT NULL REFERENCES footnote.schemas ON DELETE CASCADE,
      tenant_id text NOT NULL REFERENCES footnote.tenants,
      version int NOT NULL CHECK (version >= 2),
      json_schema json NOT NULL,
      normalised json NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (schema_id, version)
    )`
  yield* ownedByTenant("schema_versions", ["SELECT", "INSERT"])
})
