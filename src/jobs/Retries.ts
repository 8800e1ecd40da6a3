import { Effect, Schema } from "effect"
import { Sealing } from "../crypto/Sealing.ts"
import { tenantRowsOf } from "../database/Rows.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId } from "../identity/Id.ts"
import { Blobs } from "../storage/Blobs.ts"
import type { makeExtractions } from "./Extractions.ts"
import { isTerminal, JobNotFound, jobNotTerminal, JobStatus, SourceNotKept } from "./model/Job.ts"
import { openAddresses } from "./model/JobAddresses.ts"
import { submittedColumns } from "./model/JobRow.ts"
import { JobSpec } from "./model/JobSpec.ts"
import type { makeSubmissionChecks } from "./SubmissionChecks.ts"

const Row = Schema.Struct({
  status: JobStatus,
  // Decoded below, where a job of an earlier version is filled up.
  spec: Schema.Unknown,
  schema_text: Schema.NullOr(Schema.String),
  ...submittedColumns,
  key: Schema.NullOr(Schema.String),
  size: Schema.NullOr(Schema.String),
  sha256: Schema.NullOr(Schema.String)
})

const decodeSpec = Schema.decodeUnknownEffect(JobSpec)

/**
 * What a new job is to be that runs a terminal one again: everything that decided its outcome, and where it succeeded the very
 * bytes that it was made of; one that was extracted from another job's artifacts from those again, or from its own copies of them. A
 * job at work fails with `JOB_NOT_TERMINAL`, one whose bytes are gone with `SOURCE_NOT_KEPT`, and one that is fetched again where a
 * submission of its source would.
 */
export const makeRetries = Effect.fnUntraced(function*(
  checks: Effect.Success<typeof makeSubmissionChecks>,
  readOf: Effect.Success<typeof makeExtractions>
) {
  const { inTenant, sql } = yield* TenantSql
  const blobs = yield* Blobs
  const sealing = yield* Sealing

  /** What is kept of the reading that the job was extracted from. */
  const readAgain = (id: string, from: string | null) =>
    readOf(from ?? id).pipe(
      Effect.catch(() => readOf(id)),
      Effect.mapBoth({ onFailure: () => new SourceNotKept(), onSuccess: ({ extracted_from }) => ({ extracted_from }) })
    )

  return Effect.fnUntraced(function*(id: string) {
    const { tenant_id } = yield* CurrentTenant
    const [row] = isId("job", id)
      ? yield* tenantRowsOf(Row)(
        inTenant(tenant_id)(sql`
        SELECT j.status, j.spec, j.schema_text::text AS schema_text, j.destination_ids, j.source_sealed,
          j.webhook_url, j.webhook_sealed, j.webhook_secret,
          j.metadata, a.key, a.size_bytes::text AS size, a.sha256
        FROM footnote.jobs j LEFT JOIN footnote.artifacts a ON a.job_id = j.id AND a.kind = 'source'
        WHERE j.id = ${id} AND j.tenant_id = ${tenant_id} AND j.deleted_at IS NULL`)
      )
      : []
    if (row === undefined) return yield* new JobNotFound()
    const { destination_ids, key, metadata, schema_text, sha256, size, status, webhook_secret } = row
    if (!isTerminal(status)) return yield* jobNotTerminal(status)
    const { extracted_from, kept_source: _, ...plain } = yield* Effect.orDie(decodeSpec(row.spec))
    const { source_uri, webhook_url } = yield* openAddresses(sealing, { ...row, id, tenant_id, spec: plain })
    const spec = { ...plain, source_uri }
    const model_stack = yield* checks.chooseStack(spec.model_stack)
    const read = extracted_from === undefined ? {} : yield* readAgain(id, extracted_from.job_id)
    if (extracted_from === undefined && key === null) yield* checks.checkSource(spec.source_uri)
    if (key !== null) {
      yield* blobs.getRange(key, 0, 1).pipe(
        Effect.mapError((error) => error.missing ? new SourceNotKept() : error),
        Effect.catchTag("BlobError", Effect.die)
      )
    }
    return {
      spec: {
        ...spec,
        model_stack,
        retry_of: id,
        ...read,
        ...(key === null ? {} : { kept_source: { key, size_bytes: Number(size), sha256: sha256! } })
      },
      schema_text,
      // What has been sent once is not sent to a sheet or a page a second time.
      destination_ids: status === "succeeded" ? [] : destination_ids,
      webhook: webhook_url === null || webhook_secret === null ? null : { url: webhook_url, sealed: webhook_secret },
      metadata
    }
  })
})
