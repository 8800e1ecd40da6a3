import { Context, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { retryTransient } from "../../database/Transient.ts"
import { EngineOptions } from "./EngineOptions.ts"
import { Transitions } from "./Transitions.ts"

const lockClass = 7101

/**
 * Who may start. A tenant has `max_running` slots; a job holds one from admission until it is terminal. Slots are counted
 * from rows while the tenant's row is locked, so two admissions cannot both take the last one.
 */
export class Admission extends Context.Service<Admission, {
  /** Fills free slots; answers how many jobs were admitted. Among tenants, who uses the smallest share comes first. */
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

      const admit = retryTransient(sql.withTransaction(Effect.gen(function*() {
        // Waited for, not tried: whoever lost a try would have lost its wake-up, and small jobs took 22 s instead of 6 s.
        yield* sql`SELECT pg_advisory_xact_lock(${lockClass}, 0)`.unprepared
        yield* sql`SELECT t.id FROM footnote.tenants t
          WHERE EXISTS (SELECT FROM footnote.jobs WHERE tenant_id = t.id AND status = 'queued' AND admitted_at IS NULL)
          ORDER BY t.id FOR NO KEY UPDATE`.unprepared
        const admitted = yield* sql<{ readonly id: string }>`
          WITH cap AS (
            SELECT ${max_running} - count(*) AS free FROM footnote.jobs
            WHERE status IN ('queued', 'running') AND admitted_at IS NOT NULL),
          candidates AS (
            SELECT j.id, (r.running + j.rank) / t.weight AS share
            FROM footnote.tenants t
            CROSS JOIN LATERAL (
              SELECT count(*)::int AS running FROM footnote.jobs
              WHERE tenant_id = t.id AND status IN ('queued', 'running') AND admitted_at IS NOT NULL) r
            CROSS JOIN LATERAL (
              SELECT id, row_number() OVER (ORDER BY priority DESC, created_at, id) AS rank FROM (
                SELECT id, priority, created_at FROM footnote.jobs
                WHERE tenant_id = t.id AND status = 'queued' AND admitted_at IS NULL
                ORDER BY priority DESC, created_at, id LIMIT greatest(t.max_running - r.running, 0)) first) j
            ORDER BY share, j.id LIMIT greatest((SELECT free FROM cap), 0)),
          locked AS (
            SELECT j.id FROM footnote.jobs j JOIN candidates USING (id)
            WHERE j.status = 'queued' ORDER BY j.id FOR NO KEY UPDATE OF j SKIP LOCKED)
          UPDATE footnote.jobs j SET admitted_at = now() FROM locked WHERE j.id = locked.id RETURNING j.id`.unprepared
        const jobs = yield* transitions.lock(admitted.map((job) => job.id))
        yield* Effect.forEach(jobs, transitions.open, { discard: true })
        return jobs.length
      })))

      const freed = Latch.makeUnsafe(false)
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(
        freed.await,
        Effect.suspend(() => {
          freed.closeUnsafe()
          // A failed run is made good by the janitor within a second.
          return Effect.ignoreCause(admit)
        })
      )))

      return Admission.of({ admit, slotFreed: Effect.sync(() => freed.openUnsafe()) })
    })
  )
}
