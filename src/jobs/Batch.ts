import { Schema } from "effect"
import { ErrorEnvelope } from "../errors/ErrorCode.ts"
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

export const Batch = Schema.Struct({
  data: Schema.Array(BatchOutcome).annotate({ description: "One for each item, in their order." })
}).annotate({ identifier: "Batch" })
