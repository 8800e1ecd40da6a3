import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { keyIdOf } from "../src/crypto/SealedColumns.ts"
import { roles } from "../src/database/Roles.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

// A key of anything but a job's creation is led by its operation and U+001F, which no caller's key holds: processes of the
// version before know keys of jobs alone and never see one of these. Beside such a key stands what it made, and the answer.
const statements = [
  `ALTER TABLE footnote.idempotency_keys
    ADD COLUMN id text NOT NULL DEFAULT gen_random_uuid()::text,
    ADD COLUMN made_id text,
    ADD COLUMN answer bytea,
    ADD COLUMN ${keyIdOf("answer")},
    ALTER COLUMN job_id DROP NOT NULL,
    DROP CONSTRAINT idempotency_keys_key_check,
    ADD CONSTRAINT idempotency_keys_key_check CHECK (key ~ '^([A-Za-z]{1,40}\\u001f)?[ -~]{1,255}$'),
    ADD CHECK ((job_id IS NULL) = (made_id IS NOT NULL AND answer IS NOT NULL))`,
  `CREATE UNIQUE INDEX idempotency_keys_by_id ON footnote.idempotency_keys (id)`,
  `CREATE INDEX idempotency_keys_answer_key ON footnote.idempotency_keys (answer_key_id) WHERE answer IS NOT NULL`,
  `GRANT INSERT, UPDATE, DELETE ON footnote.idempotency_keys TO ${roles.tenant}`
]
