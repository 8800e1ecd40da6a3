import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { Evidence } from "../../src/artifacts/Evidence.ts"
import type { Parcel } from "../../src/connectors/Connector.ts"
import { toInstant } from "../../src/database/Instant.ts"
import { JobEvents } from "../../src/jobs/JobEvents.ts"
import { jobColumns, type JobRow, toRecord } from "../../src/jobs/JobRow.ts"
import { Blobs } from "../../src/storage/Blobs.ts"

/** What a delivery is of: the same words on every attempt. */
export interface DeliveredEvent {
  readonly delivery_id: string
  readonly event_id: string
  readonly event_type: string
  readonly created_at: Date
  readonly job_id: string
}

const decodeEvidence = Schema.decodeEffect(Schema.fromJsonString(Evidence))

/**
 * Puts together what is delivered from the job's rows and artifacts, which do not change once it is over. A blob that is
 * gone fails with `BlobError`; evidence that cannot be read is a defect.
 */
export const makeParcels = Effect.fnUntraced(function*(base_url: string) {
  const sql = yield* PgClient.PgClient
  const blobs = yield* Blobs
  const events = yield* JobEvents

  const artifact = Effect.fnUntraced(function*(job_id: string, kind: "result" | "evidence") {
    const [row] = yield* sql<{ key: string }>`
      SELECT key FROM footnote.artifacts WHERE job_id = ${job_id} AND kind = ${kind}`
    return row === undefined ? undefined : new TextDecoder().decode(yield* blobs.get(row.key))
  })

  return Effect.fn("Parcels.read")(function*(event: DeliveredEvent) {
    const { created_at, delivery_id, event_id, event_type, job_id } = event
    const [row] = yield* sql<JobRow & { readonly request_id: string | null }>`
      SELECT ${sql.literal(jobColumns)}, request_id FROM footnote.jobs WHERE id = ${job_id}`
    const result = yield* artifact(job_id, "result")
    const evidence = yield* artifact(job_id, "evidence")
    const address = `${base_url}/v1/jobs/${job_id}`
    return {
      job: row!,
      parcel: {
        delivery_id,
        event_id,
        event_type,
        created_at: toInstant(created_at),
        request_id: row!.request_id,
        job: toRecord(row!, (yield* events.progress([job_id])).get(job_id)),
        result: result === undefined ? null : JSON.parse(result) as Schema.Json,
        evidence: evidence === undefined ? [] : (yield* Effect.orDie(decodeEvidence(evidence))).spans,
        links: { job: address, result: address, evidence: `${address}/evidence` }
      } satisfies Parcel
    }
  })
})
