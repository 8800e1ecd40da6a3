import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keyIdOf } from "../src/crypto/SealedColumns.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // The tenant's own language model: address, name and key, sealed as one.
  yield* sql.unsafe(`ALTER TABLE footnote.tenant_settings
    ADD COLUMN language_model bytea, ADD COLUMN ${keyIdOf("language_model")}`)
  yield* sql`CREATE INDEX tenant_settings_language_model_key ON footnote.tenant_settings (language_model_key_id)`
})
