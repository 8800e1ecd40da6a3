import { PgClient } from "@effect/sql-pg"
import { Clock, Config, DateTime, Effect, Random, type Schema } from "effect"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { toInstant } from "../../src/database/Instant.ts"
import { nextDelay } from "../../src/deliveries/RetrySchedule.ts"
import { webhookBody } from "../../src/deliveries/WebhookEvent.ts"
import { openWebhookSecret } from "../../src/deliveries/WebhookSecret.ts"
import { webhookHeaders } from "../../src/deliveries/WebhookSignature.ts"
import { JobEvents } from "../../src/jobs/JobEvents.ts"
import { StageFailure } from "../../src/jobs/JobFailure.ts"
import { type JobRow, toRecord } from "../../src/jobs/JobRow.ts"
import { makeGuardedAgent } from "../../src/sources/GuardedAgent.ts"
import { sourcePolicyConfig } from "../../src/sources/SourcePolicy.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import type { DeliveryHandler } from "../Stage.ts"
import { type Attempt, postWebhook } from "./Webhook.ts"

/** Where callers reach the API, for links in webhooks. */
export const publicUrl = Config.String("FOOTNOTE_PUBLIC_URL").pipe(Config.withDefault("http://127.0.0.1:8080"))

interface DeliveryRow {
  readonly id: string
  readonly event_id: string
  readonly event_type: string
  readonly created_at: Date
  readonly next_attempt_at: Date | null
  readonly finished_at: Date | null
  readonly due: boolean
  readonly deleted: boolean
}

const booksClosed = (cause: unknown) =>
  new StageFailure({
    code: "INTERNAL",
    message: `The delivery could not be recorded: ${String(cause)}`,
    retryable: true
  })

/**
 * Makes one attempt of a delivery: signs the event with the job's own secret, posts it and records what came of it in one
 * transaction with the delivery's state. An attempt that dies unrecorded is made again under the same event id.
 */
export const makeDelivery = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const blobs = yield* Blobs
  const sealing = yield* Sealing
  const events = yield* JobEvents
  const policy = yield* sourcePolicyConfig
  const base_url = (yield* publicUrl).replace(/\/+$/u, "")
  const agent = makeGuardedAgent(policy, { connect_ms: 5000, headers_ms: 15_000, body_ms: 15_000 })

  const look = (delivery_id: string) =>
    sql<DeliveryRow>`
      SELECT d.id, d.event_id, d.event_type, d.created_at, d.next_attempt_at, d.finished_at,
        d.next_attempt_at IS NULL OR d.next_attempt_at <= now() + interval '1 second' AS due,
        j.deleted_at IS NOT NULL AS deleted
      FROM footnote.deliveries d JOIN footnote.jobs j ON j.id = d.job_id WHERE d.id = ${delivery_id}`

  const resultOf = Effect.fnUntraced(function*(job_id: string) {
    const [row] = yield* sql<{ key: string }>`
      SELECT key FROM footnote.artifacts WHERE job_id = ${job_id} AND kind = 'result'`
    if (row === undefined) return null
    return JSON.parse(new TextDecoder().decode(yield* blobs.get(row.key))) as Schema.Json
  })

  const send = Effect.fnUntraced(function*(delivery: DeliveryRow, job_id: string) {
    const [row] = yield* sql<JobRow>`SELECT * FROM footnote.jobs WHERE id = ${job_id}`
    const secret = yield* openWebhookSecret(sealing, row!.tenant_id, row!.webhook_secret!)
    const body = webhookBody({
      id: delivery.event_id,
      type: delivery.event_type,
      created_at: toInstant(delivery.created_at),
      job: toRecord(row!, (yield* events.progress([job_id])).get(job_id)),
      result: yield* resultOf(job_id),
      result_url: `${base_url}/v1/jobs/${job_id}`
    })
    const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const headers = webhookHeaders({ id: delivery.event_id, timestamp, body, secrets: [secret] })
    return yield* postWebhook({ url: row!.webhook_url!, headers, body, agent, policy })
  })

  /** The attempt and what it means for the delivery; answers when the next one is due. */
  const record = Effect.fnUntraced(function*(delivery_id: string, at: Date, attempt: Attempt) {
    const [made] = yield* sql<{ number: number }>`
      INSERT INTO footnote.delivery_attempts (delivery_id, number, at, status_code, error, duration_ms)
      SELECT ${delivery_id}, coalesce(max(number), 0) + 1, ${at}, ${attempt.status_code}::int, ${attempt.error}::text,
        ${attempt.duration_ms}::int
      FROM footnote.delivery_attempts WHERE delivery_id = ${delivery_id} RETURNING number`
    const delay = attempt.final ? undefined : nextDelay(made!.number, yield* Random.next, attempt.retry_after)
    if (delay === undefined) {
      const status = attempt.error === null ? "succeeded" : "failed"
      yield* sql`UPDATE footnote.deliveries SET status = ${status}, next_attempt_at = NULL, finished_at = now()
        WHERE id = ${delivery_id}`
      return null
    }
    const retry_at = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { milliseconds: Math.round(delay * 1000) }))
    yield* sql`UPDATE footnote.deliveries SET status = 'pending', next_attempt_at = ${retry_at} WHERE id = ${delivery_id}`
    return retry_at
  })

  const deliver: DeliveryHandler = Effect.fn("DeliveryStage.deliver")(
    function*({ delivery_id, job_id }) {
      const [delivery] = yield* look(delivery_id)
      if (delivery === undefined || delivery.finished_at !== null) return { retry_at: null }
      if (delivery.deleted) {
        yield* sql`UPDATE footnote.deliveries SET status = 'cancelled', next_attempt_at = NULL, finished_at = now()
        WHERE id = ${delivery_id} AND finished_at IS NULL`
        return { retry_at: null }
      }
      // A worker died between the books of its attempt and the queue's: the attempt stands, the next one is due later.
      if (!delivery.due) return { retry_at: delivery.next_attempt_at }
      yield* sql`UPDATE footnote.deliveries SET status = 'delivering' WHERE id = ${delivery_id}`
      const at = DateTime.toDateUtc(yield* DateTime.now)
      const attempt = yield* send(delivery, job_id)
      yield* Effect.logInfo("delivery attempt").pipe(Effect.annotateLogs({
        delivery_id,
        job_id,
        status_code: attempt.status_code,
        error: attempt.error,
        ms: attempt.duration_ms
      }))
      return { retry_at: yield* sql.withTransaction(record(delivery_id, at, attempt)) }
    },
    Effect.catchTags({
      SqlError: (error) => Effect.fail(booksClosed(error)),
      BlobError: (error) => Effect.fail(booksClosed(error))
    })
  )
  return deliver
}).pipe(Effect.provide(Sealing.layer))
