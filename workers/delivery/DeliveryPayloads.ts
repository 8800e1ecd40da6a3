import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Schema } from "effect"
import { PERSON_REF } from "../../src/artifacts/Evidence.ts"
import { StoredEvidence, StoredTranscript } from "../../src/artifacts/StoredArtifacts.ts"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { toInstant } from "../../src/database/Instant.ts"
import { rowsOf } from "../../src/database/Rows.ts"
import type { DeliveryPayload } from "../../src/deliveries/connectors/content/Connector.ts"
import { batchBody, webhookBody } from "../../src/deliveries/model/WebhookEvent.ts"
import { resultLinkDays, resultToken } from "../../src/deliveries/signing/ResultLink.ts"
import { batchColumns, batchGroup, batchItems, BatchRow, toBatch } from "../../src/jobs/model/BatchRow.ts"
import { jobColumns, JobRow, openRecord } from "../../src/jobs/model/JobRow.ts"
import { nameResult } from "../../src/results/NamedResult.ts"
import { foldReviews } from "../../src/reviews/model/FoldReviews.ts"
import { reviewColumns, ReviewRow, toReview } from "../../src/reviews/model/ReviewRow.ts"
import { SpeakerNamingRow } from "../../src/reviews/model/SpeakerNaming.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import { readContent } from "./DamagedContent.ts"
import { makeWebhookBodies } from "./WebhookBodies.ts"

/** What a delivery is of: the same words on every attempt, but for the link for people. */
export interface DeliveredEvent {
  readonly delivery_id: string
  readonly event_id: string
  readonly event_type: string
  /** Of `job.reviewed`: the review up to which the result is told. */
  readonly revision: number | null
  readonly created_at: Date
  readonly job_id: string
}

const ArtifactRow = Schema.Struct({ key: Schema.String, sha256: Schema.String })
const DeliveredJob = Schema.Struct({
  ...JobRow.fields,
  request_id: Schema.NullOr(Schema.String),
  erased: Schema.Boolean
})

const decodeEvidence = Schema.decodeEffect(Schema.fromJsonString(StoredEvidence.codec))
const decodeTranscript = Schema.decodeEffect(Schema.fromJsonString(StoredTranscript.codec))

/**
 * Puts together what is delivered from the job's rows and artifacts, which do not change once it is over; of a webhook that
 * is its body alone. No payload where the job was erased, but of its batch. What is gone or changed fails with `ContentDamaged`; evidence that cannot be
 * read is a defect.
 */
