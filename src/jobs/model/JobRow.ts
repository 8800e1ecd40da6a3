import { Effect, Schema } from "effect"
import { EvidenceCounts } from "../../artifacts/Evidence.ts"
import type { Sealing } from "../../crypto/Sealing.ts"
import { toInstant } from "../../database/Instant.ts"
import { JobId, TenantId } from "../../identity/Id.ts"
import { JobError, type JobRecord, JobStatus } from "./Job.ts"
import { openAddresses } from "./JobAddresses.ts"
import { JobSpec } from "./JobSpec.ts"
import { Precision } from "./Precision.ts"
import { progressOf, StageRow, stageRowsOf } from "./Progress.ts"
import { Provenance } from "./Provenance.ts"
import { SourceFacts, Warning } from "./StageIo.ts"

/**
 * What callers see of a row of `footnote.jobs`. A schema of 128 KiB is in none of it: a page has up to a hundred jobs. The spec is taken
 * apart once, because each `spec->` would read all of it again, schemas too: a page of 25 took PostgreSQL 6.3 ms so, and takes 0.9.
 */
export const jobColumns =
  `id, tenant_id, status, (SELECT json_build_object('source_uri', x.source_uri, 'schema_id', x.schema_id,
    'model_stack', x.model_stack, 'title', x.title, 'source_name', x.source_name, 'retry_of', x.retry_of,
    'schema_version', x.schema_version, 'extracted_from', x.extracted_from->'job_id', 'hints', x.hints,
    'on_missing', x.on_missing, 'precision', x.precision, 'instructions', x.instructions)
  FROM json_to_record(spec) AS x(source_uri json, schema_id json, model_stack json, title json, source_name json, retry_of json,
    schema_version json, extracted_from json, hints json, on_missing json, precision json, instructions json)) AS spec,
  destination_ids, source_sealed, webhook_url, webhook_sealed, webhook_secret, metadata,
  source, warnings, result_confidence, counts, error, audio_seconds, frames_sampled, frames_kept, model_seconds, tokens, cost,
  provenance, created_at, started_at, finished_at, ${stageRowsOf("jobs.id")} AS stages`

/** The columns of a row of `footnote.jobs` that say where its source, its webhook and its result are. */
export const submittedColumns = {
  destination_ids: Schema.Array(Schema.String),
  source_sealed: Schema.NullOr(Schema.Uint8Array),
  webhook_url: Schema.NullOr(Schema.String),
  webhook_sealed: Schema.NullOr(Schema.Uint8Array),
  webhook_secret: Schema.NullOr(Schema.Uint8Array),
  metadata: Schema.Record(Schema.String, Schema.String)
}

/** A row of `footnote.jobs`, by these columns. */
export const JobRow = Schema.Struct({
  id: JobId,
  tenant_id: TenantId,
  status: JobStatus,
  spec: Schema.Struct({
    source_uri: JobSpec.fields.source_uri,
    schema_id: JobSpec.fields.schema_id,
    model_stack: JobSpec.fields.model_stack,
    hints: JobSpec.fields.hints,
    on_missing: JobSpec.fields.on_missing,
    title: Schema.NullOr(Schema.String),
    source_name: Schema.NullOr(Schema.String),
    precision: Schema.NullOr(Precision),
    instructions: Schema.NullOr(Schema.String),
    retry_of: Schema.NullOr(Schema.String),
    schema_version: Schema.NullOr(Schema.Int),
    extracted_from: Schema.NullOr(Schema.String)
  }),
  ...submittedColumns,
  source: Schema.NullOr(SourceFacts),
  warnings: Schema.Array(Warning),
  result_confidence: Schema.NullOr(Schema.Finite),
  counts: Schema.NullOr(EvidenceCounts),
  error: Schema.NullOr(JobError),
  audio_seconds: Schema.Finite,
  frames_sampled: Schema.Finite,
  frames_kept: Schema.Finite,
  model_seconds: Schema.Finite,
  tokens: Schema.Finite,
  cost: Schema.Finite,
  provenance: Schema.NullOr(Provenance),
  created_at: Schema.Date,
  started_at: Schema.NullOr(Schema.Date),
  finished_at: Schema.NullOr(Schema.Date),
  stages: Schema.Array(StageRow)
})
export type JobRow = typeof JobRow.Type

type Addresses = Pick<JobRecord, "source_uri" | "webhook_url">

/** The row as callers know it, its addresses open: no schema body, no secret, no tenant. */
export const openRecord = (sealing: Sealing["Service"]) => (row: JobRow): Effect.Effect<JobRecord> =>
  Effect.map(openAddresses(sealing, row), (addresses) => toRecord(row, addresses))

const toRecord = (row: JobRow, { source_uri, webhook_url }: Addresses): JobRecord => ({
  id: row.id,
  status: row.status,
  // Absent, not null: the record of a job that ended before there was this field stays the same to the byte.
  ...(row.spec.title === null ? {} : { title: row.spec.title }),
  source_uri,
  ...(row.spec.source_name === null ? {} : { source_name: row.spec.source_name }),
  schema_id: row.spec.schema_id,
  ...(row.spec.schema_version === null ? {} : { schema_version: row.spec.schema_version }),
  model_stack: row.spec.model_stack,
  ...(row.spec.retry_of === null ? {} : { retry_of: row.spec.retry_of }),
  ...(row.spec.extracted_from === null ? {} : { extracted_from: row.spec.extracted_from }),
  destination_ids: row.destination_ids,
  webhook_url,
  hints: row.spec.hints,
  on_missing: row.spec.on_missing,
  ...(row.spec.precision === null ? {} : { precision: row.spec.precision }),
  ...(row.spec.instructions === null ? {} : { instructions: row.spec.instructions }),
  metadata: row.metadata,
  created_at: toInstant(row.created_at),
  started_at: row.started_at === null ? null : toInstant(row.started_at),
  finished_at: row.finished_at === null ? null : toInstant(row.finished_at),
  progress: progressOf(row.stages),
  source: row.source,
  result_confidence: row.result_confidence,
  ...(row.counts === null ? {} : { counts: row.counts }),
  warnings: row.warnings,
  error: row.error,
  usage: {
    audio_seconds: milliseconds(row.audio_seconds),
    frames_sampled: row.frames_sampled,
    frames_kept: row.frames_kept,
    model_seconds: milliseconds(row.model_seconds),
    tokens: row.tokens,
    cost: row.cost
  },
  provenance: row.provenance
})

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
