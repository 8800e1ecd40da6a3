import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keyIdOf } from "../src/crypto/SealedColumns.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // A job's addresses may be what opens them: a signed query, a webhook's path. webhook_url and a whole source_uri are what
  // an earlier version wrote; addresses_sealed tells its rows, which an API process seals, since no migration has the key.
  yield* sql.unsafe(`ALTER TABLE footnote.jobs
    ADD COLUMN source_sealed bytea,
    ADD COLUMN ${keyIdOf("source_sealed")},
    ADD COLUMN webhook_sealed bytea,
    ADD COLUMN ${keyIdOf("webhook_sealed")},
    ADD COLUMN webhook_endpoint text,
    ADD COLUMN addresses_sealed boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT jobs_check,
    ADD CHECK ((webhook_secret IS NULL) = (webhook_url IS NULL AND webhook_sealed IS NULL))`)
  yield* sql`CREATE INDEX jobs_unsealed ON footnote.jobs (id) WHERE NOT addresses_sealed`
  yield* sql`CREATE INDEX jobs_source_sealed_key ON footnote.jobs (source_sealed_key_id) WHERE source_sealed IS NOT NULL`
  yield* sql`CREATE INDEX jobs_webhook_sealed_key ON footnote.jobs (webhook_sealed_key_id) WHERE webhook_sealed IS NOT NULL`
})
