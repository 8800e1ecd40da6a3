import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // An upload's row goes with its bytes. That its owner deleted it, and when, is remembered for 30 days: a repeated DELETE is
  // answered as the first one.
  yield* sql`
    CREATE TABLE footnote.deleted_uploads (
      id text PRIMARY KEY CHECK (id LIKE 'upl\\_%'),
      tenant_id text NOT NULL REFERENCES footnote.tenants,
      deleted_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now())
    )`
  yield* sql`CREATE INDEX deleted_uploads_by_time ON footnote.deleted_uploads (deleted_at)`
  yield* sql`CREATE INDEX uploads_by_tenant ON footnote.uploads (tenant_id, id DESC)`
  yield* ownedByTenant("deleted_uploads", ["SELECT", "INSERT"])
})
