import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Release } from "./Release.ts"

/** Tenant and weight decide the place in line; the id names the job. */
interface DeliveringJob {
  readonly id: string
  readonly tenant_id: string
  readonly weight: number
}

/** One attempt may take 15 s; the rest is for a slow name server and our own books. */
const attemptTimeoutSeconds = 60

/**
 * Puts deliveries into the queue in the transaction that makes them due, so that each exists exactly once even if the
 * process dies at the commit. Every attempt is a task of its own: waiting for the next one uses up no retry of the queue.
 */
export class TerminalDelivery extends Context.Service<TerminalDelivery, {
  /** A job has become terminal: its `webhook_url`, if any, is to be told. */
  readonly enqueue: (
    job: DeliveringJob,
    status: "succeeded" | "failed" | "cancelled"
  ) => Effect.Effect<void, SqlError>
  /** An attempt of this delivery, now or at a later moment. */
  readonly attempt: (job: DeliveringJob, delivery_id: string, at?: Date) => Effect.Effect<void, SqlError>
}>()("footnote/jobs/TerminalDelivery") {
  static readonly layer = Layer.effect(
    TerminalDelivery,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { release } = yield* Release

      const attempt = Effect.fnUntraced(function*(job: DeliveringJob, delivery_id: string, at?: Date) {
        const [next] = yield* sql<{ readonly index: number }>`
          SELECT coalesce(max(idx) + 1, 0)::int AS index FROM footnote.tasks
          WHERE job_id = ${job.id} AND stage = 'deliver'`.unprepared
        yield* release({
          job,
          stage: "deliver",
          pool: "delivery",
          timeout_seconds: attemptTimeoutSeconds,
          from: next!.index,
          inputs: [{ delivery_id }],
          start_after: at
        })
      })

      return TerminalDelivery.of({
        attempt,
        enqueue: Effect.fnUntraced(function*(job, status) {
          const suffix = job.id.slice("job_".length)
          const made = yield* sql`
            INSERT INTO footnote.deliveries (id, tenant_id, job_id, event_id, event_type, next_attempt_at)
            SELECT ${`dlv_${suffix}`}, tenant_id, id, ${`evt_${suffix}`}, ${`job.${status}`}, now()
            FROM footnote.jobs WHERE id = ${job.id} AND webhook_url IS NOT NULL
            ON CONFLICT DO NOTHING RETURNING id`.unprepared
          if (made.length > 0) yield* attempt(job, `dlv_${suffix}`)
        })
      })
    })
  )
}
