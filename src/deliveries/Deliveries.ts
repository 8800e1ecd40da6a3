import { Context, Effect, Layer, Schema } from "effect"
import { toInstant } from "../database/Instant.ts"
import { toPage } from "../database/Page.ts"
import { tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId } from "../identity/Id.ts"
import {
  type Delivery,
  DeliveryAttempt,
  DeliveryNotFound,
  DeliveryStatus,
  type DeliveryWait
} from "./model/Delivery.ts"
import { DestinationStatus, DestinationType } from "./model/Destination.ts"

const Row = Schema.Struct({
  id: Schema.String,
  job_id: Schema.String,
  destination_id: Schema.NullOr(Schema.String),
  destination_type: Schema.NullOr(DestinationType),
  destination_status: Schema.NullOr(DestinationStatus),
  event_id: Schema.String,
  event_type: Schema.String,
  revision: Schema.NullOr(Schema.Finite),
  status: DeliveryStatus,
  attempts: Schema.Array(DeliveryAttempt),
  next_attempt_at: Schema.NullOr(Schema.Date),
  later: Schema.Boolean,
  created_at: Schema.Date,
  finished_at: Schema.NullOr(Schema.Date)
})
type Row = typeof Row.Type

const waitsFor = ({ destination_status, later, status }: Row): DeliveryWait | null => {
  if (status !== "pending") return null
  if (destination_status === "paused" || destination_status === "broken") return `destination_${destination_status}`
  return later ? "retry" : "turn"
}

const toDelivery = ({ destination_status, later, ...row }: Row): Delivery => {
  const waits_for = waitsFor({ ...row, destination_status, later })
  // Of a held one the moment has passed, or means nothing until its destination is well again.
  const due = waits_for?.startsWith("destination_") === true ? null : row.next_attempt_at
  return {
    ...row,
    waits_for,
    // The `webhook_url` of a job is no destination, and is told as a webhook is.
    destination_type: row.destination_type ?? "webhook",
    attempts: row.attempts.map((attempt) => ({ ...attempt, at: toInstant(new Date(attempt.at)) })),
    next_attempt_at: due && toInstant(due),
    created_at: toInstant(row.created_at),
    finished_at: row.finished_at && toInstant(row.finished_at)
  }
}

interface PageOf {
  readonly limit: number
  readonly cursor?: string | undefined
}

interface Filter {
  readonly job_id?: string | undefined
  readonly destination_id?: string | undefined
  readonly status?: DeliveryStatus | undefined
}

interface Listed {
  readonly data: ReadonlyArray<Delivery>
  readonly next_cursor: string | null
}

/** What the current tenant can see of deliveries: each with all of its attempts. */
export class Deliveries extends Context.Service<Deliveries, {
  /** Newest first; ids in the filter that are nobody's match nothing. */
  readonly list: (page: PageOf, filter?: Filter) => Effect.Effect<Listed, never, CurrentTenant>
  readonly get: (id: string) => Effect.Effect<Delivery, DeliveryNotFound, CurrentTenant>
  /** Those of one job, newest first; the caller has checked that the job is the tenant's. */
  readonly ofJob: (job_id: string, page: PageOf) => Effect.Effect<Listed, never, CurrentTenant>
}>()("footnote/deliveries/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql

      const rows = Effect.fnUntraced(
        function*(where: Filter & { readonly id?: string; readonly limit: number }, cursor?: string) {
          const { tenant_id } = yield* CurrentTenant
          const { destination_id, id, job_id, limit, status } = where
          return yield* tenantRowsOf(Row)(
            inTenant(tenant_id)(sql`
          SELECT d.id, d.job_id, d.destination_id, t.type AS destination_type, t.status AS destination_status,
            d.event_id, d.event_type, d.revision, d.status, coalesce(d.next_attempt_at > now(), false) AS later,
            coalesce((SELECT jsonb_agg(jsonb_build_object('number', a.number, 'at', a.at, 'status_code', a.status_code,
                'error', a.error, 'duration_ms', a.duration_ms) ORDER BY a.number)
              FROM footnote.delivery_attempts a WHERE a.delivery_id = d.id), '[]') AS attempts,
            d.next_attempt_at, d.created_at, d.finished_at
          FROM footnote.deliveries d LEFT JOIN footnote.destinations t ON t.id = d.destination_id
          WHERE ${
              sql.and([
                sql`d.tenant_id = ${tenant_id}`,
                ...(id === undefined ? [] : [sql`d.id = ${id}`]),
                ...(job_id === undefined ? [] : [sql`d.job_id = ${job_id}`]),
                ...(destination_id === undefined ? [] : [sql`d.destination_id = ${destination_id}`]),
                ...(status === undefined ? [] : [sql`d.status = ${status}`]),
                ...(cursor === undefined ? [] : [
                  sql`(d.created_at, d.id) < (SELECT c.created_at, c.id FROM footnote.deliveries c
                  WHERE c.id = ${cursor} AND c.tenant_id = ${tenant_id})`
                ])
              ])
            } ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`)
          )
        }
      )

      const list = Effect.fn("Deliveries.list")(function*({ cursor, limit }: PageOf, filter: Filter = {}) {
        return toPage((yield* rows({ ...filter, limit: limit + 1 }, cursor)).map(toDelivery), limit)
      })

      return Deliveries.of({
        list,
        get: Effect.fn("Deliveries.get")(function*(id) {
          const [row] = isId("dlv", id) ? yield* rows({ id, limit: 1 }) : []
          return row === undefined ? yield* new DeliveryNotFound() : toDelivery(row)
        }),
        ofJob: (job_id, page) => list(page, { job_id })
      })
    })
  )
}
