import { Effect, Schema } from "effect"
import { EvidenceCounts } from "../../artifacts/Evidence.ts"
import { Confidence, Seconds } from "../../artifacts/Moment.ts"
import { Instant } from "../../database/Instant.ts"
import { ApiError } from "../../errors/ApiError.ts"
import { JobFailureCode } from "./JobFailure.ts"
import { GivenHints, JobHints } from "./JobSpec.ts"
import { Precision } from "./Precision.ts"
import { Provenance } from "./Provenance.ts"
import { SourceFacts, StageIo, type StageName, Warning } from "./StageIo.ts"

export const JobStatus = Schema.Literals(["queued", "running", "succeeded", "failed", "cancelled"]).annotate({
  identifier: "JobStatus",
  message: "Expected queued, running, succeeded, failed or cancelled"
})
export type JobStatus = typeof JobStatus.Type

export const isTerminal = (status: JobStatus): boolean => status !== "queued" && status !== "running"

/** `skipped`: the stage had nothing to do, such as `transcribe` of a silent source. */
export const StageStatus = Schema.Literals(["waiting", "running", "done", "skipped", "failed", "cancelled"]).annotate({
  identifier: "StageStatus"
})
export type StageStatus = typeof StageStatus.Type

const stageNames = Object.keys(StageIo) as ReadonlyArray<StageName>
export const StageNameSchema = Schema.Literals(stageNames).annotate({ identifier: "StageName" })

const Fraction = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const StageProgress = Schema.Struct({
  name: StageNameSchema,
  status: StageStatus,
  fraction: Fraction,
  started_at: Schema.NullOr(Instant),
  finished_at: Schema.NullOr(Instant)
}).annotate({ identifier: "StageProgress" })

/** `stage` is the earliest stage still at work, null before the first and after the last. */
export const JobProgress = Schema.Struct({
  stage: Schema.NullOr(StageNameSchema),
  fraction: Fraction,
  stages: Schema.Array(StageProgress)
}).annotate({ identifier: "JobProgress" })
export type JobProgress = typeof JobProgress.Type

const JobUsage = Schema.Struct({
  audio_seconds: Seconds,
  frames_sampled: Schema.Int,
  frames_kept: Schema.Int,
  model_seconds: Seconds,
  tokens: Schema.Int,
  cost: Schema.Finite
}).annotate({ identifier: "JobUsage" })

export const JobError = Schema.Struct({
  code: JobFailureCode,
  message: Schema.String,
  stage: Schema.NullOr(StageNameSchema)
}).annotate({ identifier: "JobError" })
export type JobError = typeof JobError.Type

/** What a request about jobs may hold. */
export const jobLimits = {
  wait_seconds: 60,
  source_uri_characters: 4096,
  title_characters: 200,
  destinations: 20,
  instructions_characters: 4000,
  metadata_pairs: 20,
  metadata_key_characters: 64,
  metadata_value_characters: 500
} as const

/** Up to 20 pairs of the caller's own. */
export const JobMetadata = Schema.Record(
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxCodePoints(jobLimits.metadata_key_characters)),
  Schema.String.check(Schema.isMaxCodePoints(jobLimits.metadata_value_characters))
).annotate({ description: "Up to 20 pairs of the caller's own." })

const recordFields = {
  id: Schema.String.annotate({ description: "Form `job_<id>`." }),
  status: JobStatus,
  title: Schema.optionalKey(Schema.String.annotate({
    description:
      "What the footage is called: by its caller, else by the upload's file name or the last part of the address."
  })),
  source_uri: Schema.String,
  source_name: Schema.optionalKey(Schema.String.annotate({
    description:
      "What the file is called, whatever the title is: the upload's file name or the last part of the address; absent where neither says."
  })),
  schema_id: Schema.NullOr(Schema.String),
  schema_version: Schema.optionalKey(Schema.Int.annotate({
    description: "The version of that schema which the job runs with; absent where no schema is named by its id."
  })),
  model_stack: Schema.String.annotate({
    description: "The model stack that the job runs on, also where `auto` chose it."
  }),
  retry_of: Schema.optionalKey(Schema.String.annotate({
    description: "The job that this one runs again; absent where it runs none again."
  })),
  extracted_from: Schema.optionalKey(Schema.String.annotate({
    description:
      "The job whose transcript, frames and descriptions this one's result is extracted from; absent where the job has read its source itself."
  })),
  destination_ids: Schema.Array(Schema.String),
  webhook_url: Schema.NullOr(Schema.String),
  hints: GivenHints,
  on_missing: Schema.Literals(["fill", "fail"]),
  precision: Schema.optionalKey(Precision),
  instructions: Schema.optionalKey(
    Schema.String.annotate({ description: "What the caller said about how to read it." })
  ),
  metadata: JobMetadata,
  created_at: Instant,
  started_at: Schema.NullOr(Instant),
  finished_at: Schema.NullOr(Instant),
  progress: JobProgress,
  source: Schema.NullOr(SourceFacts),
  result_confidence: Schema.NullOr(Confidence),
  counts: Schema.optionalKey(EvidenceCounts.annotate({
    description:
      "How many leaves the schema asks for, and how many of them were found, verified and not found; absent until the job has succeeded, and where an earlier version did not count."
  })),
  warnings: Schema.Array(Warning),
  error: Schema.NullOr(JobError),
  usage: JobUsage,
  provenance: Schema.NullOr(Provenance).annotate({
    description: "Which models made the result and on what they ran, once the job has ended."
  })
}

