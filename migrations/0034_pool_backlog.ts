import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // From when on a delayed task waits for a worker; null also where a worker of an earlier version put it off.
  yield* sql`ALTER TABLE footnote.tasks ADD COLUMN due_at timestamptz`
  yield* sql`DO $do$ BEGIN
    IF to_regclass('pgboss.job') IS NOT NULL THEN
      UPDATE footnote.tasks t SET due_at = q.start_after FROM pgboss.job q
      WHERE q.name = t.pool AND q.id = t.id AND t.delayed AND NOT t.done;
    END IF;
  END $do$`
  yield* sql`CREATE INDEX tasks_due ON footnote.tasks (pool, due_at) WHERE NOT done AND worker IS NULL AND delayed`
  // What to scale workers by. A task whose wait is over counts, or a pool at zero would never see its retries.
  yield* sql`CREATE VIEW footnote.pool_backlog AS
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
        AND (tasks.stage = 'deliver' OR j.status IN ('queued', 'running'))
      GROUP BY tasks.pool) t ON t.pool = p.pool`
})
