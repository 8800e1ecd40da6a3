import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { advisoryLocks } from "../../src/database/AdvisoryLocks.ts"
import { rowsOf } from "../../src/database/Rows.ts"
import type { PacedCredential, VendorRateLimit } from "../../src/deliveries/connectors/VendorRateLimit.ts"
import { countUnderWay, EndpointRecord, hasRoom, roomAt, standingOf } from "../../src/deliveries/queue/TenantShare.ts"
import { JobId, TenantId } from "../../src/identity/Id.ts"

const DestinationState = Schema.Struct({
  type: Schema.String,
  status: Schema.String,
  deleted: Schema.Boolean
})
const EndpointState = Schema.Struct({
  ...EndpointRecord.fields,
  resting: Schema.Boolean
})
const InFlight = Schema.Struct({
  ...EndpointRecord.fields,
  endpoint: Schema.String,
  in_flight: Schema.Finite
})

/** A delivery as an attempt finds it. */
export const FoundDelivery = Schema.Struct({
  id: Schema.String,
  tenant_id: TenantId,
  job_id: JobId,
  destination_id: Schema.NullOr(Schema.String),
  endpoint: Schema.String,
  event_id: Schema.String,
  event_type: Schema.String,
  revision: Schema.NullOr(Schema.Finite),
  created_at: Schema.Date,
  turn: Schema.Finite,
  begun: Schema.Finite,
  attempts: Schema.Finite,
  schedule_base: Schema.Finite,
  next_attempt_at: Schema.NullOr(Schema.Date),
  unsure_from: Schema.NullOr(Schema.Date),
  unsure_until: Schema.NullOr(Schema.Date),
  status: Schema.String,
  due: Schema.Boolean
})
export type FoundDelivery = typeof FoundDelivery.Type

/**
 * What may be done about a delivery now. `over`: nothing, not by this task. `wait`: its time has not come. `parked`: it waits
 * without a task, until what stands in its way is over. `begun`: an attempt, whose number fences what it writes.
 */
type Begin =
  | { readonly kind: "over" | "parked" | "cancelled" }
  | { readonly kind: "wait"; readonly until: Date }
  | { readonly kind: "begun"; readonly delivery: FoundDelivery }

/**
 * Decides in one transaction whether an attempt begins, for all workers together: nothing begins after its destination was
 * deleted, or once a later delivery of the job has written its row of a table, while it is not active, while the endpoint asked for rest or its breaker is open, beyond 4 attempts at an endpoint
 * and 16 of a tenant at a moment (fewer where receivers fail, `hasRoom`), or faster than the credential's pace. None of these uses up an attempt.
 */
