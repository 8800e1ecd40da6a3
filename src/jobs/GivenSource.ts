import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type GivenSegment, transcriptOf } from "../artifacts/GivenTranscript.ts"
import { StoredFrames, StoredTranscript, StoredVision } from "../artifacts/StoredArtifacts.ts"
import type { JobId, TenantId } from "../identity/Id.ts"
import { tolerated } from "../observability/Tolerated.ts"
import type { Blobs } from "../storage/Blobs.ts"
import type { ReadSource } from "./Extractions.ts"

/**
 * What a job extracts from that is given a transcript in place of a source: stored in the job's own folder, so that it goes with the
 * job.
 */
export const givenSource = Effect.fn("givenSource")(function*(
  { put }: Blobs["Service"],
  job_id: JobId,
  model_stack: string,
  given: { readonly segments: ReadonlyArray<GivenSegment>; readonly language?: string }
) {
  const transcript = transcriptOf(given.segments, given.language ?? null)
  const keep = (name: string, bytes: Uint8Array) => put(`jobs/${job_id}/given/${name}.json`, bytes)
  const stored = yield* keep("transcript", StoredTranscript.bytes(transcript))
  return {
    source_uri: "transcript://given",
    hints: {},
    model_stack,
    extracted_from: {
      job_id: null,
      facts: {
        container: "transcript",
        duration_seconds: transcript.duration_seconds,
        width: null,
        height: null,
        frame_rate: null,
        audio: null,
        video: null,
        size_bytes: stored.size_bytes,
        sha256: stored.sha256
      },
      transcript: stored,
      frames: yield* keep(
        "frames",
        StoredFrames.bytes({ visual_branch: "absent", sampled: 0, kept: 0, frames: [] })
      ),
      vision: yield* keep("vision", StoredVision.bytes({ visual_branch: "absent", frames: [], model: null })),
      images: null,
      read_by: { decoder: null, models: [], warnings: [] }
    }
  } satisfies ReadSource
})

/**
 * Removes what a job was given that was not made after all. Whoever asked for it may have gone while it was being committed: it is looked
 * for behind the tenant's row, which that transaction holds to its end. Of 120 creations that were interrupted 39 had made their job.
 */
export const removeGiven = (
  sql: SqlClient.SqlClient,
  { removeAll }: Pick<Blobs["Service"], "removeAll">,
  job: { readonly id: JobId; readonly tenant_id: TenantId }
) =>
  sql.withTransaction(
    Effect.andThen(
      sql`SELECT FROM footnote.tenants WHERE id = ${job.tenant_id} FOR NO KEY UPDATE`,
      sql`SELECT id FROM footnote.jobs WHERE id = ${job.id}`
    )
  ).pipe(
    Effect.flatMap((made) => made.length > 0 ? Effect.void : removeAll(`jobs/${job.id}`)),
    tolerated("Removing what a job that was not made was given", "the bytes stay until they are removed by hand", {
      job_id: job.id
    })
  )
