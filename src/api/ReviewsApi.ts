import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { pageQueryOf } from "../database/Page.ts"
import { wire } from "../errors/ApiError.ts"
import { RateLimited } from "../errors/RequestErrors.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import { ArtifactDamaged, JobNotFound, JobNotSucceeded } from "../jobs/model/Job.ts"
import { GoldRecord } from "../reviews/model/GoldRecord.ts"
import {
  CreateReview,
  Review,
  ReviewConflict,
  ReviewIncomplete,
  ReviewNotFound,
  ReviewPage
} from "../reviews/model/Review.ts"
import { JobSpeakers, NameSpeakers } from "../reviews/Speakers.ts"
import { StorageQuotaExceeded } from "../usage/ledger/StorageQuota.ts"

const params = { id: Schema.String }

export class ReviewsApi extends HttpApiGroup.make("reviews").add(
  HttpApiEndpoint.post("create", "/jobs/:id/reviews", {
    params,
    headers: idempotencyHeader,
    payload: CreateReview,
    success: [Review.pipe(HttpApiSchema.status(201)), Review.pipe(HttpApiSchema.status(200))],
    error: wire(
      JobNotFound,
      JobNotSucceeded,
      ReviewConflict,
      RateLimited,
      ...keyRefusals,
      StorageQuotaExceeded,
      ArtifactDamaged
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "createJobReview",
    summary: "Review a result",
    description:
      "Accepts, corrects or rejects values of a succeeded job's result, or chooses among those that were held back, and makes a revision that never changes. The reviewed result fits the job's schema as its own does, or the review is refused with each decision that does not fit. On another than the last revision it is 409 `REVIEW_CONFLICT`, and nothing is made. The job's own result stays what it was: read `result` and `evidence` with `reviewed=true`, or deliver with `reviewed`."
  })),
  HttpApiEndpoint.get("list", "/jobs/:id/reviews", {
    params,
    query: pageQueryOf("rev"),
    success: ReviewPage,
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "listJobReviews",
    summary: "List a job's reviews",
    description: "Newest first: who decided what, and when."
  })),
  HttpApiEndpoint.get("get", "/jobs/:id/reviews/:review_id", {
    params: { ...params, review_id: Schema.String.annotate({ description: "The review's id, `rev_…`." }) },
    success: Review,
    error: wire(JobNotFound, ReviewNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getJobReview",
    summary: "Read a review",
    description: "One revision, with what stood at each place and what stands there since."
  })),
  HttpApiEndpoint.get("gold", "/jobs/:id/gold", {
    params,
    success: GoldRecord,
    error: wire(JobNotFound, JobNotSucceeded, ReviewNotFound, ReviewIncomplete, ArtifactDamaged)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getJobGold",
    summary: "Read a reviewed job as a gold record",
    description:
      "What was said and shown, the schema, and the right result leaf by leaf, as one line of a `*.jsonl` file by which an extractor can be scored. Every leaf has to have been decided on, which `accept` of the whole (`\"pointer\": \"\"`) does for all that are right; else 409 `REVIEW_INCOMPLETE` with those that are left."
  })),
  HttpApiEndpoint.get("speakers", "/jobs/:id/speakers", {
    params,
    success: JobSpeakers,
    error: wire(JobNotFound, JobNotSucceeded, ArtifactDamaged)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getJobSpeakers",
    summary: "Read who speaks",
    description: "Every voice of a succeeded job, as it was heard and as people named it."
  })),
  HttpApiEndpoint.put("nameSpeakers", "/jobs/:id/speakers", {
    params,
    payload: NameSpeakers,
    success: JobSpeakers,
    error: wire(JobNotFound, JobNotSucceeded, ArtifactDamaged, RateLimited)
  }).annotateMerge(OpenApi.annotations({
    identifier: "nameJobSpeakers",
    summary: "Name and merge speakers",
    description:
      "Takes the place of every name and merger before. From now on the transcript in every format, the graph, the report, exports and deliveries call the speakers so, and so do values of result and evidence whose `formula` is the speaker of their quote; an extraction from the job works with these names. What the job wrote stays, and is read with `speakers=as_heard`: its manifest vouches for that. A name with which the result would not fit its schema is refused."
  }))
).annotateMerge(OpenApi.annotations({ title: "Reviews", description: "What people decided on results." })) {}
