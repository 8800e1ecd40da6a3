import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // As before, and with what is made of a finished job's source: a pool that was scaled to zero never made a preview or a clip.
  yield* sql`CREATE OR REPLACE VIEW footnote.pool_backlog AS
    SELECT p.pool, coalesce(t.waiting, 0) AS waiting, coalesce(t.active, 0) AS active,
      coalesce(t.oldest_seconds, 0) AS oldest_seconds
    FROM (VALUES ('fetch'), ('media'), ('speech'), ('vision'), ('extraction'), ('delivery')) p(pool)
    LEFT JOIN (
      SELECT tasks.pool, count(*) FILTER (WHERE tasks.worker IS NULL)::int AS waiting,
        count(tasks.worker)::int AS active,
        max(extract(epoch FROM now() - greatest(tasks.created_at, tasks.due_at)))
          FILTER (WHERE tasks.worker IS NULL)::float8 AS oldest_seconds
      FROM footnote.tasks JOIN footnote.jobs j ON j.id = tasks.job_id
      WHERE NOT tasks.done AND (tasks.worker IS NOT NULL OR NOT tasks.delayed OR tasks.due_at <= now())
        AND (tasks.stage IN ('deliver', 'render') OR j.status IN ('queued', 'running'))
      GROUP BY tasks.pool) t ON t.pool = p.pool`
})
