import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Sealing } from "../../crypto/Sealing.ts"
import { toInstant } from "../../database/Instant.ts"
import { toPage } from "../../database/Page.ts"
import { rowsOf, tenantRowsOf } from "../../database/Rows.ts"
import { TenantSql } from "../../database/TenantSql.ts"
import { retryTransient } from "../../database/Transient.ts"
import { type AddressPolicy, addressPolicyConfig, forbiddenUrl } from "../../egress/AddressPolicy.ts"
import type { ServiceUnavailable } from "../../errors/RequestErrors.ts"
import { remembered } from "../../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { isId, newId, type TenantId } from "../../identity/Id.ts"
import {
  type CreatedDestination,
  type CreateDestination,
  type DeletedDestination,
  type Destination,
  type DestinationConfigInvalid,
  DestinationNotFound,
  DestinationStatus,
  DestinationType,
  DestinationTypeUnsupported,
  type RotateSigningSecret,
  type UpdateDestination
} from "../model/Destination.ts"
import { checkConfig, configInvalid, type DestinationConfig } from "../model/DestinationConfig.ts"
import { EventKind } from "../model/EventKind.ts"
import { DeliveryQueue } from "../queue/DeliveryQueue.ts"
import { makeWebhookSecret } from "../signing/WebhookSecret.ts"
import { DestinationHealth } from "./DestinationHealth.ts"
import { placeOf, SealedDestination } from "./OpenDestination.ts"

const DeletedRow = Schema.Struct({
  deleted_at: Schema.NullOr(Schema.Date)
})
const GoneRow = Schema.Struct({
  deleted_at: Schema.Date
})

const Row = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: DestinationType,
  status: DestinationStatus,
  events: Schema.Array(EventKind),
  failing_since: Schema.NullOr(Schema.Date),
  last_health_check_at: Schema.NullOr(Schema.Date),
  last_health_status: Schema.NullOr(Schema.String),
  last_health_message: Schema.NullOr(Schema.String),
  created_at: Schema.Date
})
type Row = typeof Row.Type
const SealedRow = Schema.Struct({ ...Row.fields, ...SealedDestination.fields })

const toDestination = (row: Row): Destination => ({
  id: row.id,
  name: row.name,
  type: row.type,
  status: row.status,
  events: row.events,
  last_health_check_at: row.last_health_check_at && toInstant(row.last_health_check_at),
  last_health_status: row.last_health_status,
  last_health_message: row.last_health_message,
  created_at: toInstant(row.created_at)
})

/**
 * The tenant's destinations. Configs and secrets go in and never come out, save a signing secret once. An unknown id, a
 * malformed one, a deleted destination's and another tenant's are the same `DESTINATION_NOT_FOUND`.
 */
export class Destinations extends Context.Service<Destinations, {
  /** `active` from the start: the other end is first looked at when there is something to deliver, or on request. */
  readonly create: (
    input: CreateDestination
  ) => Effect.Effect<CreatedDestination, DestinationConfigInvalid | ServiceUnavailable, CurrentTenant>
  readonly list: (
    page: { readonly limit: number; readonly cursor?: string | undefined }
  ) => Effect.Effect<
    { readonly data: ReadonlyArray<Destination>; readonly next_cursor: string | null },
    never,
    CurrentTenant
  >
  readonly get: (id: string) => Effect.Effect<Destination, DestinationNotFound, CurrentTenant>
  /** `active` ends a pause and takes the owner's word for it that what was broken works: what was held is sent. */
  readonly update: (
    id: string,
    input: UpdateDestination
  ) => Effect.Effect<Destination, DestinationNotFound | DestinationConfigInvalid | ServiceUnavailable, CurrentTenant>
  /** Idempotent. Its secrets are gone with it, and no delivery to it begins any more. */
  readonly remove: (id: string) => Effect.Effect<DeletedDestination, DestinationNotFound, CurrentTenant>
  /** The old secret signs as well for so many seconds; the one before it, if it still did, ends now. */
  readonly rotateSigningSecret: (
    id: string,
    input: RotateSigningSecret
  ) => Effect.Effect<CreatedDestination, DestinationNotFound | DestinationTypeUnsupported, CurrentTenant>
  /** A health check now; the answer tells what was found. */
  readonly test: (id: string) => Effect.Effect<Destination, DestinationNotFound, CurrentTenant>
}>()("footnote/deliveries/destinations/Destinations") {
  static readonly layer = Layer.effect(Destinations, Effect.suspend(() => make))
}

