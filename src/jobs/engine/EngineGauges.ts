import { Context, Duration, Effect, Layer, Metric, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../../database/Rows.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import { Pool } from "../../processes/Pools.ts"

const gauge = (name: string, description: string) => Metric.gauge(`footnote_${name}`, { description })

const waiting = gauge("queue_tasks", "Tasks that wait for a worker, by pool.")
const oldest = gauge("queue_oldest_seconds", "Age of the task that has waited for a worker the longest, by pool.")
const held = gauge("tasks_held", "Tasks that workers hold, by pool.")
const workers = gauge("workers", "Workers seen within 30 s, by pool.")
const jobs = gauge("jobs", "Jobs that are not terminal, by status.")
const slots = gauge("slots_in_use", "Jobs that hold a slot.")
const line = gauge("slots_awaited", "Jobs that wait for a slot.")
const deliveries = gauge("deliveries", "Deliveries that are not over, by status.")

const set = (metric: Metric.Gauge<number>, value: number, labels: Readonly<Record<string, string>> = {}) =>
  Metric.update(Metric.withAttributes(metric, labels), value)

const PoolRow = Schema.Struct({
  pool: Pool,
  waiting: Schema.Finite,
  active: Schema.Finite,
  oldest_seconds: Schema.Finite,
  workers: Schema.Finite
})

const TotalsRow = Schema.Struct({
  queued: Schema.Finite,
  running: Schema.Finite,
  slots: Schema.Finite,
  line: Schema.Finite,
  pending: Schema.Finite,
  delivering: Schema.Finite
})

/**
 * How the engine stands, as gauges of this process; tasks of jobs that are over are not counted. Read from the database, for
 * pools from the view `footnote.pool_backlog`, so every API process shows the same; labels never name a tenant. At most one look a second, however many ask; where the database does not answer within 2 s, what was seen
 * last stays.
 */
export class EngineGauges extends Context.Service<EngineGauges, {
  readonly refresh: Effect.Effect<void>
}>()("footnote/jobs/engine/EngineGauges") {
  static readonly layer = Layer.effect(
    EngineGauges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const look = Effect.gen(function*() {
        const rows = yield* rowsOf(PoolRow)(
          sql`
          SELECT pool, waiting, active, oldest_seconds, (SELECT count(*)::int FROM footnote.workers w
              WHERE w.seen_at > now() - interval '30 seconds' AND w.pools ? pool) AS workers
          FROM footnote.pool_backlog`.unprepared
        )
        const [totals] = yield* rowsOf(TotalsRow)(
          sql`
          SELECT j.*, d.* FROM (
            SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
              count(*) FILTER (WHERE status = 'running')::int AS running,
              count(*) FILTER (WHERE admitted_at IS NOT NULL)::int AS slots,
              count(*) FILTER (WHERE admitted_at IS NULL)::int AS line
            FROM footnote.jobs WHERE status IN ('queued', 'running')) j, (
            SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending,
              count(*) FILTER (WHERE status = 'delivering')::int AS delivering
            FROM footnote.deliveries WHERE finished_at IS NULL) d`.unprepared
        )
        for (const row of rows) {
          const labels = { pool: row.pool }
          yield* set(waiting, row.waiting, labels)
          yield* set(oldest, row.oldest_seconds, labels)
          yield* set(held, row.active, labels)
          yield* set(workers, row.workers, labels)
        }
        yield* set(jobs, totals!.queued, { status: "queued" })
        yield* set(jobs, totals!.running, { status: "running" })
        yield* set(slots, totals!.slots)
        yield* set(line, totals!.line)
        yield* set(deliveries, totals!.pending, { status: "pending" })
        yield* set(deliveries, totals!.delivering, { status: "delivering" })
      }).pipe(Effect.timeout("2 seconds"), tolerated("Counting for the gauges", "they keep their last values"))

      return EngineGauges.of({ refresh: yield* Effect.cachedWithTTL(look, Duration.seconds(1)) })
    })
  )
}
