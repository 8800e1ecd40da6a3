import { Effect, Schema } from "effect"
import { Sealing } from "../crypto/Sealing.ts"
import { tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId } from "../identity/Id.ts"
import { BlobRef } from "../storage/BlobRef.ts"
import { JobNotFound, type JobNotSucceeded, jobNotSucceeded, JobStatus } from "./model/Job.ts"
import { openAddresses } from "./model/JobAddresses.ts"
import { type ExtractedFrom, JobHints, JobSpec, ReadBy } from "./model/JobSpec.ts"
import { Provenance } from "./model/Provenance.ts"
import { SourceFacts, Warning } from "./model/StageIo.ts"

/** What of a submission is the source's, and so is the same for whatever is extracted from it. */
export type ReadSource = Pick<JobSpec, "source_uri" | "title" | "source_name" | "hints" | "model_stack"> & {
  readonly extracted_from: ExtractedFrom
}

const Row = Schema.Struct({
  status: JobStatus,
  source_sealed: Schema.NullOr(Schema.Uint8Array),
  source_uri: JobSpec.fields.source_uri,
  title: Schema.NullOr(Schema.String),
  source_name: Schema.NullOr(Schema.String),
  hints: JobHints,
  model_stack: JobSpec.fields.model_stack,
  // A job at work has none yet.
  facts: Schema.NullOr(SourceFacts),
  read_by: Schema.NullOr(ReadBy),
  warnings: Schema.Array(Warning),
  provenance: Schema.NullOr(Provenance),
  artifacts: Schema.Record(Schema.String, BlobRef)
})

/**
 * What a job that succeeded has read of its source, for another one to extract from: references to its artifacts, and who made
 * them. A job of the tenant that has not succeeded fails with `JOB_NOT_SUCCEEDED`.
 */
export const makeExtractions = Effect.gen(function*() {
  const { inTenant, sql } = yield* TenantSql
  const sealing = yield* Sealing

  return Effect.fn("Extractions.read")(function*(id: string): Effect.fn.Return<
    ReadSource,
    JobNotFound | JobNotSucceeded,
    CurrentTenant
  > {
    const { tenant_id } = yield* CurrentTenant
    const [row] = isId("job", id)
      ? yield* tenantRowsOf(Row)(
        inTenant(tenant_id)(sql`
        SELECT j.status, j.source_sealed, j.spec->>'source_uri' AS source_uri, j.spec->>'title' AS title, j.spec->>'source_name' AS source_name,
          j.spec->'hints' AS hints,
          j.spec->>'model_stack' AS model_stack, j.source AS facts, j.read_by, j.warnings, j.provenance,
          (SELECT coalesce(json_object_agg(kind, json_build_object('key', key, 'size_bytes', size_bytes, 'sha256', sha256)),
            '{}') FROM footnote.artifacts WHERE job_id = j.id
              AND kind IN ('transcript', 'frames', 'vision', 'images')) AS artifacts
        FROM footnote.jobs j WHERE j.id = ${id} AND j.tenant_id = ${tenant_id} AND j.deleted_at IS NULL`)
      )
      : []
    if (row === undefined) return yield* new JobNotFound()
    const {
      artifacts,
      facts,
      hints,
      model_stack,
      provenance,
      read_by,
      source_name,
      source_sealed,
      source_uri: plain,
      status,
      title,
      warnings
    } = row
    if (status !== "succeeded") return yield* jobNotSucceeded(status)
    const { frames, images = null, transcript, vision } = artifacts
    if (facts === null || transcript === undefined || frames === undefined || vision === undefined) {
      return yield* Effect.die(new Error(`Job ${id} succeeded without artifacts`))
    }
    const { source_uri } = yield* openAddresses(sealing, {
      id,
      tenant_id,
      spec: { source_uri: plain },
      source_sealed,
      webhook_url: null,
      webhook_sealed: null
    })
    return {
      source_uri,
      ...(title === null ? {} : { title }),
      ...(source_name === null ? {} : { source_name }),
      hints,
      model_stack,
      extracted_from: {
        job_id: id,
        facts,
        transcript,
        frames,
        vision,
        images,
        // A job that ended before there was this column tells its models by name, and not which warning was whose.
        read_by: read_by ??
          { decoder: null, models: (provenance?.models ?? []).filter(({ role }) => role !== "extract"), warnings }
      }
    }
  })
})