export const makeBegin = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient

  const find = (id: string) =>
    rowsOf(FoundDelivery)(
      sql`
      SELECT d.id, d.tenant_id, d.job_id, d.destination_id, d.endpoint, d.event_id, d.event_type, d.revision, d.created_at, d.turn,
        d.begun, d.schedule_base, d.next_attempt_at, d.unsure_from, d.unsure_until, d.status,
        (SELECT count(*)::int FROM footnote.delivery_attempts a WHERE a.delivery_id = d.id) AS attempts,
        d.next_attempt_at IS NULL OR d.next_attempt_at <= now() + interval '1 second' AS due
      FROM footnote.deliveries d WHERE d.id = ${id} AND d.finished_at IS NULL FOR NO KEY UPDATE OF d`.unprepared
    )

  /** Whether the destination may be written to; its row stays as it is until this transaction ends. */
  const destinationOf = Effect.fnUntraced(function*(id: string) {
    const [row] = yield* rowsOf(DestinationState)(
      sql`
      SELECT type, status, deleted_at IS NOT NULL AS deleted FROM footnote.destinations WHERE id = ${id} FOR SHARE`
        .unprepared
    )
    return row === undefined || row.deleted ? { type: "", status: "deleted" } : row
  })

  /**
   * A row of a table is written over: an older delivery that was refused for a while is not to take the place of one of the same job that
   * was asked for after it, such as the machine's result that of a reviewer.
   */
  const isSuperseded = (type: string, { destination_id, id, job_id }: FoundDelivery) =>
    type !== "snowflake" ? Effect.succeed(false) : Effect.map(
      sql`SELECT FROM footnote.deliveries
        WHERE job_id = ${job_id} AND destination_id = ${destination_id} AND status = 'succeeded'
          AND (created_at, id) > (SELECT created_at, id FROM footnote.deliveries WHERE id = ${id}) LIMIT 1`.unprepared,
      (later) => later.length > 0
    )

  /** Locks the endpoint's row, so that two workers do not take the last place; `used_at` stays what it was at its last attempt. */
  const endpointOf = Effect.fnUntraced(function*(id: string) {
    const [row] = yield* rowsOf(EndpointState)(
      sql`
      INSERT INTO footnote.endpoints AS e (id) VALUES (${id}) ON CONFLICT (id) DO UPDATE SET failures = e.failures
      RETURNING failures, answered_at IS NOT NULL AS answered,
        coalesce(greatest(open_until, blocked_until), '-infinity') > now() AS resting`.unprepared
    )
    return row!
  })

  /** The tenant's attempts under way beside this one, by where they go. */
  const inFlight = Effect.fnUntraced(function*({ id, tenant_id }: FoundDelivery) {
    yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.tenantDeliveries}, hashtext(${tenant_id}))`.unprepared
    return yield* rowsOf(InFlight)(
      sql`
      SELECT f.endpoint, count(*)::int AS in_flight, coalesce(e.failures, 0) AS failures, e.answered_at IS NOT NULL AS answered
      FROM footnote.deliveries f LEFT JOIN footnote.endpoints e ON e.id = f.endpoint
      WHERE f.tenant_id = ${tenant_id} AND f.status = 'delivering' AND f.id <> ${id}
      GROUP BY f.endpoint, e.failures, e.answered_at`.unprepared
    )
  })

  /** Takes a place in the credential's line; where there is none, tells the endpoint when to come again. */
  const paced = Effect.fnUntraced(
    function*(endpoint: string, credential: string, { burst, per_second }: VendorRateLimit) {
      const step = 1 / per_second
      const taken = yield* sql`
      INSERT INTO footnote.paces AS p (credential, arrival) VALUES (${credential}, now() + make_interval(secs => ${step}))
      ON CONFLICT (credential) DO UPDATE SET arrival = greatest(p.arrival, now()) + make_interval(secs => ${step})
        WHERE greatest(p.arrival, now()) <= now() + make_interval(secs => ${(burst - 1) * step})
      RETURNING arrival`.unprepared
      if (taken.length > 0) return true
      yield* sql`UPDATE footnote.endpoints SET paced_until = (
        SELECT arrival - make_interval(secs => ${
        (burst - 1) * step
      }) FROM footnote.paces WHERE credential = ${credential})
      WHERE id = ${endpoint}`.unprepared
      return false
    }
  )

  const park = Effect.fnUntraced(function*(id: string) {
    yield* sql`UPDATE footnote.deliveries SET status = 'pending', parked = true WHERE id = ${id}`.unprepared
    return { kind: "parked" } as const
  })

  return (options: {
    readonly delivery_id: string
    readonly turn: number
    readonly destination_id: string | null
    readonly endpoint: string
    readonly credential: PacedCredential | undefined
  }) =>
    sql.withTransaction(Effect.gen(function*() {
      const { credential, delivery_id, destination_id, turn } = options
      const { status: standing, type } = destination_id === null
        ? { status: "active", type: "webhook" }
        : yield* destinationOf(destination_id)
      const endpoint = yield* endpointOf(options.endpoint)
      const [found] = yield* find(delivery_id)
      if (found === undefined || found.turn !== turn) return { kind: "over" } as const
      const [job] = yield* sql`SELECT FROM footnote.jobs WHERE id = ${found.job_id}
        AND (deleted_at IS NULL OR ${found.event_type} = 'batch.completed')`.unprepared
      if (standing === "deleted" || job === undefined || (yield* isSuperseded(type, found))) {
        yield* sql`UPDATE footnote.deliveries SET status = 'cancelled', parked = false, next_attempt_at = NULL,
          finished_at = now() WHERE id = ${delivery_id}`.unprepared
        return { kind: "cancelled" } as const
      }
      // A worker died between the books of its attempt and the queue's: the attempt stands, the next one is due later.
      if (!found.due) return { kind: "wait", until: found.next_attempt_at! } as const
      if (standing !== "active" || endpoint.resting) return yield* park(delivery_id)
      const others = yield* inFlight(found)
      const here = others.find((other) => other.endpoint === options.endpoint)?.in_flight ?? 0
      if (here >= roomAt(endpoint.failures) || !hasRoom(standingOf(endpoint), countUnderWay(others))) {
        return yield* park(delivery_id)
      }
      if (credential !== undefined && !(yield* paced(options.endpoint, credential.digest, credential.pace))) {
        return yield* park(delivery_id)
      }
      // Written before a byte leaves: a worker that dies now leaves an attempt of which nobody knows what came.
      yield* sql`UPDATE footnote.deliveries SET status = 'delivering', parked = false, begun = begun + 1,
        unsure_from = coalesce(unsure_from, now()), unsure_until = now() WHERE id = ${delivery_id}`.unprepared
      yield* sql`UPDATE footnote.endpoints SET used_at = now() WHERE id = ${options.endpoint}`.unprepared
      return { kind: "begun", delivery: { ...found, begun: found.begun + 1 } } as const
    })) satisfies Effect.Effect<Begin, unknown>
})
