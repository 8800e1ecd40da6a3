import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { toInstant } from "../database/Instant.ts"
import { toPage } from "../database/Page.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import type { Delivery, DeliveryAttempt, DeliveryStatus } from "./Delivery.ts"

interface Row {
  readonly id: string
  readonly job_id: string
  readonly destination_id: string | null
  readonly event_id: string
  readonly status: DeliveryStatus
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  readonly next_attempt_at: Date | null
  readonly created_at: Date
  readonly finished_at: Date | null
}

const toDelivery = (row: Row): Delivery => ({
  id: row.id,
  job_id: row.job_id,
  destination_id: row.destination_id,
  destination_type: "webhook",
  event_id: row.event_id,
  status: row.status,
  attempts: row.attempts.map((attempt) => ({ ...attempt, at: toInstant(new Date(attempt.at)) })),
  next_attempt_at: row.next_attempt_at && toInstant(row.next_attempt_at),
  created_at: toInstant(row.created_at),
  finished_at: row.finished_at && toInstant(row.finished_at)
})

/** What the current tenant can see of deliveries: each with all of its attempts. */
export class Deliveries extends Context.Service<Deliveries, {
  /** Those of one job, newest first; the caller has checked that the job is the tenant's. */
  readonly ofJob: (
    job_id: string,
    page: { readonly limit: number; readonly cursor?: string | undefined }
  ) => Effect.Effect<
    { readonly data: ReadonlyArray<Delivery>; readonly next_cursor: string | null },
    never,
    CurrentTenant
  >
}>()("footnote/deliveries/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      return Deliveries.of({
        ofJob: Effect.fn("Deliveries.ofJob")(function*(job_id, { cursor, limit }) {
          const { tenant_id } = yield* CurrentTenant
          const rows = yield* sql<Row>`
            SELECT d.id, d.job_id, d.destination_id, d.event_id, d.status, d.next_attempt_at, d.created_at, d.finished_at,
              coalesce((SELECT jsonb_agg(to_jsonb(a) - 'delivery_id' ORDER BY a.number)
                FROM footnote.delivery_attempts a WHERE a.delivery_id = d.id), '[]') AS attempts
            FROM footnote.deliveries d
            WHERE d.job_id = ${job_id} AND d.tenant_id = ${tenant_id} ${
            cursor === undefined ? sql`` : sql`AND d.id < ${cursor}`
          }
            ORDER BY d.id DESC LIMIT ${limit + 1}`.pipe(Effect.orDie)
          return toPage(rows.map(toDelivery), limit)
        })
      })
    })
  )
}
