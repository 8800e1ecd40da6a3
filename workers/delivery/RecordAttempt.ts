import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect, Random, Schema } from "effect"
import { rowsOf } from "../../src/database/Rows.ts"
import type { Outcome } from "../../src/deliveries/connectors/content/Connector.ts"
import type { PacedCredential } from "../../src/deliveries/connectors/VendorRateLimit.ts"
import { DestinationHealth } from "../../src/deliveries/destinations/DestinationHealth.ts"
import { afterFailure, EndpointCounts, unharmed } from "../../src/deliveries/queue/CircuitBreaker.ts"
import { DeliveryQueue } from "../../src/deliveries/queue/DeliveryQueue.ts"
import { countFinished } from "../../src/deliveries/queue/FinishedDeliveries.ts"
import { nextDelay } from "../../src/deliveries/queue/RetrySchedule.ts"
import type { FoundDelivery } from "./BeginAttempt.ts"

const BreakerRow = Schema.Struct({ ...EndpointCounts.fields, open: Schema.Boolean })
const WrittenRow = Schema.Struct({ due: Schema.NullOr(Schema.Date) })
const NumberRow = Schema.Struct({
  number: Schema.Finite
})

/** Of a receiver that refuses for being asked too often and does not say how long to wait. */
const restAfter429 = 10

/** What is counted against an endpoint: it could not take an attempt, whatever the attempt held. */
const isFailure = ({ kind, retry_after, status_code }: Outcome): boolean =>
  (kind === "retryable" && retry_after === undefined && status_code !== 429) || kind === "ambiguous"
  || kind === "auth_broken"

/** Seconds for which nothing is sent to the endpoint, because it asked for that. */
const restOf = ({ kind, retry_after, status_code }: Outcome): number | undefined =>
  status_code === null || kind === "delivered" || kind === "held"
    ? undefined
    : status_code === 429
    ? retry_after ?? restAfter429
    : retry_after

const after = (seconds: number) =>
  Effect.map(
    DateTime.now,
    (now) => DateTime.toDateUtc(DateTime.add(now, { milliseconds: Math.ceil(seconds * 1000) }))
  )

/**
 * Writes what became of an attempt: the attempt, the delivery, the endpoint's counts and its destination's state in one
 * transaction, and hands its place on to the next endpoint of the tenant that waits. An attempt that is not the delivery's latest any more
 * changes nothing; one that has been written, by a transaction whose end was not heard of, answers as it did. Answers when the next
 * attempt is due, null where there is none by this task, undefined where the attempt is not the latest any more.
 */
