import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // The W3C trace context of the request that made the job: whatever works on the job later continues that trace.
  yield* sql`ALTER TABLE footnote.jobs ADD COLUMN traceparent text`
  // Null is the deployment's own limit, 0 is none. retention_days: null keeps jobs for ever.
  yield* sql`ALTER TABLE footnote.tenants
    ADD COLUMN reads_per_minute int CHECK (reads_per_minute >= 0),
    ADD COLUMN writes_per_minute int CHECK (writes_per_minute >= 0),
    ADD COLUMN uploads_per_minute int CHECK (uploads_per_minute >= 0),
    ADD COLUMN retention_days int CHECK (retention_days >= 1)`
  // Token buckets that all API processes share. Unlogged: a take waits for no disk, and after a crash every bucket is full.
  // granted: what the last take got, which is how a take learns it. A row fits its page three times over, for HOT updates.
  yield* sql`CREATE UNLOGGED TABLE footnote.rate_limits (
    key text PRIMARY KEY,
    tokens double precision NOT NULL,
    granted int NOT NULL CHECK (granted >= 0),
    taken_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX jobs_by_end ON footnote.jobs (tenant_id, finished_at) WHERE finished_at IS NOT NULL`
})
