import { Effect, Schema } from "effect"
import { JobEvidence } from "../artifacts/ArtifactViews.ts"
import { createJobFields, JobError, JobStatus } from "./model/Job.ts"
import { Warning } from "./model/StageIo.ts"

/** Half of what a POST has to be answered in. */
const longestWaitSeconds = 30

const Moment = Schema.Finite.annotate({ description: "Seconds from the beginning." }).check(
  Schema.isBetween({ minimum: 0, maximum: 43_200 })
)

const GivenSegment = Schema.Struct({
  text: Schema.String.check(
    Schema.isPattern(/\S/u, { message: "Expected words" }),
    Schema.isMaxCodePoints(10_000)
  ),
  speaker: Schema.optionalKey(
    Schema.String.annotate({ description: "Who says it, by any name." }).check(
      Schema.isMinLength(1),
      Schema.isMaxCodePoints(100)
    )
  ),
  t_start: Schema.optionalKey(Moment),
  t_end: Schema.optionalKey(Moment)
}).annotate({ identifier: "GivenSegment" })

const { instructions, on_missing, precision, schema_version } = createJobFields

/** The body of `POST /v1/schemas/{id}/test`. */
export const TestSchema = Schema.Struct({
  job_id: Schema.optionalKey(
    Schema.String.annotate({ description: "A job that has succeeded: what it heard and saw." })
  ),
  segments: Schema.optionalKey(
    Schema.Array(GivenSegment).annotate({
      description:
        "In place of a job: what is said, in order. A segment without moments follows the one before, at 0.4 s a word."
    }).check(Schema.isMinLength(1), Schema.isMaxLength(2000))
  ),
  language: Schema.optionalKey(
    Schema.String.annotate({ description: "Of `segments`, such as `en`." }).check(
      Schema.isPattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u, { message: "Expected a language tag such as en or pt-BR" })
    )
  ),
  schema_version,
  on_missing,
  precision,
  instructions,
  wait_seconds: Schema.Int.annotate({
    description: "How long the answer is held for the result.",
    default: longestWaitSeconds
  }).check(Schema.isBetween({ minimum: 0, maximum: longestWaitSeconds })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(longestWaitSeconds))
  )
}).check(
  Schema.makeFilter(({ job_id, segments }: { readonly job_id?: string; readonly segments?: unknown }) =>
    (job_id === undefined) === (segments === undefined)
      ? { path: ["segments"], issue: "Send either job_id or segments" }
      : undefined
  )
).annotate({ identifier: "TestSchema" })
export type TestSchema = typeof TestSchema.Type

/** What a schema gets out of a transcript or of what a job has read. */
export const SchemaTest = Schema.Struct({
  job_id: Schema.String.annotate({
    description: "The job that did it: erased already where `status` is terminal, else to be read as any other."
  }),
  status: JobStatus,
  result: Schema.NullOr(Schema.Json),
  result_confidence: Schema.NullOr(Schema.Finite),
  evidence: Schema.NullOr(JobEvidence).annotate({ description: "With `unfilled`: what was not found, and why." }),
  warnings: Schema.Array(Warning),
  error: Schema.NullOr(JobError)
}).annotate({ identifier: "SchemaTest" })
export type SchemaTest = typeof SchemaTest.Type
