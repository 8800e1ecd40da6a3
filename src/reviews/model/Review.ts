import { Effect, Schema } from "effect"
import { Reviewer } from "../../artifacts/Evidence.ts"
import { Seconds, SourceRef } from "../../artifacts/Moment.ts"
import { Instant } from "../../database/Instant.ts"
import { page } from "../../database/Page.ts"
import { ApiError } from "../../errors/ApiError.ts"

export const reviewLimits = {
  decisions: 2000,
  citations: 20,
  revisions: 1000,
  /** Of all decisions of a job's reviews, as JSON. */
  bytes: 8 * 1024 ** 2
} as const

const Pointer = Schema.String.annotate({
  description: "JSON pointer (RFC 6901) into the result as `base_revision` left it."
}).check(
  Schema.isMaxCodePoints(1000),
  Schema.isPattern(/^(?:\/(?:[^~/]|~[01])*)*$/u, { message: "Expected a JSON pointer such as /items/0/price" })
)

const Fraction = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Box = Schema.Tuple([Fraction, Fraction, Fraction, Fraction]).annotate({
  description: "`[x, y, width, height]` in fractions of the frame."
})

/** A place of the source that a person points at. */
export const GivenCitation = Schema.Struct({
  source_ref: SourceRef.annotate({ description: "A segment of the transcript, or a kept frame." }),
  t_start: Seconds.annotate({ description: "When it begins, in seconds." }),
  t_end: Seconds.annotate({ description: "When it ends, in seconds." }),
  quote: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Its words, as they stand there; left out, the words of the segment at that time or of the frame in the box."
    }).check(Schema.isMaxCodePoints(10_000))
  ),
  box: Schema.optionalKey(Box)
}).check(
  Schema.makeFilter(({ t_end, t_start }: { readonly t_start: number; readonly t_end: number }) =>
    t_start <= t_end ? undefined : { path: ["t_end"], issue: "Must not be before t_start" }
  )
).annotate({ identifier: "GivenCitation" })
export type GivenCitation = typeof GivenCitation.Type

const Action = Schema.Literals(["accept", "correct", "reject", "choose"]).annotate({
  identifier: "ReviewAction",
  description:
    "`accept`: what stands here is right, or rightly empty; of an object or array all that is in it and not decided otherwise. `correct`: `value` is right. `reject`: nothing stands here rightly; an entry of an array goes, any other place is left out, null, or what is emptiest where the schema asks for a value. `choose`: one of the `alternatives` of its span, or of the `candidates` of an unfilled leaf."
})

const decided = {
  pointer: Pointer,
  action: Action,
  value: Schema.optionalKey(Schema.Json.annotate({ description: "Of `correct`: what stands there rightly." })),
  candidate: Schema.optionalKey(
    Schema.Int.annotate({ description: "Of `choose`: which one, from 0." }).check(
      Schema.isBetween({ minimum: 0, maximum: 1000 })
    )
  )
}

type Given = {
  readonly action: string
  readonly value?: unknown
  readonly candidate?: number
  readonly citations?: unknown
}

const onlyFor = (action: string, needed: boolean) => (field: "value" | "candidate" | "citations") =>
  Schema.makeFilter((given: Given) => {
    const has = field in given
    if (needed && given.action === action && !has) return { path: [field], issue: `Is required with ${action}` }
    return has && given.action !== action ? { path: [field], issue: `Is for ${action} alone` } : undefined
  })

/** One decision as it is sent. */
export const GivenDecision = Schema.Struct({
  ...decided,
  citations: Schema.optionalKey(
    Schema.Array(GivenCitation).annotate({
      description: "Of `correct`: where the source says so; none where the value is the person's own."
    }).check(Schema.isMaxLength(reviewLimits.citations))
  )
}).check(
  onlyFor("correct", true)("value"),
  onlyFor("choose", true)("candidate"),
  onlyFor("correct", false)("citations")
)
  .annotate({ identifier: "GivenDecision" })
