import { Schema } from "effect"
import { Evidence } from "../../artifacts/Evidence.ts"
import { Instant } from "../../database/Instant.ts"
import { BatchRecord } from "../../jobs/model/Batch.ts"
import { Job, type JobRecord } from "../../jobs/model/Job.ts"
import { Review } from "../../reviews/model/Review.ts"
import { shownUri } from "../../sources/ShownUri.ts"

/** A body over this leaves out what can be read elsewhere: receivers commonly refuse more. */
const mostBytes = 1024 * 1024

/** One body goes to every receiver of an event: none is told where another one is, nor what opens the source. */
const told = (job: JobRecord): JobRecord => ({ ...job, source_uri: shownUri(job.source_uri), webhook_url: null })

const EventJob = Schema.Struct({
  ...Job.fields,
  result: Schema.optionalKey(Job.fields.result.annotate({
    description: "The typed result; null where the job has none, absent where `data.result_url` names it."
  }))
}).annotate({
  identifier: "EventJob",
  description:
    "The job as `GET /v1/jobs/{id}` shows it, but for `webhook_url`, which is null, and for what grants access in `source_uri`."
})

const { author, created_at, id, note, revision } = Review.fields

const ReviewSummary = Schema.Struct({ id, revision, author, created_at, note }).annotate({
  identifier: "ReviewSummary",
  description: "The review up to which the result and its evidence are told."
})

const url = (description: string) => Schema.optionalKey(Schema.String.annotate({ description, format: "uri" }))

const evidence = {
  evidence: Schema.optionalKey(Evidence),
  evidence_url: url("In place of `evidence` where the body would be over 1 MiB with it.")
}

/** `job.succeeded` is `JobSucceeded` in names that may hold no point. */
export const eventName = (kind: string): string =>
  kind.replaceAll(/(?:^|\.)(\w)/gu, (_, letter: string) => letter.toUpperCase())

const eventOf = <const Kind extends string, Data extends Schema.Top>(kind: Kind, data: Data) =>
  Schema.Struct({
    id: Schema.String.annotate({ description: "Form `evt_<id>`: the `webhook-id` header, the same on every attempt." }),
    type: Schema.Literal(kind),
    created_at: Instant,
    data: data.annotate({ description: "What it tells of." })
  }).annotate({ identifier: `${eventName(kind)}Event` })

/** Every kind of body that a webhook is sent, with when that is. */
export const webhookEvents = {
  "job.succeeded": {
    when: "A job has succeeded",
    schema: eventOf(
      "job.succeeded",
      Schema.Struct({
        job: EventJob,
        ...evidence,
        result_url: url("In place of the result where the body would be over 1 MiB with it.")
      })
    )
  },
  "job.reviewed": {
    when: "Somebody asks for a reviewed result to be delivered",
    schema: eventOf(
      "job.reviewed",
      Schema.Struct({
        job: EventJob,
        review: ReviewSummary,
        ...evidence,
        result_url: url("In place of the result where the body would be over 1 MiB with it.")
      })
    )
  },
  "job.failed": { when: "A job has failed", schema: eventOf("job.failed", Schema.Struct({ job: EventJob })) },
  "job.cancelled": { when: "A job was cancelled", schema: eventOf("job.cancelled", Schema.Struct({ job: EventJob })) },
  "batch.completed": {
    when: "The last job of a batch has ended",
    schema: eventOf("batch.completed", Schema.Struct({ batch: BatchRecord }))
  },
  "destination.test": {
    when: "Somebody asks for a check of a destination",
    schema: eventOf("destination.test", Schema.Record(Schema.String, Schema.Json))
  }
} as const

/** The body that tells of a batch. */
export const batchBody = (
  event: { readonly id: string; readonly created_at: string; readonly batch: BatchRecord }
): string => {
  const { batch, created_at, id } = event
  return JSON.stringify({ id, type: "batch.completed", created_at, data: { batch } })
}

const summaryOf = ({ author, created_at, id, note, revision }: Review): typeof ReviewSummary.Type => ({
  id,
  revision,
  author,
  created_at,
  note
})

/**
 * The body of a webhook: `{ id, type, created_at, data: { job } }`, the job with its result, and its evidence beside it. Over
 * 1 MiB the evidence gives way to `data.evidence_url`, and then the result to `data.result_url`. Another version of this code
 * may build another text: what was built first is kept and sent on every attempt.
 */
export const webhookBody = (event: {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly job: JobRecord
  readonly result: Schema.Json
  readonly result_url: string
  /** Null where the job has none. */
  readonly evidence: Evidence | null
  readonly evidence_url: string
  /** None where it tells of the job's own result. */
  readonly review?: Review | null
}): string => {
  const { created_at, evidence, evidence_url, id, result, result_url, type } = event
  const job = told(event.job)
  const whole = { ...job, result }
  const review = event.review == null ? {} : { review: summaryOf(event.review) }
  const bodies = evidence === null
    ? [{ job: whole, ...review }, { job, ...review, result_url }]
    : [{ job: whole, ...review, evidence }, { job: whole, ...review, evidence_url }, {
      job,
      ...review,
      evidence_url,
      result_url
    }]
  let text = ""
  for (const data of bodies) {
    text = JSON.stringify({ id, type, created_at, data })
    if (Buffer.byteLength(text) <= mostBytes) break
  }
  return text
}
