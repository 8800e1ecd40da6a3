import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { instantParameter } from "../database/Instant.ts"
import { page, pageQueryOf } from "../database/Page.ts"
import { DeliveryPage } from "../deliveries/model/Delivery.ts"
import { DestinationNotFound } from "../deliveries/model/Destination.ts"
import { wire } from "../errors/ApiError.ts"
import { ExpandParameter, ListedJob } from "../exports/ExpandedJobs.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import { Batch, batchLimits, CreateBatch } from "../jobs/model/Batch.ts"
import {
  ArtifactDamaged,
  ConcurrentJobsLimit,
  CreatedJob,
  CreateExtraction,
  CreateJob,
  DeletedJob,
  Job,
  JobAlreadyTerminal,
  JobEvent,
  jobLimits,
  JobNotFound,
  JobNotSucceeded,
  JobNotTerminal,
  JobSchema,
  JobStatus,
  ModelStackUnknown,
  SourceNotKept
} from "../jobs/model/Job.ts"
import { jobOrders } from "../jobs/model/JobFilter.ts"
import { SchemaInvalid, SchemaNotFound } from "../schemas/ExtractionSchema.ts"
import { SourceBlocked } from "../sources/SourceUri.ts"
import { CostQuotaExceeded } from "../usage/ledger/CostQuota.ts"
import { StorageQuotaExceeded } from "../usage/ledger/StorageQuota.ts"
import { PairParameters } from "./RequestChecks.ts"

const params = { id: Schema.String }

const createHeaders = {
  ...idempotencyHeader,
  "x-service-model-stack": Schema.optionalKey(Schema.String.annotate({
    description:
      "The model stack, where the body names none: `builtin`, `standard`, `accurate`, or `auto` for the best whose files are here.",
    examples: ["auto"]
  }))
}

const JobOrder = Schema.Literals(jobOrders).annotate({
  description:
    "`created_at`: the newest first. `finished_at`: only jobs that have ended, the one that ended first before all. A cursor belongs to the order that it was given in.",
  default: "created_at"
})

/** Several values in one parameter stand with commas between them. */
const unexploded = (parameter: Record<string, any>) =>
  parameter["name"] === "expand" ? { ...parameter, style: "form", explode: false } : parameter

/** `status=succeeded`, `status=succeeded,failed` or `status=succeeded&status=failed`. */
const JobStatuses = Schema.Union([Schema.String, Schema.Array(Schema.String)]).pipe(
  Schema.decodeTo(
    Schema.Union([JobStatus, Schema.Array(JobStatus)]).annotate({
      description: "Only jobs in this state, or in any of these: separated by commas, or given several times."
    }),
    SchemaTransformation.transform({
      decode: (given): JobStatus | ReadonlyArray<JobStatus> => {
        const names = (typeof given === "string" ? [given] : given).flatMap((text) => text.split(","))
        // Held to the states by what this is decoded to.
        return (names.length === 1 ? names[0]! : names) as JobStatus | ReadonlyArray<JobStatus>
      },
      encode: (statuses) => statuses
    })
  )
)

/** `metadata[key]=value`: parameters whose names are the caller's own have no place in a schema of ours. */
const withMetadataFilter = (operation: Record<string, any>) => ({
  ...operation,
  parameters: [...(operation["parameters"] ?? []).map(unexploded), {
    name: "metadata",
    in: "query",
    required: false,
    style: "deepObject",
    explode: true,
    description: "`metadata[key]=value`: jobs that carry every one of these pairs.",
    schema: { type: "object", additionalProperties: { type: "string" } }
  }]
})

/** Items are decoded one by one, so the endpoint's own schema knows nothing of them. */
const withBatchItems = (operation: Record<string, any>) => ({
  ...operation,
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: {
            jobs: {
              type: "array",
              items: { $ref: "#/components/schemas/BatchItem" },
              minItems: 1,
              maxItems: batchLimits.items
            }
          },
          required: ["jobs"],
          additionalProperties: false
        }
      }
    }
  }
})

