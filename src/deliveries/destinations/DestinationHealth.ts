import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Sealing } from "../../crypto/Sealing.ts"
import { rowsOf } from "../../database/Rows.ts"
import { retryTransient } from "../../database/Transient.ts"
import { isId, type TenantId } from "../../identity/Id.ts"
import { Connectors } from "../connectors/Connectors.ts"
import type { Health } from "../connectors/content/Connector.ts"
import { untilDelivered } from "../connectors/Snowflake.ts"
import { DestinationNotFound, DestinationStatus } from "../model/Destination.ts"
import { type DestinationEvent, type DestinationState, nextState } from "../model/DestinationState.ts"
import { DeliveryQueue } from "../queue/DeliveryQueue.ts"
import { openDestination, SealedDestination } from "./OpenDestination.ts"

const StateRow = Schema.Struct({
  status: DestinationStatus,
  failing_since: Schema.NullOr(Schema.Date),
  last_health_check_at: Schema.NullOr(Schema.Date),
  last_health_status: Schema.NullOr(Schema.String),
  last_health_message: Schema.NullOr(Schema.String),
  config: Schema.NullOr(Schema.Uint8Array)
})
type StateRow = typeof StateRow.Type

/**
 * Keeps the status of destinations by what is seen of them, for the API and the workers alike. Every move is made under the
 * destination's row lock, which comes before the locks of jobs and deliveries.
 */
export class DestinationHealth extends Context.Service<DestinationHealth, {
  /**
   * Looks at the destination's other end now and keeps what was found: a final failure breaks an active one, a good check
   * makes a broken one active and sends what was held for it. Unknown, deleted and other tenants' ids fail alike.
   */
  readonly check: (tenant_id: TenantId, id: string) => Effect.Effect<Health, DestinationNotFound>
  /**
   * What an attempt has come to, and what was wrong with it; part of the caller's transaction. Answers the status from now
   * on; where the destination is broken by it, says why, and what is no longer true of one that was delivered to goes.
   */
  readonly attempted: (
    id: string,
    outcome: "delivered" | "failed" | "gone",
    error: string | null
  ) => Effect.Effect<DestinationStatus, SqlError>
  /** A word of the owner's or of a check; part of the caller's transaction, in which the row has to be locked. */
  readonly move: (
    id: string,
    from: DestinationState,
    event: DestinationEvent
  ) => Effect.Effect<DestinationState, SqlError>
}>()("footnote/deliveries/destinations/DestinationHealth") {
  static readonly layer = Layer.effect(DestinationHealth, Effect.suspend(() => make))
}

const stateOf = ({ failing_since, status }: StateRow): DestinationState => ({
  status,
  failing_since: failing_since && failing_since.getTime()
})

/** A delivery that arrived says more than a look before it that found trouble, or a table that was not ready yet. */
const isOutdated = ({ last_health_message, last_health_status }: StateRow): boolean =>
  last_health_status !== "ok" || untilDelivered.has(last_health_message ?? "")

const dateOf = (millis: number) => new Date(millis)

const make = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const sealing = yield* Sealing
  const connectors = yield* Connectors
  const deliveryQueue = yield* DeliveryQueue

  const lock = (id: string) =>
    rowsOf(StateRow)(
      sql`SELECT status, failing_since, last_health_check_at, last_health_status, last_health_message, config
      FROM footnote.destinations WHERE id = ${id} FOR NO KEY UPDATE`
    )

  const explain = (id: string, message: string | null) =>
    sql`UPDATE footnote.destinations SET last_health_message = ${message} WHERE id = ${id}`

  const move = Effect.fnUntraced(function*(id: string, from: DestinationState, event: DestinationEvent) {
    const to = nextState(from, event, yield* Clock.currentTimeMillis)
    const failing_since = to.failing_since === null ? null : dateOf(to.failing_since)
    yield* sql`UPDATE footnote.destinations SET status = ${to.status}, failing_since = ${failing_since}
      WHERE id = ${id} AND (status, failing_since) IS DISTINCT FROM (${to.status}, ${failing_since})`
    if (to.status === "active" && from.status !== "active") {
      yield* explain(id, null)
      yield* deliveryQueue.releaseHeld(id)
    }
    if (to.status === "broken" && from.status !== "broken") {
      yield* Effect.logWarning("A destination is broken; its deliveries wait until a check finds it well").pipe(
        Effect.annotateLogs({ destination_id: id })
      )
    }
    return to
  })

  const seen = Effect.fnUntraced(function*(id: string, status: string, message: string | null) {
    const at = dateOf(yield* Clock.currentTimeMillis)
    yield* sql`UPDATE footnote.destinations SET last_health_check_at = ${at}, last_health_status = ${status},
      last_health_message = ${message} WHERE id = ${id}`
  })

  /** False where the config is another one by now, of which this check says nothing. */
  const keep = (id: string, config: Uint8Array, found: Health) =>
    sql.withTransaction(Effect.gen(function*() {
      const [row] = yield* lock(id)
      if (row === undefined || row.config === null) return yield* new DestinationNotFound()
      if (Buffer.compare(row.config, config) !== 0) return false
      const from = stateOf(row)
      const { status } = yield* move(id, from, { kind: "checked", ok: found.ok, final: found.final })
      if (found.ok && status === "active" && from.status === "active") yield* deliveryQueue.releaseHeld(id)
      yield* seen(id, found.status, found.message)
      return true
    }))

  const look = Effect.fnUntraced(function*(tenant_id: TenantId, id: string) {
    const [row] = isId("dst", id)
      ? yield* rowsOf(SealedDestination)(sql`
        SELECT id, tenant_id, type, config, signing_secret, previous_signing_secret, previous_secret_until
        FROM footnote.destinations WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`)
      : []
    if (row === undefined) return yield* new DestinationNotFound()
    const found = yield* connectors.check(yield* openDestination(sealing, row, yield* Clock.currentTimeMillis))
    return { found, kept: yield* retryTransient(keep(id, row.config!, found)) }
  })

  return DestinationHealth.of({
    check: Effect.fn("DestinationHealth.check")(
      function*(tenant_id, id) {
        for (let tries = 1;; tries++) {
          const { found, kept } = yield* look(tenant_id, id)
          if (kept || tries === 3) return found
        }
      },
      Effect.catchTag("SqlError", Effect.die)
    ),
    attempted: Effect.fn("DestinationHealth.attempted")(function*(id, outcome, error) {
      const [row] = yield* lock(id)
      if (row === undefined) return yield* Effect.die(new Error(`No destination ${id}`))
      // The first delivery is the health check of those that cannot be looked at without being written to.
      if (outcome === "delivered" ? isOutdated(row) : outcome === "gone" && row.last_health_check_at === null) {
        yield* seen(id, outcome === "delivered" ? "ok" : "gone", null)
      }
      const { status } = yield* move(id, stateOf(row), { kind: outcome })
      if (status === "broken" && row.status === "active") {
        yield* explain(id, `${outcome === "gone" ? "" : "No delivery has succeeded for five days: "}${error}`)
      }
      return status
    }),
    move
  })
})
