import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // What was made of a job's source to be looked at, by its name within the job. `turn` is the number of its task: what an
  // older one leaves does not count.
  yield* sql`CREATE SEQUENCE footnote.rendition_task_no AS int`
  yield* sql`
    CREATE TABLE footnote.renditions (
      tenant_id text NOT NULL,
      job_id text NOT NULL,
      name text NOT NULL,
      turn int NOT NULL,
      status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'ready', 'failed')),
      key text,
      size_bytes bigint CHECK (size_bytes >= 0),
      sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      content_type text,
      error text CHECK ((error IS NOT NULL) = (status = 'failed')),
      created_at timestamptz NOT NULL DEFAULT now(),
      finished_at timestamptz CHECK ((finished_at IS NULL) = (status = 'waiting')),
      PRIMARY KEY (job_id, name),
      FOREIGN KEY (tenant_id, job_id) REFERENCES footnote.jobs (tenant_id, id) ON DELETE CASCADE,
      CHECK (status <> 'ready' OR (key IS NOT NULL AND size_bytes IS NOT NULL AND sha256 IS NOT NULL AND content_type IS NOT NULL))
    )`
  yield* sql`CREATE INDEX renditions_waiting ON footnote.renditions (tenant_id) WHERE status = 'waiting'`
  yield* sql`CREATE INDEX renditions_by_end ON footnote.renditions (finished_at) WHERE finished_at IS NOT NULL`
  yield* ownedByTenant("renditions", ["SELECT"])
})