export const makeDeliveryPayloads = Effect.fnUntraced(function*(base_url: string) {
  const sql = yield* PgClient.PgClient
  const blobs = yield* Blobs
  const bodyOf = yield* makeWebhookBodies
  const sealing = yield* Sealing
  const toRecord = openRecord(sealing)
  const days = yield* resultLinkDays

  /** Ends so many days after this attempt, or is the application's, which asks for a key, where links are switched off. */
  const pageOf = Effect.fnUntraced(function*({ id: job_id, tenant_id }: JobRow, app: string) {
    if (days === 0) return app
    const until = (yield* Clock.currentTimeMillis) + days * 24 * 3600 * 1000
    return `${base_url}/s/${resultToken(sealing, { job_id, tenant_id, until })}`
  })

  const artifact = Effect.fnUntraced(function*(job_id: string, kind: "result" | "evidence" | "transcript") {
    const [row] = yield* rowsOf(ArtifactRow)(sql`
      SELECT key, sha256 FROM footnote.artifacts WHERE job_id = ${job_id} AND kind = ${kind}`)
    return row === undefined ? undefined : new TextDecoder().decode(yield* readContent(blobs, row, kind))
  })

  const resultOf = (job_id: string) =>
    Effect.map(
      artifact(job_id, "result"),
      (result) => result === undefined ? null : JSON.parse(result) as Schema.Json
    )

  const batchOf = (id: string) =>
    Effect.map(
      rowsOf(BatchRow)(sql`SELECT ${sql.literal(batchColumns)} FROM footnote.batches b ${sql.literal(batchItems)}
        WHERE b.id = ${id} GROUP BY ${sql.literal(batchGroup)}`),
      ([row]) => toBatch(row!)
    )

  const evidenceOf = Effect.fnUntraced(function*(job_id: string) {
    const evidence = yield* artifact(job_id, "evidence")
    return evidence === undefined ? null : yield* Effect.orDie(decodeEvidence(evidence))
  })

  /** How people have named the job's speakers by now, and who they are as heard. */
  const namingOf = Effect.fnUntraced(function*(job_id: string) {
    const [row] = yield* rowsOf(SpeakerNamingRow)(sql`
      SELECT speakers FROM footnote.job_speakers WHERE job_id = ${job_id}`)
    const transcript = row === undefined || row.speakers.length === 0
      ? undefined
      : yield* artifact(job_id, "transcript")
    return row === undefined || transcript === undefined
      ? undefined
      : { naming: row.speakers, heard: yield* Effect.orDie(decodeTranscript(transcript)) }
  })

  /** The job's own result and evidence, or what they became by its reviews up to a revision: these never change either. */
  const standingOf = Effect.fnUntraced(function*({ job_id, revision }: Pick<DeliveredEvent, "job_id" | "revision">) {
    const own = { result: yield* resultOf(job_id), evidence: yield* evidenceOf(job_id) }
    if (revision === null || own.evidence === null) return { ...own, review: null }
    const rows = yield* rowsOf(ReviewRow)(sql`SELECT ${sql.literal(reviewColumns)} FROM footnote.reviews
      WHERE job_id = ${job_id} AND revision <= ${revision} ORDER BY revision`)
    const reviews = rows.map(toReview)
    return { ...foldReviews({ result: own.result, evidence: own.evidence }, reviews), review: reviews.at(-1) ?? null }
  })

  /** The same, with the speakers by the names that they have now. */
  const contentOf = Effect.fnUntraced(function*(event: Pick<DeliveredEvent, "job_id" | "revision">) {
    const { evidence, ...standing } = yield* standingOf(event)
    const named = evidence === null ? undefined : yield* namingOf(event.job_id)
    return evidence === null || named === undefined
      ? { ...standing, evidence }
      : nameResult({ ...standing, evidence }, named.naming, named.heard)
  })

  return Effect.fn("DeliveryPayloads.read")(function*(event: DeliveredEvent, to_webhook: boolean) {
    const { delivery_id, event_id, event_type, job_id, revision } = event
    const [row] = yield* rowsOf(DeliveredJob)(sql`
      SELECT ${sql.literal(jobColumns)}, request_id, deleted_at IS NOT NULL AS erased FROM footnote.jobs
      WHERE id = ${job_id} AND (deleted_at IS NULL OR ${event_type} = 'batch.completed')`)
    if (row === undefined) return undefined
    const address = `${base_url}/v1/jobs/${job_id}`
    const app = `${base_url}/app/#/jobs/${job_id}`
    const result_url = revision === null ? address : `${address}/result?reviewed=true`
    const evidence_url = `${address}/evidence${revision === null ? "" : "?reviewed=true"}`
    const common = {
      delivery_id,
      event_id,
      event_type,
      created_at: toInstant(event.created_at),
      request_id: row.request_id,
      job: yield* toRecord(row),
      links: { page: yield* pageOf(row, app), app, job: address, result: result_url, evidence: evidence_url }
    }
    if (to_webhook) {
      const { created_at, job } = common
      const build = Effect.gen(function*() {
        const what = { id: event_id, type: event_type, created_at, job }
        return webhookBody({ ...what, ...yield* contentOf(event), result_url, evidence_url })
      })
      const ofBatch = Effect.map(
        batchOf(`bat_${event_id.slice("evt_".length)}`),
        (batch) => batchBody({ id: event_id, created_at, batch })
      )
      const kept = row.erased ? null : yield* bodyOf(event, event_type === "batch.completed" ? ofBatch : build)
      // A batch that is completed does not change: where the job that kept its body was erased, it is made again.
      const body = event_type === "batch.completed" ? kept ?? (yield* ofBatch) : kept
      return body === null
        ? undefined
        : { row, payload: { ...common, body, result: null, evidence: [] } satisfies DeliveryPayload }
    }
    // Why a job failed stands where its result would.
    const { error } = common.job
    const content = yield* contentOf(event)
    const result: Schema.Json = error === null ? content.result : { error: { ...error } }
    return {
      row,
      payload: {
        ...common,
        body: null,
        result,
        // The schema's own values and a reviewer's have neither moment nor quote to show.
        evidence: content.evidence?.spans.filter(({ grade, source_ref }) =>
          grade !== "default" && source_ref !== PERSON_REF
        ) ?? []
      } satisfies DeliveryPayload
    }
  })
})
