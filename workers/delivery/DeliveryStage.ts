import { PgClient } from "@effect/sql-pg"
import { Clock, DateTime, Effect, Schedule, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { saysDatabaseAway } from "../../src/database/DatabaseAway.ts"
import { rowsOf } from "../../src/database/Rows.ts"
import { retryTransient } from "../../src/database/Transient.ts"
import { Connectors } from "../../src/deliveries/connectors/Connectors.ts"
import type { AttemptState, DeliveryPayload, Outcome } from "../../src/deliveries/connectors/content/Connector.ts"
import { held, rejected, retryable } from "../../src/deliveries/connectors/DeliveryOutcome.ts"
import { pagesSince } from "../../src/deliveries/connectors/Notion.ts"
import { credentialOf, VendorRateLimits } from "../../src/deliveries/connectors/VendorRateLimit.ts"
import { DestinationHealth } from "../../src/deliveries/destinations/DestinationHealth.ts"
import { openDestination, SealedDestination } from "../../src/deliveries/destinations/OpenDestination.ts"
import type { DestinationTarget } from "../../src/deliveries/model/DestinationConfig.ts"
import { logGivenUp } from "../../src/deliveries/queue/FinishedDeliveries.ts"
import { deliverySchedule } from "../../src/deliveries/queue/RetrySchedule.ts"
import { openWebhookSecret } from "../../src/deliveries/signing/WebhookSecret.ts"
import { JobId, TenantId } from "../../src/identity/Id.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { serviceAddress, warnUnlessPublic } from "../../src/processes/ServiceAddress.ts"
import { attemptRecordRetries } from "../../src/retries/RetryPolicy.ts"
import type { BlobError } from "../../src/storage/Blobs.ts"
import { SealedSecrets, tenantSecrets } from "../../src/tenants/TenantSettings.ts"
import type { DeliveryHandler } from "../engine/Stage.ts"
import { type FoundDelivery, makeBegin } from "./BeginAttempt.ts"
import type { ContentDamaged } from "./DamagedContent.ts"
import { countAttempt } from "./DeliveryMetrics.ts"
import { makeDeliveryPayloads } from "./DeliveryPayloads.ts"
import { makeRecord } from "./RecordAttempt.ts"

const IdRow = Schema.Struct({
  id: Schema.String
})

const CountRow = Schema.Struct({ count: Schema.Finite })

/** Marks at a vendor that go with one delivery. */
const mostSettled = 20

/** Until a store that is away is asked again. */
const storeAwaySeconds = 10

/** What was to be sent cannot be read: an outcome of ours, of which the receiver knows nothing. */
const unread = {
  /** Bytes that are gone may have been brought back by the next attempt; others than were written stay so. */
  ContentDamaged: ({ message, missing }: ContentDamaged) =>
    Effect.succeed({ outcome: missing ? retryable(message) : rejected(message) }),
  BlobError: (error: BlobError) =>
    Effect.logWarning("What is to be delivered cannot be read from the blob store now; no attempt is used up", error)
      .pipe(
        Effect.as({ outcome: held("the blob store could not be read", storeAwaySeconds) })
      )
}

const Addressed = Schema.Struct({
  tenant_id: TenantId,
  job_id: JobId,
  destination_id: Schema.NullOr(Schema.String),
  endpoint: Schema.String
})

const Destination = Schema.Struct({
  ...SealedDestination.fields,
  last_health_check_at: Schema.NullOr(Schema.Date),
  status: Schema.String
})
type Destination = typeof Destination.Type

const booksClosed = (error: SqlError) =>
  Effect.logWarning("A delivery attempt could not be recorded; it is attempted again under the same event id", error)
    .pipe(
      Effect.andThen(
        new StageFailure({
          code: "INTERNAL",
          message: "The attempt could not be recorded.",
          retryable: true,
          ...(saysDatabaseAway(error) ? { fault: "database" as const } : {})
        })
      )
    )

/** Retries the record of an attempt (`attemptRecordRetries`), so that what has been delivered is not delivered again. */
const persistently = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  retryTransient(write).pipe(Effect.retry({
    times: attemptRecordRetries.times,
    schedule: Schedule.spaced(`${attemptRecordRetries.every_ms} millis`)
  }))

/** One line for each attempt, with what comes next; a warning where nothing does and the event has not arrived. */
const told = (delivery: FoundDelivery, outcome: Outcome, ms: number, due: Date | null | undefined) =>
  Effect.logInfo("delivery attempt").pipe(
    Effect.andThen(due === null && outcome.kind !== "delivered" ? logGivenUp : Effect.void),
    Effect.annotateLogs({
      delivery_id: delivery.id,
      job_id: delivery.job_id,
      event_id: delivery.event_id,
      destination_id: delivery.destination_id,
      number: delivery.attempts + 1,
      outcome: outcome.kind,
      status_code: outcome.status_code,
      error: outcome.error,
      ms,
      next_attempt_at: due?.toISOString() ?? null
    })
  )

/** Before its first delivery a destination is looked at, unless that would write to it. */
const isUnseen = ({ last_health_check_at, status, type }: Destination): boolean =>
  last_health_check_at === null && status === "active" && type !== "webhook"

/**
 * Makes one attempt of a delivery where one may begin now: opens the destination or the job's own webhook, hands the payload
 * to the connector of its kind and records what came of it together with the delivery's state. Where what is sent is lost or damaged that is
 * the attempt's outcome, which is held against no receiver; where the store is away the delivery waits. An attempt that dies
 * unrecorded is made again under the same event id, and is known to be in doubt.
 */
export const makeDelivery = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const sealing = yield* Sealing
  const connectors = yield* Connectors
  const health = yield* DestinationHealth
  const paces = yield* VendorRateLimits
  const begin = yield* makeBegin
  const record = yield* makeRecord(yield* deliverySchedule)
  const base_url = yield* serviceAddress
  yield* Effect.logInfo(`Links in what is delivered begin with ${base_url}`)
  yield* warnUnlessPublic(base_url, "Links in what is delivered lead to")
  const readParcel = yield* makeDeliveryPayloads(base_url)

  const destinationOf = (id: string) =>
    Effect.map(
      rowsOf(Destination)(sql`
      SELECT id, tenant_id, type, config, signing_secret, previous_signing_secret, previous_secret_until,
        last_health_check_at, status
      FROM footnote.destinations WHERE id = ${id} AND deleted_at IS NULL`),
      ([row]) => row
    )

  const settingsOf = (tenant_id: TenantId) =>
    Effect.map(
      rowsOf(SealedSecrets)(sql`SELECT webhook_secret, previous_webhook_secret, previous_secret_until
        FROM footnote.tenant_settings WHERE tenant_id = ${tenant_id}`),
      ([row]) => row
    )

  const opened = (found: Destination | undefined) =>
    found === undefined
      ? Effect.succeed(undefined)
      : Effect.flatMap(Clock.currentTimeMillis, (now) => openDestination(sealing, found, now))

  /** The destination as it is now, or undefined where it is deleted; looked at where it has never been. */
  const open = Effect.fnUntraced(function*(id: string) {
    let found = yield* destinationOf(id)
    if (found !== undefined && isUnseen(found)) {
      yield* Effect.ignore(health.check(found.tenant_id, id))
      // Asking a vendor takes seconds: where its owner has changed it meanwhile, nothing goes to the place that was.
      found = yield* destinationOf(id)
    }
    return yield* opened(found)
  })

  const settledOf = ({ destination_id, id }: FoundDelivery, type: DestinationTarget["type"]) =>
    type !== "sheets" ? Effect.succeed([]) : Effect.map(
      rowsOf(IdRow)(sql`SELECT id FROM footnote.deliveries
        WHERE destination_id = ${destination_id} AND marked AND id <> ${id} ORDER BY id LIMIT ${mostSettled}`),
      (rows) => rows.map((row) => row.id)
    )

  /** Only Notion cannot tell the pages of one delivery from another's of the same job. */
  const othersOf = ({ destination_id, id, job_id, unsure_from }: FoundDelivery, type: DestinationTarget["type"]) =>
    type !== "notion" || unsure_from === null ? Effect.succeed(0) : Effect.map(
      rowsOf(CountRow)(sql`SELECT count(*)::int AS count FROM footnote.deliveries
        WHERE job_id = ${job_id} AND destination_id = ${destination_id} AND id <> ${id} AND status = 'succeeded'
          AND finished_at >= ${pagesSince(unsure_from)}`),
      ([row]) => row!.count
    )

  const send = Effect.fnUntraced(function*(target: DestinationTarget, payload: DeliveryPayload, state: AttemptState) {
    const began = yield* Clock.currentTimeMillis
    const outcome: Outcome = yield* connectors.deliver(target, payload, state)
    const duration_ms = (yield* Clock.currentTimeMillis) - began
    yield* countAttempt(target.type, outcome.kind, duration_ms)
    return { outcome, duration_ms }
  })

  const deliver: DeliveryHandler = Effect.fn("DeliveryStage.deliver")(
    function*({ delivery_id, turn }) {
      const [addressed] = yield* rowsOf(Addressed)(sql`
        SELECT tenant_id, job_id, destination_id, endpoint FROM footnote.deliveries
        WHERE id = ${delivery_id} AND turn = ${turn} AND finished_at IS NULL`)
      if (addressed === undefined) return { retry_at: null }
      const { destination_id, endpoint } = addressed
      const destination = destination_id === null ? undefined : yield* open(destination_id)
      const digest = destination && credentialOf(destination)
      const credential = destination === undefined || digest === undefined
        ? undefined
        : { digest, pace: paces[destination.type as keyof typeof paces] }
      const begun = yield* retryTransient(begin({ delivery_id, turn, destination_id, endpoint, credential }))
      if (begun.kind === "wait") return { retry_at: begun.until }
      if (begun.kind !== "begun") return { retry_at: null }

      const { delivery } = begun
      const at = DateTime.toDateUtc(yield* DateTime.now)
      const to_webhook = destination === undefined || destination.type === "webhook"
      const read = yield* readParcel({ ...delivery, delivery_id }, to_webhook).pipe(Effect.catchTags(unread))
      // Begun again, it is found to be of an erased job and cancelled.
      if (read === undefined) {
        return yield* new StageFailure({ code: "INTERNAL", message: "The job was erased.", retryable: true })
      }
      if ("outcome" in read) {
        const { outcome } = read
        const due = yield* persistently(record({ delivery, at, outcome, duration_ms: 0, unsent: true }))
        yield* told(delivery, outcome, 0, due)
        return { retry_at: due ?? null }
      }
      const { payload, row } = read
      // Read anew: an address or a secret that its owner has changed meanwhile is not used any more.
      const current = destination_id === null ? undefined : yield* opened(yield* destinationOf(destination_id))
      if (destination_id !== null && current === undefined) {
        return yield* new StageFailure({ code: "INTERNAL", message: "The destination was deleted.", retryable: true })
      }
      const target: DestinationTarget = current ?? {
        type: "webhook",
        config: { url: payload.job.webhook_url! },
        // The tenant's own secret signs beside the job's: a receiver of many jobs' events needs to know one.
        secrets: [
          yield* openWebhookSecret(sealing, row.tenant_id, row.id, row.webhook_secret!),
          ...(yield* tenantSecrets(sealing, row.tenant_id, yield* settingsOf(row.tenant_id)))
        ]
      }
      const settled = yield* settledOf(delivery, target.type)
      const { duration_ms, outcome } = yield* send(target, payload, {
        number: delivery.attempts + 1,
        unsure_from: delivery.unsure_from,
        unsure_until: delivery.unsure_until,
        begun_after: delivery.schedule_base,
        others: yield* othersOf(delivery, target.type),
        settled
      })
      const due = yield* persistently(record({ delivery, at, outcome, duration_ms, credential, settled }))
      yield* told(delivery, outcome, duration_ms, due)
      // A look from another side: what one delivery was refused for may be its owner's to mend.
      if (outcome.kind === "auth_broken" && destination_id !== null && target.type !== "webhook") {
        yield* Effect.ignore(health.check(addressed.tenant_id, destination_id))
      }
      return { retry_at: due ?? null }
    },
    Effect.catchTag("SqlError", booksClosed)
  )
  return deliver
})
