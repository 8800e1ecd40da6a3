import { Effect, Schema } from "effect"
import { StoredTranscript } from "../artifacts/StoredArtifacts.ts"
import { tenantRowsOf } from "../database/Rows.ts"
import type { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import type { JobId } from "../identity/Id.ts"
import { nameTranscript, SpeakerNamingRow } from "../reviews/model/SpeakerNaming.ts"
import type { Blobs } from "../storage/Blobs.ts"
import { readBlob } from "../storage/CheckedBlobs.ts"
import type { ReadSource } from "./Extractions.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(StoredTranscript.codec))

/**
 * What a job has read, with its speakers as people have named them: the transcript so named is stored in the new job's own
 * folder. Where nobody named them, or the transcript is damaged, it is what the job has read as it is.
 */
export const namedSource = Effect.fn("namedSource")(function*(
  blobs: Blobs["Service"],
  { inTenant, sql }: TenantSql["Service"],
  job_id: JobId,
  read: ReadSource
) {
  const { tenant_id } = yield* CurrentTenant
  const { extracted_from } = read
  const [row] = yield* tenantRowsOf(SpeakerNamingRow)(
    inTenant(tenant_id)(sql`
    SELECT speakers FROM footnote.job_speakers WHERE job_id = ${extracted_from.job_id} AND tenant_id = ${tenant_id}`)
  )
  if (row === undefined || row.speakers.length === 0) return read
  const bytes = yield* Effect.catchTag(
    readBlob(blobs, extracted_from.transcript),
    "BlobDamaged",
    () => Effect.undefined
  )
  if (bytes === undefined) return read
  const named = nameTranscript(yield* Effect.orDie(decode(new TextDecoder().decode(bytes))), row.speakers)
  const transcript = yield* blobs.put(`jobs/${job_id}/given/transcript.json`, StoredTranscript.bytes(named))
  return { ...read, extracted_from: { ...extracted_from, transcript } }
})
