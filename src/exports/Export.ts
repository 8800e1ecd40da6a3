import { Effect, Schema } from "effect"
import { Instant, instantParameter } from "../database/Instant.ts"
import { ApiError } from "../errors/ApiError.ts"
import { jobLimits, JobMetadata } from "../jobs/model/Job.ts"
import { ExpandedJob, Expansion } from "./ExpandedJobs.ts"

const Ended = Schema.Literals(["succeeded", "failed", "cancelled"]).annotate({ identifier: "EndedStatus" })

/** How long an export can be read. */
export const exportDays = 7

const optional = Schema.optionalKey
const moment = (description: string) => optional(instantParameter(description))

/** Which jobs an export holds. */
const filterFields = {
  status: Schema.Array(Ended).annotate({
    description: "How the jobs ended; only `succeeded` where nothing is said. A job that is at work is in no export."
  }).check(Schema.isMinLength(1), Schema.isUnique()).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(["succeeded" as const]))
  ),
  finished_after: moment("Jobs that ended at this moment or later, such as `created_at` of the export before."),
  finished_before: moment("Jobs that ended before this moment, not at it; never later than the export's `created_at`."),
  created_after: moment("Jobs that were created at this moment or later."),
  created_before: moment("Jobs that were created before this moment, not at it."),
  schema_id: optional(Schema.String.annotate({ description: "Jobs of this schema, the tenant's own or a template." })),
  metadata: optional(
    JobMetadata.annotate({ description: "Jobs that carry every one of these pairs." }).check(
      Schema.isMaxProperties(jobLimits.metadata_pairs)
    )
  )
}

const ExportFilter = Schema.Struct(filterFields).annotate({ identifier: "ExportFilter" })

/** The body of `POST /v1/exports`. */
export const CreateExport = Schema.Struct({
  ...filterFields,
  include: Schema.Array(Expansion).annotate({
    description: "What stands beside each job; `result` and `evidence` where nothing is said."
  }).check(Schema.isUnique()).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(["result" as const, "evidence" as const]))
  )
}).annotate({ identifier: "CreateExport" })
export type CreateExport = typeof CreateExport.Type

/** Finished jobs as they stood when it was made, to be read as often as one likes until it expires. */
export const Export = Schema.Struct({
  id: Schema.String.annotate({ description: "Form `exp_<id>`." }),
  status: Schema.Literal("ready").annotate({
    description: "Nothing has to be prepared: an export can be read as soon as it is made."
  }),
  filter: Schema.toType(ExportFilter),
  include: Schema.Array(Expansion),
  jobs: Schema.Int.annotate({
    description: "How many jobs it held when it was made; those that are erased since are left out."
  }),
  content_url: Schema.String.annotate({ description: "Where its content is, below the address of the service." }),
  created_at: Instant.annotate({ description: "Jobs that ended later are not in it." }),
  expires_at: Instant
}).annotate({ identifier: "Export" })
export type Export = typeof Export.Type

export const DeletedExport = Schema.Struct({ id: Schema.String, deleted_at: Instant }).annotate({
  identifier: "DeletedExport"
})
export type DeletedExport = typeof DeletedExport.Type

/** One line of an export's content. */
export const ExportLine = Schema.Struct({
  cursor: Schema.String.annotate({ description: "Sent back as `cursor`, the content goes on after this line." }),
  job: ExpandedJob
}).annotate({ identifier: "ExportLine" })
export type ExportLine = typeof ExportLine.Type

export class ExportNotFound extends ApiError<ExportNotFound>()("EXPORT_NOT_FOUND") {}
