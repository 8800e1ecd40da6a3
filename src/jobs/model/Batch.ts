import { type Effect, Schema } from "effect"
import { Instant } from "../../database/Instant.ts"
import { ApiError } from "../../errors/ApiError.ts"
import { ErrorEnvelope } from "../../errors/ErrorEnvelope.ts"
import { CreatedJob, createJobFields, oneSchema } from "./Job.ts"

export const batchLimits = { items: 100 } as const

/** One submission of a batch: the body of a creation, with the key that would stand in its header. */
export const BatchItem = Schema.Struct({
  ...createJobFields,
  idempotency_key: Schema.optionalKey(Schema.String.annotate({
    description: "As the header `Idempotency-Key`, for this item alone; shares its keys with `POST /v1/jobs`."
  }))
}).check(oneSchema).annotate({ identifier: "BatchItem" })

/** The body of `POST /v1/jobs/batch`; the items are judged one by one, so that a wrong one does not stop the others. */
export const CreateBatch = Schema.Struct({
  jobs: Schema.Array(Schema.Json).check(Schema.isMinLength(1), Schema.isMaxLength(batchLimits.items))
})

/** What became of an item: `job` where `status` is 200 or 201, else `error`. */
const BatchOutcome = Schema.Struct({
  status: Schema.Int.annotate({ description: "The HTTP status that the item would have had as a request of its own." }),
  job: Schema.optionalKey(CreatedJob),
  error: Schema.optionalKey(ErrorEnvelope.fields.error),
  retry_after_seconds: Schema.optionalKey(Schema.Int.annotate({
    description: "When this item is worth sending again, where waiting helps: `Retry-After` of a request of its own."
  }))
}).annotate({ identifier: "BatchOutcome" })
export type BatchOutcome = typeof BatchOutcome.Type

const id = Schema.String.annotate({ description: "Form `bat_<id>`." })

/** One item of a batch, not decoded: a wrong one is its own affair. */
export interface BatchSubmission {
  readonly item: Schema.Json
  /** Its JSON text as it was sent. */
  readonly written?: string | undefined
  readonly model_stack: string | undefined
}

/** What an item was refused with, as a request of its own would have been. */
export const BatchRefusal = Schema.Struct({ status: Schema.Int, error: ErrorEnvelope.fields.error })
export type BatchRefusal = typeof BatchRefusal.Type

/** The same, of an item that is refused now or was when it was judged. */
export interface RefusedItem {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly envelope: Effect.Effect<{ readonly error: BatchRefusal["error"] }>
}

const recordFields = {
  id,
  status: Schema.Literals(["running", "completed"]).annotate({
    description: "`completed` once every item has been judged and every job of it has ended."
  }),
  size: Schema.Int.annotate({ description: "How many items it has." }),
  counts: Schema.Struct({
    queued: Schema.Int.annotate({ description: "Whose job waits to be begun." }),
    running: Schema.Int.annotate({ description: "Whose job is at work." }),
    succeeded: Schema.Int.annotate({ description: "Whose job has succeeded." }),
    failed: Schema.Int.annotate({ description: "Whose job has failed." }),
    cancelled: Schema.Int.annotate({ description: "Whose job was cancelled." }),
    refused: Schema.Int.annotate({ description: "Items that became no job." })
  }).annotate({ description: "Items by the status of their job." }),
  progress: Schema.Struct({
    fraction: Schema.Finite.annotate({ description: "Share of the items that have ended." }).check(
      Schema.isBetween({ minimum: 0, maximum: 1 })
    )
  }).annotate({ description: "How far it has come." }),
  created_at: Instant,
  completed_at: Schema.NullOr(Instant).annotate({ description: "When its last job ended; null until then." })
}

/** Jobs that came in one request, and how they stand. */
export const BatchRecord = Schema.Struct(recordFields).annotate({
  identifier: "BatchRecord",
  description: "Jobs that came in one request, and how they stand."
})
export type BatchRecord = typeof BatchRecord.Type

export const BatchDetails = Schema.Struct({
  ...recordFields,
  items: Schema.Array(Schema.Struct({
    item: Schema.Int.annotate({ description: "Its place in the request, from 0." }),
    job_id: Schema.NullOr(Schema.String).annotate({ description: "The job that it became." }),
    error: Schema.NullOr(ErrorEnvelope.fields.error).annotate({ description: "Why it became no job." })
  })).annotate({ description: "What became of each item that has been judged." })
}).annotate({ identifier: "BatchDetails", description: "A batch and what became of each of its items." })
export type BatchDetails = typeof BatchDetails.Type

export class BatchNotFound extends ApiError<BatchNotFound>()("BATCH_NOT_FOUND") {}

export const Batch = Schema.Struct({
  id,
  data: Schema.Array(BatchOutcome).annotate({ description: "One for each item, in their order." })
}).annotate({ identifier: "Batch" })