export class JobsApi extends HttpApiGroup.make("jobs").add(
  HttpApiEndpoint.post("create", "/jobs", {
    headers: createHeaders,
    payload: CreateJob,
    success: [CreatedJob.pipe(HttpApiSchema.status(201)), CreatedJob.pipe(HttpApiSchema.status(200))],
    error: wire(
      SourceBlocked,
      SchemaNotFound,
      SchemaInvalid,
      DestinationNotFound,
      ModelStackUnknown,
      ConcurrentJobsLimit,
      CostQuotaExceeded,
      StorageQuotaExceeded,
      ...keyRefusals,
      ArtifactDamaged
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "createJob",
    summary: "Create a job",
    description:
      "201 with `Location` for a new job; 200 with `Idempotent-Replayed: true` where the key was used for this body before."
  })),
  HttpApiEndpoint.post("createBatch", "/jobs/batch", {
    headers: createHeaders,
    payload: CreateBatch,
    success: Batch,
    error: wire(...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createJobs",
    summary: "Create up to 100 jobs",
    description:
      "Each item is judged and answered alone, one after the other; a wrong one stops no other. Always 200: the status of each is in its outcome. Counts as one write for each item. `Location` is the batch. Sent again under the same `Idempotency-Key` it answers what became of each item, and goes on with the rest where it broke off.",
    transform: withBatchItems
  })),
  HttpApiEndpoint.get("list", "/jobs", {
    query: {
      ...pageQueryOf("job"),
      status: Schema.optionalKey(JobStatuses),
      batch_id: Schema.optionalKey(Schema.String.annotate({ description: "Only jobs that came in this batch." })),
      schema_id: Schema.optionalKey(Schema.String.annotate({ description: "Only jobs that were given this schema." })),
      source_uri: Schema.optionalKey(
        Schema.String.annotate({
          description:
            "Only jobs of this source: its address as it was submitted, such as `https://example.com/talk.mp4` or `upload://upl_…`. Of an http(s) address, user, query and fragment are not compared, because they are kept sealed."
        }).check(Schema.isMinLength(1), Schema.isMaxCodePoints(jobLimits.source_uri_characters))
      ),
      created_after: Schema.optionalKey(instantParameter("Only jobs that were created at this moment or later.")),
      created_before: Schema.optionalKey(
        instantParameter("Only jobs that were created before this moment, not at it.")
      ),
      finished_after: Schema.optionalKey(instantParameter("Only jobs that ended at this moment or later.")),
      finished_before: Schema.optionalKey(instantParameter("Only jobs that ended before this moment, not at it.")),
      sort: Schema.optionalKey(JobOrder),
      expand: Schema.optionalKey(ExpandParameter)
    },
    success: page(ListedJob).annotate({ identifier: "JobPage" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listJobs",
    summary: "List jobs",
    description:
      "Newest first by creation, or by `sort=finished_at` in the order in which jobs ended; without results; `expand=result,evidence` puts them beside each job, and ends the page where it would become larger than 8 MiB. All filters hold together. Moments are shown to the millisecond: `…_after` includes the one that it names and `…_before` does not, so a poller that sends the last `finished_at` it has seen as `finished_after` is told that one again. For such a poller is `sort=finished_at`: the pages go on to the last that has ended. A job can be seen some moments after its `finished_at`, so send one that is some seconds earlier and let go what is known.",
    transform: withMetadataFilter
  })).annotate(PairParameters, ["metadata"]),
  HttpApiEndpoint.get("get", "/jobs/:id", {
    params,
    query: {
      wait: Schema.Int.annotate({ description: "Seconds to wait for the job to end.", default: 0 }).check(
        Schema.isBetween({ minimum: 0, maximum: jobLimits.wait_seconds })
      ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
    },
    success: Job,
    error: wire(JobNotFound, ArtifactDamaged)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getJob",
    summary: "Read a job",
    description:
      "With `wait` the answer is held until the job is terminal or the seconds are over, whichever comes first. The result is there once the job has succeeded."
  })),
  HttpApiEndpoint.get("schema", "/jobs/:id/schema", {
    params,
    success: JobSchema,
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getJobSchema",
    summary: "Read the schema of a job",
    description: "As it was sent, member for member, and the copy in 2020-12 that judged and filled the result."
  })),
  HttpApiEndpoint.post("cancel", "/jobs/:id/cancel", {
    params,
    headers: idempotencyHeader,
    success: Job,
    error: wire(JobNotFound, JobAlreadyTerminal, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "cancelJob",
    summary: "Cancel a job",
    description:
      "Cancelled at once; work still running stops within 2 seconds. Idempotent by itself: a job that is cancelled already is answered as it is."
  })),
  HttpApiEndpoint.post("retry", "/jobs/:id/retry", {
    params,
    headers: idempotencyHeader,
    success: [CreatedJob.pipe(HttpApiSchema.status(201)), CreatedJob.pipe(HttpApiSchema.status(200))],
    error: wire(
      JobNotFound,
      JobNotTerminal,
      SourceNotKept,
      SourceBlocked,
      ModelStackUnknown,
      ConcurrentJobsLimit,
      CostQuotaExceeded,
      StorageQuotaExceeded,
      ...keyRefusals,
      ArtifactDamaged
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "retryJob",
    summary: "Run a job that is over again",
    description:
      "A terminal job never changes, so this makes a new one with the same schema, hints, stack, metadata and webhook, whose `retry_of` names this one; limits and quota apply to it. A job that succeeded is computed from the bytes that it was made of, for as long as they are kept, and its destinations are not sent the result a second time; any other fetches its `source_uri` again. 201 with `Location`; 200 with `Idempotent-Replayed: true` where the key was used for this before."
  })),
  HttpApiEndpoint.post("extract", "/jobs/:id/extractions", {
    params,
    headers: idempotencyHeader,
    payload: CreateExtraction,
    success: [CreatedJob.pipe(HttpApiSchema.status(201)), CreatedJob.pipe(HttpApiSchema.status(200))],
    error: wire(
      JobNotFound,
      JobNotSucceeded,
      SchemaNotFound,
      SchemaInvalid,
      DestinationNotFound,
      ModelStackUnknown,
      ConcurrentJobsLimit,
      CostQuotaExceeded,
      StorageQuotaExceeded,
      ...keyRefusals,
      ArtifactDamaged
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "extractAgain",
    summary: "Extract from a finished job by another schema",
    description:
      "Makes a new job, whose `extracted_from` names this one, that fills another schema from what was heard and seen already: nothing is fetched, decoded or recognised again. Its hints and stack are those of this job. The words that a schema names are listened for when a source is transcribed; those of the new schema were not, so where that mattered a job made of the source may hear more. The new job has artifacts and a manifest of its own, and stays whole when this one is erased. Limits and quota apply to it. 201 with `Location`; 200 with `Idempotent-Replayed: true` where the key was used for this before."
  })),
  HttpApiEndpoint.delete("remove", "/jobs/:id", {
    params,
    success: DeletedJob,
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "deleteJob",
    summary: "Erase a job",
    description:
      "Erases a terminal job with its source copy and artifacts; deliveries that have not begun are cancelled. Idempotent. A job that is still at work has to be cancelled first: 400 `INVALID_REQUEST` with its `status`."
  })),
  HttpApiEndpoint.get("events", "/jobs/:id/events", {
    params,
    headers: {
      "last-event-id": Schema.optionalKey(Schema.String.annotate({ description: "Resume after this event." }))
    },
    success: HttpApiSchema.StreamSse({ data: JobEvent }),
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "streamJobEvents",
    summary: "Follow a job",
    description: "Server-sent events from the job's beginning or after `Last-Event-ID`; ends with the terminal one."
  })),
  HttpApiEndpoint.get("deliveries", "/jobs/:id/deliveries", {
    params,
    query: pageQueryOf("dlv"),
    success: DeliveryPage,
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "listJobDeliveries",
    summary: "List a job's deliveries",
    description: "Newest first: to `webhook_url` and to destinations."
  }))
).annotateMerge(OpenApi.annotations({ title: "Jobs", description: "Footage in, facts out." })) {}
