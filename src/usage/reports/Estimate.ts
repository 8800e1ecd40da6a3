import { Schema } from "effect"
import { Seconds } from "../../artifacts/Moment.ts"
import { createJobFields, oneSchema } from "../../jobs/model/Job.ts"
import { sourceLimits } from "../../sources/SourceLimits.ts"

/**
 * The body of `POST /v1/jobs/estimate`: that of the job that is meant, as it would be sent. Its other fields are held to their form and change
 * nothing: what a job takes goes by its source and its models.
 */
export const EstimateRequest = Schema.Struct({
  ...createJobFields,
  source_uri: Schema.optionalKey(createJobFields.source_uri),
  duration_seconds: Schema.optionalKey(
    Schema.Finite.annotate({ description: "How long the source is, where the caller knows." }).check(
      Schema.isGreaterThan(0),
      Schema.isLessThanOrEqualTo(sourceLimits.duration_seconds)
    )
  )
}).check(oneSchema).check(
  Schema.makeFilter((body) =>
    body.source_uri === undefined && body.duration_seconds === undefined
      ? { path: ["source_uri"], issue: "Is required where there is no duration_seconds" }
      : undefined
  )
).annotate({ identifier: "EstimateRequest" })
export type EstimateRequest = typeof EstimateRequest.Type

/**
 * `given`: the request says so. `file`: the upload's own header. `earlier_job`: a job of the tenant over the same source.
 * `history`: the tenant's last jobs on this stack. `deployment`: the median of what tenants' last jobs took on it,
 * where there are three tenants or more. `prices`: what models
 * behind an address cost here.
 */
const Basis = Schema.NullOr(
  Schema.Literals(["given", "file", "earlier_job", "history", "deployment", "prices"])
)

/** What a job would take: null is not known, and `based_on` says where each number is from. Nothing is fetched for it. */
export const Estimate = Schema.Struct({
  model_stack: Schema.String.annotate({ description: "What the job would run on, also where `auto` chooses." }),
  duration_seconds: Schema.NullOr(Seconds),
  work_seconds: Schema.NullOr(Seconds).annotate({ description: "From the first stage's start to the last one's end." }),
  tokens: Schema.NullOr(Schema.Int),
  cost: Schema.NullOr(Schema.Finite),
  most_cost: Schema.NullOr(Schema.Finite).annotate({
    description: "What a job costs at most here; null where no model with a price has been seen."
  }),
  reserves: Schema.Finite.annotate({ description: "What the job would hold back of the quota until it is over." }),
  admissible: Schema.Boolean.annotate({ description: "Whether slots and quota would let it in now." }),
  based_on: Schema.Struct({ duration_seconds: Basis, work_seconds: Basis, tokens: Basis, cost: Basis }),
  unknown: Schema.Array(Schema.String).annotate({
    description: "Names of the numbers that are null, each with the reason."
  })
}).annotate({ identifier: "Estimate" })
export type Estimate = typeof Estimate.Type
export type Basis = typeof Basis.Type