export type GivenDecision = typeof GivenDecision.Type

const Note = Schema.NullOr(Schema.String.check(Schema.isMaxCodePoints(4000))).annotate({
  description: "In the reviewer's words, up to 4,000 characters; null where nothing is said."
})

/** The body of `POST /v1/jobs/{id}/reviews`. */
export const CreateReview = Schema.Struct({
  base_revision: Schema.Int.annotate({
    description: "The revision that the decisions are made on: 0 for the job's own result, else the last one."
  }).check(Schema.isGreaterThanOrEqualTo(0)),
  note: Note.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  decisions: Schema.Array(GivenDecision).annotate({
    description: "None may lie within another's place, but for `accept` of what is around them."
  }).check(Schema.isMinLength(1), Schema.isMaxLength(reviewLimits.decisions))
}).annotate({ identifier: "CreateReview", description: "What a person decides on the result of a job." })
export type CreateReview = typeof CreateReview.Type

/** A cited place as it was found in the source. */
export const ReviewCitation = Schema.Struct({
  source_ref: SourceRef.annotate({ description: "The segment or frame." }),
  t_start: Seconds.annotate({ description: "When it begins, in seconds." }),
  t_end: Seconds.annotate({ description: "When it ends, in seconds." }),
  quote: Schema.String.annotate({ description: "Its words, character for character." }),
  origin_channel: Schema.Literals(["asr", "captions", "ocr", "vision", "metadata"]).annotate({
    description: "What it was read from."
  }),
  box: Schema.optionalKey(Box)
}).annotate({ identifier: "ReviewCitation", description: "A cited place as it was found in the source." })
export type ReviewCitation = typeof ReviewCitation.Type

/** One decision as it is kept: with what stood at its place and what stands there since. */
export const Decision = Schema.Struct({
  ...decided,
  before: Schema.optionalKey(Schema.Json.annotate({ description: "What stood there; absent where nothing did." })),
  value: Schema.optionalKey(
    Schema.Json.annotate({ description: "What stands there since; absent where nothing does." })
  ),
  citations: Schema.Array(ReviewCitation).annotate({ description: "Where the source says what stands there since." })
}).annotate({
  identifier: "Decision",
  description: "One decision, with what stood at its place and what stands there since."
})
export type Decision = typeof Decision.Type

/** One revision: it never changes. */
export const Review = Schema.Struct({
  id: Schema.String.annotate({ description: "Form `rev_<id>`." }),
  job_id: Schema.String.annotate({ description: "The job that was reviewed." }),
  revision: Schema.Int.annotate({ description: "1 for the first review of the job." }),
  base_revision: Schema.Int.annotate({ description: "The revision before it." }),
  author: Reviewer,
  created_at: Instant,
  note: Note,
  decisions: Schema.Array(Decision).annotate({ description: "In the order in which they were sent." })
}).annotate({ identifier: "Review", description: "What a person decided on the result of a job; it never changes." })
export type Review = typeof Review.Type

export const ReviewPage = page(Review).annotate({ identifier: "ReviewPage", description: "One page of a list." })

/** The typed result by itself, as the job or its last review left it. */
export const JobResult = Schema.Struct({
  job_id: Schema.String.annotate({ description: "Form `job_<id>`." }),
  revision: Schema.Int.annotate({ description: "0: the job's own result. Else that of the review which left it so." }),
  result: Schema.Json.annotate({ description: "The typed result." })
}).annotate({ identifier: "JobResult", description: "The typed result by itself." })

export class ReviewNotFound extends ApiError<ReviewNotFound>()("REVIEW_NOT_FOUND") {}
export class ReviewConflict extends ApiError<ReviewConflict>()("REVIEW_CONFLICT") {}
export class ReviewIncomplete extends ApiError<ReviewIncomplete>()("REVIEW_INCOMPLETE") {}
