import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownedByEngine, ownedByTenant } from "../src/database/RowSecurity.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach([quota, usage, charges, schemas].flat(), (statement) => sql.unsafe(statement), {
    discard: true
  })
  yield* ownedByTenant("charges", ["SELECT"])
  yield* ownedByEngine("model_prices")
})

// What a tenant's jobs may cost in a calendar month (UTC), in the unit of `jobs.cost`; null is no limit.
const quota = [`ALTER TABLE footnote.tenants ADD COLUMN cost_quota double precision CHECK (cost_quota >= 0)`]

// cost_reserved: what an active job is expected to cost, held against the quota until the job is terminal.
const usage = [
  `ALTER TABLE footnote.jobs
    ADD COLUMN video_seconds double precision NOT NULL DEFAULT 0 CHECK (video_seconds >= 0),
    ADD COLUMN cost_reserved double precision NOT NULL DEFAULT 0 CHECK (cost_reserved >= 0)`,
  `UPDATE footnote.jobs SET video_seconds = (source->>'duration_seconds')::double precision
    WHERE finished_at IS NOT NULL AND source->>'video' IS NOT NULL`
]

// What was spent, one row per attempt that spent something, whatever became of it. Amounts only grow and rows stay: no
// reference to jobs, so that nothing that happens to a job takes money back. A quota is counted from here.
const charges = [
  `CREATE TABLE footnote.charges (
    tenant_id text NOT NULL REFERENCES footnote.tenants,
    job_id text NOT NULL,
    task_id uuid NOT NULL,
    attempt int NOT NULL CHECK (attempt >= 0),
    tokens bigint NOT NULL CHECK (tokens >= 0),
    cost double precision NOT NULL CHECK (cost >= 0),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (job_id, task_id, attempt)
  )`,
  `CREATE INDEX charges_by_tenant ON footnote.charges (tenant_id, at) INCLUDE (tokens, cost)`,
  `INSERT INTO footnote.charges (tenant_id, job_id, task_id, attempt, tokens, cost, at)
    SELECT tenant_id, id, gen_random_uuid(), 0, tokens, cost, coalesce(finished_at, created_at)
    FROM footnote.jobs WHERE tokens > 0 OR cost > 0`,
  // What the model of a worker can cost a job at most: whoever admits jobs runs elsewhere.
  `CREATE TABLE footnote.model_prices (
    model text PRIMARY KEY,
    job_tokens int NOT NULL CHECK (job_tokens > 0),
    input_price double precision NOT NULL CHECK (input_price >= 0),
    output_price double precision NOT NULL CHECK (output_price >= 0),
    seen_at timestamptz NOT NULL DEFAULT now()
  )`
]

// json_schema is the text as it was sent, byte for byte (json, not jsonb); normalised is the copy that judges and fills,
// null for rows of an earlier version. schema_text: the schema of a job in the words of its caller, null for a template.
const schemas = [
  `ALTER TABLE footnote.schemas ADD COLUMN normalised json`,
  `ALTER TABLE footnote.jobs ADD COLUMN schema_text json`
]
