import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // How people named and merged the speakers of a job. The artifacts stay; whoever reads them is shown these names.
  yield* sql`CREATE TABLE footnote.job_speakers (
    job_id text PRIMARY KEY,
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    speakers json NOT NULL,
    key_id text,
    author_name text,
    updated_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (tenant_id, job_id) REFERENCES footnote.jobs (tenant_id, id) ON DELETE CASCADE
  )`
  yield* ownedByTenant("job_speakers", ["SELECT"])
})
