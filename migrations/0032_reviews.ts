import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What people decided on the result of a job, one revision after the other; a row never changes. The job's own result stays.
  yield* sql`CREATE TABLE footnote.reviews (
    id text PRIMARY KEY CHECK (id LIKE 'rev\\_%'),
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    job_id text NOT NULL,
    revision int NOT NULL CHECK (revision >= 1),
    key_id text,
    author_name text,
    note text,
    decisions json NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (job_id, revision),
    FOREIGN KEY (tenant_id, job_id) REFERENCES footnote.jobs (tenant_id, id) ON DELETE CASCADE
  )`
  yield* ownedByTenant("reviews", ["SELECT"])
  // Which revision a delivery tells of; null of the job's own result.
  yield* sql`ALTER TABLE footnote.deliveries ADD COLUMN revision int CHECK (revision >= 1)`
})