export const makeRecord = Effect.fnUntraced(function*(schedule: ReadonlyArray<number>) {
  const sql = yield* PgClient.PgClient
  const health = yield* DestinationHealth
  const deliveryQueue = yield* DeliveryQueue

  const countAgainst = Effect.fnUntraced(function*(endpoint: string, outcome: Outcome) {
    if (outcome.kind === "delivered" || outcome.kind === "rejected") {
      yield* sql`UPDATE footnote.endpoints SET failures = ${unharmed.failures}, opened = ${unharmed.opened},
        open_until = NULL, answered_at = now()
        WHERE id = ${endpoint} AND (failures > 0 OR opened > 0 OR answered_at IS NULL)`.unprepared
    }
    const rest = restOf(outcome)
    if (rest !== undefined) {
      yield* sql`UPDATE footnote.endpoints SET
        blocked_until = greatest(blocked_until, now() + make_interval(secs => ${rest})) WHERE id = ${endpoint}`
        .unprepared
    }
    if (!isFailure(outcome)) return
    const [row] = yield* rowsOf(BreakerRow)(
      sql`
      SELECT failures, opened, coalesce(open_until > now(), false) AS open
      FROM footnote.endpoints WHERE id = ${endpoint} FOR NO KEY UPDATE`.unprepared
    )
    // Attempts that were under way when the breaker opened say nothing new.
    if (row?.open === true) return
    const { counts, open_seconds } = afterFailure(row ?? unharmed)
    yield* sql`UPDATE footnote.endpoints SET failures = ${counts.failures}, opened = ${counts.opened},
      open_until = CASE WHEN ${open_seconds}::float8 > 0 THEN now() + make_interval(secs => ${open_seconds}) END
      WHERE id = ${endpoint}`.unprepared
  })

  /** A credential that was told to wait is told for all destinations that share it: none of them begins within that by its burst. */
  const slowDown = (credential: PacedCredential | undefined, outcome: Outcome) => {
    const rest = restOf(outcome)
    if (credential === undefined || rest === undefined) return Effect.void
    const { digest, pace: { burst, per_second } } = credential
    return sql`INSERT INTO footnote.paces AS p (credential, arrival)
        VALUES (${digest}, now() + make_interval(secs => ${rest + (burst - 1) / per_second}))
        ON CONFLICT (credential) DO UPDATE SET arrival = greatest(p.arrival, excluded.arrival)`.unprepared
  }

  const note = (delivery: FoundDelivery, at: Date, outcome: Outcome, duration_ms: number) =>
    rowsOf(NumberRow)(
      sql`
      INSERT INTO footnote.delivery_attempts (delivery_id, number, at, status_code, error, duration_ms)
      SELECT ${delivery.id}, coalesce(max(number), 0) + 1, ${at}, ${outcome.status_code}::int, ${outcome.error}::text,
        ${duration_ms}::int
      FROM footnote.delivery_attempts WHERE delivery_id = ${delivery.id} RETURNING number`.unprepared
    )

  const write = Effect.fnUntraced(function*(delivery: FoundDelivery, at: Date, outcome: Outcome, duration_ms: number) {
    // A connector that comes to doubt has settled every doubt before it. Otherwise what is known is what was known.
    const doubt = outcome.kind === "ambiguous"
      ? sql`, unsure_from = unsure_until`
      : sql`, unsure_from = ${delivery.unsure_from}, unsure_until = ${delivery.unsure_until}`
    if (outcome.kind === "held") {
      const due = yield* after(outcome.retry_after ?? 1)
      yield* sql`UPDATE footnote.deliveries SET status = 'pending', next_attempt_at = ${due} ${doubt}
        WHERE id = ${delivery.id}`.unprepared
      return due
    }
    const [made] = yield* note(delivery, at, outcome, duration_ms)
    const ends = outcome.kind === "delivered" || outcome.kind === "rejected" || outcome.kind === "gone"
    const delay = ends
      ? undefined
      : nextDelay(made!.number - delivery.schedule_base, yield* Random.next, outcome.retry_after, schedule)
    if (delay === undefined) {
      const status = outcome.kind === "delivered" ? "succeeded" : "failed"
      yield* sql.afterCommit(countFinished(status))
      yield* sql`UPDATE footnote.deliveries SET status = ${status}, next_attempt_at = NULL, finished_at = now(),
        marked = ${outcome.kind === "delivered" && delivery.destination_id !== null} ${doubt}
        WHERE id = ${delivery.id}`.unprepared
      return null
    }
    const due = yield* after(delay)
    yield* sql`UPDATE footnote.deliveries SET status = 'pending', next_attempt_at = ${due} ${doubt}
      WHERE id = ${delivery.id}`.unprepared
    return due
  })

  /** What is due by the record of this very attempt, where it has been written. Without a lock, since locks come in one order. */
  const writtenOf = ({ begun, id, turn }: FoundDelivery) =>
    rowsOf(WrittenRow)(
      sql`
      SELECT CASE WHEN status = 'pending' AND NOT parked THEN next_attempt_at END AS due
      FROM footnote.deliveries WHERE id = ${id} AND begun = ${begun} AND turn = ${turn} AND status <> 'delivering'`
        .unprepared
    )

  return (options: {
    readonly delivery: FoundDelivery
    readonly at: Date
    readonly outcome: Outcome
    readonly duration_ms: number
    readonly credential?: PacedCredential | undefined
    readonly settled?: ReadonlyArray<string>
    /** Nothing has left, through no fault of the receiver: what is known of it stays as it is. */
    readonly unsent?: boolean
  }) =>
    sql.withTransaction(Effect.gen(function*() {
      const { at, credential, delivery, duration_ms, outcome, settled = [], unsent = false } = options
      const { destination_id, endpoint } = delivery
      const [written] = yield* writtenOf(delivery)
      if (written !== undefined) return written.due
      // Locks come in one order: destination, endpoint, delivery.
      if (destination_id !== null && outcome.kind !== "held" && !unsent) {
        const seen = outcome.kind === "delivered" || outcome.kind === "gone" ? outcome.kind : "failed"
        yield* health.attempted(destination_id, seen, outcome.error)
      }
      if (!unsent) yield* countAgainst(endpoint, outcome)
      yield* slowDown(credential, outcome)
      const mine = yield* sql`SELECT FROM footnote.deliveries
        WHERE id = ${delivery.id} AND begun = ${delivery.begun} AND status = 'delivering' FOR NO KEY UPDATE`.unprepared
      if (mine.length === 0) return undefined
      const due = yield* write(delivery, at, outcome, duration_ms)
      if (outcome.kind === "delivered" && settled.length > 0) {
        yield* sql`UPDATE footnote.deliveries SET marked = false WHERE id IN ${sql.in(settled)}`.unprepared
      }
      yield* deliveryQueue.handOn(delivery.tenant_id, endpoint)
      return due
    }))
})
