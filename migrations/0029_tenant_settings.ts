import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keyIdOf } from "../src/crypto/SealedColumns.ts"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What a tenant sets for all of its jobs; no row is as it was before there were settings.
  yield* sql.unsafe(`CREATE TABLE footnote.tenant_settings (
    tenant_id text PRIMARY KEY REFERENCES footnote.tenants,
    default_destination_ids jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(default_destination_ids) = 'array'),
    webhook_secret bytea,
    ${keyIdOf("webhook_secret")},
    previous_webhook_secret bytea,
    ${keyIdOf("previous_webhook_secret")},
    previous_secret_until timestamptz,
    CHECK (previous_webhook_secret IS NULL OR webhook_secret IS NOT NULL),
    CHECK ((previous_webhook_secret IS NULL) = (previous_secret_until IS NULL))
  )`)
  yield* sql`CREATE INDEX tenant_settings_webhook_secret_key ON footnote.tenant_settings (webhook_secret_key_id)`
  yield* sql`CREATE INDEX tenant_settings_previous_secret_key ON footnote.tenant_settings (previous_webhook_secret_key_id)`
  yield* ownedByTenant("tenant_settings", ["SELECT", "INSERT", "UPDATE"])
})