/** A job as PostgreSQL knows it: everything but the result, which is a blob. Lists answer this. */
export const JobRecord = Schema.Struct(recordFields).annotate({ identifier: "JobRecord" })
export type JobRecord = typeof JobRecord.Type

/** A job with its typed result, null until it has succeeded. */
export const Job = Schema.Struct({
  ...recordFields,
  result: Schema.NullOr(Schema.Json).annotate({ description: "The typed result, once the job has succeeded." })
}).annotate({ identifier: "Job" })
export type Job = typeof Job.Type

/** The answer to a creation: the secret that signs this job's webhook is shown here and in replays only. */
export const CreatedJob = Schema.Struct({
  ...Job.fields,
  webhook_signing_secret: Schema.optionalKey(Schema.String.annotate({
    description: "Standard Webhooks secret (`whsec_…`) of this job's `webhook_url`."
  }))
}).annotate({ identifier: "CreatedJob" })
export type CreatedJob = typeof CreatedJob.Type

/** The schema that a job ran with, also where its owner has deleted it since. */
export const JobSchema = Schema.Struct({
  job_id: Schema.String,
  schema_id: Schema.NullOr(Schema.String),
  json_schema: Schema.Json.annotate({ description: "As it was sent, member for member." }),
  normalised: Schema.Json.annotate({ description: "The copy in 2020-12 that judges and fills." })
}).annotate({ identifier: "JobSchema" })

export const DeletedJob = Schema.Struct({ id: Schema.String, deleted_at: Instant }).annotate({
  identifier: "DeletedJob"
})
export type DeletedJob = typeof DeletedJob.Type

/** The address that is told when a job has ended, in the words of who offers it. */
export const webhookUrl = (description: string) =>
  Schema.String.annotate({ description, examples: ["https://example.com/hooks/footnote"] }).check(
    Schema.isMaxCodePoints(2048),
    Schema.makeFilter((url) => {
      const parsed = URL.parse(url)
      return parsed !== null && (parsed.protocol === "https:" || parsed.protocol === "http:")
        ? undefined
        : "Expected an absolute http or https URL"
    })
  )

/** The fields of a submission, whether it comes alone or in a batch. */
export const createJobFields = {
  source_uri: Schema.String.annotate({
    description:
      "An http(s) URL, or an `upload://` or `s3://` reference; or `sample://lecture` and `sample://product-demo`, two clips of about a minute and a half that come with the service, for a first call.",
    examples: ["https://example.com/talk.mp4"]
  }).check(Schema.isMinLength(1), Schema.isMaxCodePoints(jobLimits.source_uri_characters)),
  title: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "What the footage is called; by default the upload's file name or the last part of the address. Control characters and those that change the direction of text are left out.",
      examples: ["Week 3: orbits"]
    }).check(Schema.isMinLength(1), Schema.isMaxCodePoints(jobLimits.title_characters))
  ),
  schema_id: Schema.optionalKey(Schema.String),
  schema_version: Schema.optionalKey(
    Schema.Int.annotate({
      description: "A version of the schema that `schema_id` names; its newest where none is given."
    })
      .check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
  ),
  schema_inline: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({ description: "A JSON Schema; excludes `schema_id`." })
  ),
  destination_ids: Schema.optionalKey(
    Schema.Array(Schema.String).check(Schema.isMaxLength(jobLimits.destinations), Schema.isUnique())
  ),
  webhook_url: Schema.optionalKey(webhookUrl("An http(s) URL that is told when the job has ended.")),
  model_stack: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "`builtin`, `standard`, `accurate`, or `auto` for the best whose files are on this deployment; the job tells which."
    }).check(Schema.isMinLength(1), Schema.isMaxCodePoints(100))
  ),
  hints: JobHints.pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  on_missing: Schema.Literals(["fill", "fail"]).annotate({ default: "fill" }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("fill" as const))
  ),
  // Without a decoding default: what is asked for stays the same under a key that was used before there was this field.
  precision: Schema.optionalKey(Precision.annotate({ default: "strict" })),
  instructions: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "How to read this footage, in your words, such as `prices are in euros; the auctioneer's hammer decides`. Told to a language model where the job has one; nothing in it is a fact.",
      examples: ["Prices are in euros. Ignore the advertisements."]
    }).check(Schema.isMinLength(1), Schema.isMaxCodePoints(jobLimits.instructions_characters))
  ),
  metadata: JobMetadata.check(Schema.isMaxProperties(jobLimits.metadata_pairs)).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed({}))
  )
}

