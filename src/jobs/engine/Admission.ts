import { type Cause, Context, Effect, Latch, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../../database/AdvisoryLocks.ts"
import { rowsOf } from "../../database/Rows.ts"
import { transactionApart } from "../../database/Transient.ts"
import { JobId, TenantId } from "../../identity/Id.ts"
import { tolerated } from "../../observability/Tolerated.ts"
import { EngineOptions } from "./EngineOptions.ts"
import { type LockedJob, Transitions } from "./Transitions.ts"

const CandidateRow = Schema.Struct({ id: JobId, tenant_id: TenantId })
const AdmittedRow = Schema.Struct({ id: JobId })

/**
 * Who may start. A tenant has `max_running` slots; a job holds one from admission until it is terminal. Slots are counted
 * from rows while the tenant's row is locked, so two admissions cannot both take the last one.
 */
export class Admission extends Context.Service<Admission, {
  /**
   * Fills free slots; answers how many jobs were admitted. Among tenants, who uses the smallest share comes first,
   * and of those who use the same, who was served longest ago.
   */
  readonly admit: Effect.Effect<number, SqlError>
  /** A slot became free: admits soon. Many calls at once lead to one run. */
  readonly slotFreed: Effect.Effect<void>
}>()("footnote/jobs/engine/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const transitions = yield* Transitions
      const { max_running } = yield* EngineOptions

      /** It can never begin, and is not to keep the others from it: it fails, or where that cannot be either, times out. */
      const unopened = (job: LockedJob, cause: Cause.Cause<SqlError>) => {
        const ids = { job_id: job.id }
        const error = { code: "INTERNAL" as const, message: "The job could not be begun.", stage: null }
        return Effect.failCause(cause).pipe(
          tolerated("Beginning a job", "the job fails with INTERNAL", ids),
          Effect.andThen(sql.withTransaction(transitions.finish(job, { status: "failed", error }))),
          tolerated("Failing a job that could not be begun", "it ends by its time in the queue", ids)
        )
      }

      /**
       * Who would be let in now, of these tenants or of all, into so many slots at most or into all that are free: of each tenant no more
       * than there are slots, so that it costs the same however many of its jobs wait. Slots are counted once for all of them, by adding up and not by a join, since a planner
       * that knows little of so young rows joined them row by row (500,000 pairs, 30 to 60 ms instead of 8). Who waits and who works is
       * asked for in the words of an index that holds nothing else (migration 0041). Lines are looked into in the order in which their
       * tenants are served and no further than there are slots: to find the oldest job of 1,000 lines cost 1.5 times as much with
       * 100,000 jobs in line as with 3,000.
       */
      const candidates = (among: ReadonlyArray<string> | null, slots: number | null) =>
        rowsOf(CandidateRow)(
          sql`
          WITH standings AS MATERIALIZED (
            SELECT id, max(weight) AS weight, max(most) AS most, max(served_at) AS served_at,
              count(*) FILTER (WHERE slot)::int AS running
            FROM (
              SELECT id, weight, max_running AS most, served_at, false AS slot FROM footnote.tenants
              UNION ALL SELECT tenant_id, NULL, NULL, NULL, true FROM footnote.jobs
              WHERE admitted_at IS NOT NULL AND finished_at IS NULL) each GROUP BY id),
          cap AS MATERIALIZED (SELECT least(${slots}::bigint, greatest(${max_running} - sum(running), 0)) AS free FROM standings),
          lines AS (
            SELECT t.*, line.ids FROM (
              SELECT *, (running + 1) / weight AS share FROM standings
              WHERE most > running AND (SELECT free FROM cap) > 0
                ${among === null ? sql`` : sql`AND id IN ${sql.in(among)}`}
              ORDER BY share, served_at NULLS FIRST, id OFFSET 0) t
            CROSS JOIN LATERAL (SELECT ARRAY(
              SELECT id FROM footnote.jobs
              WHERE tenant_id = t.id AND admitted_at IS NULL AND finished_at IS NULL
              ORDER BY priority DESC, created_at, id LIMIT least(t.most - t.running, (SELECT free FROM cap))) AS ids OFFSET 0) line
            WHERE line.ids <> '{}'
            ORDER BY t.share, t.served_at NULLS FIRST, t.id LIMIT (SELECT free FROM cap))
          SELECT j.id, lines.id AS tenant_id FROM lines CROSS JOIN LATERAL unnest(ids) WITH ORDINALITY j(id, rank)
          ORDER BY (running + rank) / weight, served_at NULLS FIRST, lines.id LIMIT (SELECT free FROM cap)`.unprepared
        )

      const admit = transactionApart(sql, (apart) =>
        Effect.gen(function*() {
          // Waited for, not tried: whoever lost a try would have lost its wake-up, and small jobs took 22 s instead of 6 s.
          yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.admission}, 0)`.unprepared
          const likely = yield* candidates(null, null)
          if (likely.length === 0) return 0
          // Only theirs: locking every tenant that waits wrote a row version for each of them, for every slot that became free.
          const tenants = [...new Set(likely.map(({ tenant_id }) => tenant_id))]
          yield* sql`SELECT id FROM footnote.tenants WHERE id IN ${sql.in(tenants)} ORDER BY id FOR NO KEY UPDATE`
            .unprepared
          // Counted again, now that nobody else can admit for them. A slot that became free since is whoever's turn it is by then, maybe a
          // tenant's that is not locked: who freed it has called for another run.
          const found = yield* candidates(tenants, likely.length)
          const admitted = found.length === 0 ? [] : yield* rowsOf(AdmittedRow)(
            sql`
            WITH locked AS (
              SELECT id FROM footnote.jobs WHERE id IN ${sql.in(found.map(({ id }) => id))} AND status = 'queued'
              ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
            UPDATE footnote.jobs j SET admitted_at = now() FROM locked WHERE j.id = locked.id RETURNING j.id`.unprepared
          )
          if (admitted.length > 0) {
            yield* sql`UPDATE footnote.tenants SET served_at = clock_timestamp()
              WHERE id IN ${sql.in([...new Set(found.map(({ tenant_id }) => tenant_id))])}`.unprepared
          }
          const jobs = yield* transitions.lock(admitted.map((job) => job.id))
          for (const job of jobs) {
            yield* apart(transitions.open(job), (cause) => unopened(job, cause))
          }
          return jobs.length
        }))

      const tellOfAdmission = tolerated("Admission after a slot became free", "the janitor admits within a second")
      const freed = Latch.makeUnsafe(false)
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(
        freed.await,
        Effect.suspend(() => {
          freed.closeUnsafe()
          return admit.pipe(tellOfAdmission)
        })
      )))

      return Admission.of({ admit, slotFreed: Effect.sync(() => freed.openUnsafe()) })
    })
  )
}