/** A row or a message is of one job. */
const checkEvents = (type: DestinationType, events: ReadonlyArray<EventKind> = []) =>
  type !== "webhook" && events.includes("batch.completed")
    ? configInvalid([{ path: "/events", message: "Only a webhook can be told of batch.completed" }])
    : Effect.void

const make = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const { inTenant, sql: tenantSql } = yield* TenantSql
  const sealing = yield* Sealing
  const health = yield* DestinationHealth
  const deliveryQueue = yield* DeliveryQueue
  const policy = yield* addressPolicyConfig

  const columns = sql.literal(
    "id, name, type, status, events, failing_since, last_health_check_at, last_health_status, last_health_message, "
      + "created_at"
  )

  const find = Effect.fnUntraced(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const [row] = isId("dst", id)
      ? yield* tenantRowsOf(Row)(
        inTenant(tenant_id)(tenantSql`SELECT ${columns} FROM footnote.destinations
        WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL`)
      )
      : []
    return row ?? (yield* new DestinationNotFound())
  })

  const check = Effect.fnUntraced(function*(type: DestinationType, given: Readonly<Record<string, unknown>>) {
    const config = yield* checkConfig(type, given)
    const why = forbiddenTarget(config, policy)
    return why === undefined ? config : yield* configInvalid([{ path: "/config/url", message: why }])
  })

  const seal = (row: { readonly id: string; readonly tenant_id: TenantId }, config: DestinationConfig) =>
    sealing.seal(JSON.stringify(config), placeOf(row, "config"))

  /** A transaction over the destination's locked row. */
  const locked = <A, E>(id: string, work: (row: Row & SealedDestination) => Effect.Effect<A, E>) =>
    Effect.gen(function*() {
      const { tenant_id } = yield* CurrentTenant
      yield* find(id)
      return yield* retryTransient(sql.withTransaction(Effect.gen(function*() {
        const [row] = yield* rowsOf(SealedRow)(sql`SELECT * FROM footnote.destinations
          WHERE id = ${id} AND tenant_id = ${tenant_id} AND deleted_at IS NULL FOR NO KEY UPDATE`)
        return yield* work(row ?? (yield* new DestinationNotFound()))
      }))).pipe(Effect.catchTag("SqlError", Effect.die))
    })

  return Destinations.of({
    create: Effect.fn("Destinations.create")(function*({ config: given, events, name, type }) {
      const { tenant_id } = yield* CurrentTenant
      const config = yield* check(type, given)
      yield* checkEvents(type, events)
      const id = yield* newId("dst")
      const secret = type === "webhook" ? makeWebhookSecret() : undefined
      const row = { id, tenant_id }
      const insert = rowsOf(Row)(tenantSql`
        INSERT INTO footnote.destinations (id, tenant_id, name, type, events, config, signing_secret)
        VALUES (${id}, ${tenant_id}, ${name}, ${type}, ${JSON.stringify(events)}::jsonb, ${seal(row, config)},
          ${secret === undefined ? null : sealing.seal(secret, placeOf(row, "signing_secret"))})
        RETURNING ${columns}`)
      return yield* inTenant(tenant_id)(remembered(
        tenantSql,
        Effect.map(insert, ([made]) => ({
          ...toDestination(made!),
          ...(secret === undefined ? {} : { signing_secret: secret })
        }))
      ))
    }),

    list: Effect.fn("Destinations.list")(function*({ cursor, limit }) {
      const { tenant_id } = yield* CurrentTenant
      const rows = yield* tenantRowsOf(Row)(
        inTenant(tenant_id)(tenantSql`
        SELECT ${columns} FROM footnote.destinations
        WHERE tenant_id = ${tenant_id} AND deleted_at IS NULL ${
          cursor === undefined ? tenantSql`` : tenantSql`AND id < ${cursor}`
        } ORDER BY id DESC LIMIT ${limit + 1}`)
      )
      return toPage(rows.map(toDestination), limit)
    }),

    get: Effect.fn("Destinations.get")(function*(id) {
      return toDestination(yield* find(id))
    }),

    update: Effect.fn("Destinations.update")(function*(id, { config: given, events, name, status }) {
      const { type } = yield* find(id)
      const config = given === undefined ? undefined : yield* check(type, given)
      yield* checkEvents(type, events)
      yield* locked(
        id,
        Effect.fnUntraced(function*(row) {
          if (name !== undefined) yield* sql`UPDATE footnote.destinations SET name = ${name} WHERE id = ${id}`
          if (events !== undefined) {
            yield* sql`UPDATE footnote.destinations SET events = ${JSON.stringify(events)}::jsonb WHERE id = ${id}`
          }
          if (config !== undefined) {
            // Of the new config nothing is known yet: its first use is looked at again.
            yield* sql`UPDATE footnote.destinations
            SET config = ${seal(row, config)}, last_health_check_at = NULL, last_health_status = NULL,
              last_health_message = NULL, failing_since = NULL WHERE id = ${id}`
            if (row.status === "active" && status !== "paused") yield* deliveryQueue.releaseHeld(id)
          }
          if (status !== undefined) {
            const state = {
              status: row.status,
              failing_since: config === undefined ? row.failing_since && row.failing_since.getTime() : null
            }
            yield* health.move(id, state, { kind: status === "paused" ? "pause" : "activate" })
          }
        })
      )
      return toDestination(yield* find(id))
    }),

    remove: Effect.fn("Destinations.remove")(
      function*(id) {
        const { tenant_id } = yield* CurrentTenant
        const [row] = isId("dst", id)
          ? yield* tenantRowsOf(DeletedRow)(
            inTenant(tenant_id)(tenantSql`
            SELECT deleted_at FROM footnote.destinations WHERE id = ${id} AND tenant_id = ${tenant_id}`)
          )
          : []
        if (row === undefined) return yield* new DestinationNotFound()
        const deleted_at = row.deleted_at ?? (yield* retryTransient(sql.withTransaction(Effect.gen(function*() {
          const [gone] = yield* rowsOf(GoneRow)(sql`
            UPDATE footnote.destinations SET deleted_at = coalesce(deleted_at, date_trunc('milliseconds', now())),
              config = NULL, signing_secret = NULL, previous_signing_secret = NULL, previous_secret_until = NULL
            WHERE id = ${id} AND tenant_id = ${tenant_id} RETURNING deleted_at`)
          yield* deliveryQueue.cancelAll(id)
          return gone!.deleted_at
        }))))
        return { id, deleted_at: toInstant(deleted_at) }
      },
      Effect.catchTag("SqlError", Effect.die)
    ),

    rotateSigningSecret: Effect.fn("Destinations.rotateSigningSecret")(function*(id, { keep_old_for_seconds }) {
      if ((yield* find(id)).type !== "webhook") return yield* new DestinationTypeUnsupported()
      const secret = makeWebhookSecret()
      return yield* locked(
        id,
        Effect.fnUntraced(function*(row) {
          const until = keep_old_for_seconds === 0
            ? null
            : DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { seconds: keep_old_for_seconds }))
          const kept = until === null ? null : sealing.seal(
            yield* Effect.orDie(sealing.open(row.signing_secret!, placeOf(row, "signing_secret"))),
            placeOf(row, "previous_signing_secret")
          )
          yield* sql`UPDATE footnote.destinations
            SET signing_secret = ${sealing.seal(secret, placeOf(row, "signing_secret"))},
              previous_signing_secret = ${kept}, previous_secret_until = ${until} WHERE id = ${id}`
          return { ...toDestination(row), signing_secret: secret }
        }, (rotation) => remembered(sql, rotation))
      )
    }),

    test: Effect.fn("Destinations.test")(function*(id) {
      const { tenant_id } = yield* CurrentTenant
      yield* find(id)
      yield* health.check(tenant_id, id)
      return toDestination(yield* find(id))
    })
  })
})

/** Why an address of the tenant's own may not be reached; the vendors' addresses are ours. */
const forbiddenTarget = (config: DestinationConfig, policy: AddressPolicy): string | undefined =>
  "url" in config ? forbiddenUrl(new URL(config.url), policy) : undefined