/** At most one schema. */
export const oneSchema = Schema.makeFilter(
  (body: { readonly schema_id?: string; readonly schema_version?: number; readonly schema_inline?: unknown }) => {
    if (body.schema_id !== undefined && body.schema_inline !== undefined) {
      return { path: ["schema_inline"], issue: "Excludes schema_id: send one of them" }
    }
    return body.schema_version !== undefined && body.schema_id === undefined
      ? { path: ["schema_version"], issue: "Is of a schema_id: send that too" }
      : undefined
  }
)

/** The body of `POST /v1/jobs`. */
export const CreateJob = Schema.Struct(createJobFields).check(oneSchema).annotate({ identifier: "CreateJob" })
export type CreateJob = typeof CreateJob.Type

const {
  destination_ids,
  instructions,
  metadata,
  on_missing,
  precision,
  schema_id,
  schema_inline,
  schema_version,
  title,
  webhook_url
} = createJobFields

/** The body of `POST /v1/jobs/{id}/extractions`: what of a submission is not about the source. */
export const CreateExtraction = Schema.Struct({
  schema_id,
  schema_version,
  schema_inline,
  destination_ids,
  webhook_url,
  on_missing,
  precision,
  instructions,
  title,
  metadata
}).check(oneSchema).annotate({ identifier: "CreateExtraction" })
export type CreateExtraction = typeof CreateExtraction.Type

/** One change of a job, as the event stream tells it. `id` counts up within a job and is what `Last-Event-ID` names. */
export const JobEvent = Schema.Struct({
  id: Schema.Int,
  type: Schema.Literals(["status", "stage", "progress"]),
  at: Instant,
  status: JobStatus,
  progress: JobProgress
}).annotate({ identifier: "JobEvent" })
export type JobEvent = typeof JobEvent.Type

export class JobNotFound extends ApiError<JobNotFound>()("JOB_NOT_FOUND") {}
export class JobAlreadyTerminal extends ApiError<JobAlreadyTerminal>()("JOB_ALREADY_TERMINAL") {}
export class JobNotSucceeded extends ApiError<JobNotSucceeded>()("JOB_NOT_SUCCEEDED") {}
export class JobNotTerminal extends ApiError<JobNotTerminal>()("JOB_NOT_TERMINAL") {}

/** Whether waiting helps is in the message; the status itself in `details`. */
export const jobNotSucceeded = (status: JobStatus) =>
  new JobNotSucceeded({
    message: isTerminal(status)
      ? `The job is ${status}, so there is nothing to read.`
      : `The job is ${status}, so there is nothing to read yet; wait for its end.`,
    details: [{ path: "status", message: status }]
  })

export const jobNotTerminal = (status: JobStatus) =>
  new JobNotTerminal({
    message: `The job is ${status}; wait for its end, or cancel it first.`,
    details: [{ path: "status", message: status }]
  })
export class SourceNotKept extends ApiError<SourceNotKept>()("SOURCE_NOT_KEPT") {}
export class ArtifactDamaged extends ApiError<ArtifactDamaged>()("ARTIFACT_DAMAGED") {}
export class ModelStackUnknown extends ApiError<ModelStackUnknown>()("MODEL_STACK_UNKNOWN") {}
export class ConcurrentJobsLimit extends ApiError<ConcurrentJobsLimit>()("CONCURRENT_JOBS_LIMIT") {}
