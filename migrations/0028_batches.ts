import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  yield* ownedByTenant("batches", ["SELECT", "INSERT"])
  yield* ownedByTenant("batch_items", ["SELECT", "INSERT"])
})

// closed_at: every item has been judged, so that no job comes to it any more. completed_at: none of its jobs is at work.
// An item is the job that it became, its own or one that its key had made before, or why it became none.
const statements = [
  `CREATE TABLE footnote.batches (
    id text PRIMARY KEY CHECK (id LIKE 'bat\\_%'),
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    size int NOT NULL CHECK (size >= 1),
    created_at timestamptz NOT NULL DEFAULT now(),
    closed_at timestamptz,
    completed_at timestamptz,
    CHECK (completed_at IS NULL OR closed_at IS NOT NULL)
  )`,
  `CREATE INDEX batches_by_tenant ON footnote.batches (tenant_id, id DESC)`,
  `CREATE INDEX batches_open ON footnote.batches (created_at) WHERE closed_at IS NULL`,
  `CREATE TABLE footnote.batch_items (
    batch_id text NOT NULL REFERENCES footnote.batches ON DELETE CASCADE,
    item int NOT NULL CHECK (item >= 0),
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    job_id text,
    refusal json,
    PRIMARY KEY (batch_id, item),
    FOREIGN KEY (tenant_id, job_id) REFERENCES footnote.jobs (tenant_id, id) ON DELETE CASCADE,
    CHECK ((job_id IS NULL) = (refusal IS NOT NULL))
  )`,
  `CREATE INDEX batch_items_by_job ON footnote.batch_items (job_id) WHERE job_id IS NOT NULL`
]
