import { Schema } from "effect"

/** Why a job failed: a closed list, the same in `job.error.code`, in webhooks and in a stage's own failure. */
export const JobFailureCode = Schema.Literals([
  "SOURCE_BLOCKED",
  "SOURCE_UNREACHABLE",
  "SOURCE_TOO_LARGE",
  "SOURCE_NOT_MEDIA",
  "SOURCE_CORRUPT",
  "SOURCE_TOO_LONG",
  "MEDIA_LIMIT_EXCEEDED",
  "STORAGE_QUOTA_EXCEEDED",
  "EXTRACTION_FAILED",
  "ARTIFACT_DAMAGED",
  "MODEL_UNAVAILABLE",
  "STAGE_TIMEOUT",
  "QUEUE_TIMEOUT",
  "TASK_LOST",
  "INTERNAL"
]).annotate({ identifier: "JobFailureCode" })
export type JobFailureCode = typeof JobFailureCode.Type

/** What a stage may be without for a while through no fault of its job. */
export const ServiceFault = Schema.Literals(["database", "blob_store", "disk_full", "source_store", "model_endpoint"])
export type ServiceFault = typeof ServiceFault.Type

/**
 * A stage could not do its work. `retryable` says whether another attempt may help: a forbidden or broken source never
 * changes, a lost connection may.
 */
export class StageFailure extends Schema.TaggedError<StageFailure>()("StageFailure", {
  code: JobFailureCode,
  message: Schema.String,
  retryable: Schema.Boolean,
  /** The service's own fault, not the job's: the task is paused and uses up no attempt. */
  fault: Schema.optionalKey(ServiceFault)
}) {}
