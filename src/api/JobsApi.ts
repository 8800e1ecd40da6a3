import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { page, pageQuery } from "../database/Page.ts"
import { Delivery } from "../deliveries/Delivery.ts"
import { DestinationNotFound } from "../destinations/Destination.ts"
import { wire } from "../errors/ApiError.ts"
import {
  ConcurrentJobsLimit,
  CreatedJob,
  CreateJob,
  DeletedJob,
  IdempotencyKeyConflict,
  IdempotencyKeyInvalid,
  IdempotencyKeyOrphaned,
  Job,
  JobAlreadyTerminal,
  JobEvent,
  JobNotFound,
  JobRecord,
  JobStatus,
  ModelStackUnknown
} from "../jobs/Job.ts"
import { SchemaInvalid, SchemaNotFound } from "../schemas/ExtractionSchema.ts"
import { SourceBlocked } from "../sources/SourceUri.ts"

const params = { id: Schema.String }

const createHeaders = {
  "idempotency-key": Schema.optionalKey(Schema.String.annotate({
    description: "1 to 255 printable ASCII characters; a fresh UUID per submission. Kept for 24 hours.",
    examples: ["0191d9a4-6f0c-7cc3-9d1f-0a4b6f6f3b52"]
  })),
  "x-service-model-stack": Schema.optionalKey(Schema.String.annotate({
    description:
      "The model stack, where the body names none: `builtin`, `standard`, `accurate`, or `auto` for the best whose files are here.",
    examples: ["auto"]
  }))
}

/** `metadata[key]=value`: parameters whose names are the caller's own have no place in a schema of ours. */
const withMetadataFilter = (operation: Record<string, any>) => ({
  ...operation,
  parameters: [...(operation["parameters"] ?? []), {
    name: "metadata",
    in: "query",
    required: false,
    style: "deepObject",
    explode: true,
    description: "`metadata[key]=value`: jobs that carry every one of these pairs.",
    schema: { type: "object", additionalProperties: { type: "string" } }
  }]
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
      IdempotencyKeyInvalid,
      IdempotencyKeyConflict,
      IdempotencyKeyOrphaned
    )
  }).annotateMerge(OpenApi.annotations({
    identifier: "createJob",
    summary: "Create a job",
    description:
      "201 with `Location` for a new job; 200 with `Idempotent-Replayed: true` where the key was used for this body before."
  })),
  HttpApiEndpoint.get("list", "/jobs", {
    query: {
      ...pageQuery,
      status: Schema.optionalKey(JobStatus),
      created_after: Schema.optionalKey(Schema.Date),
      created_before: Schema.optionalKey(Schema.Date)
    },
    success: page(JobRecord).annotate({ identifier: "JobPage" })
  }).annotateMerge(OpenApi.annotations({
    identifier: "listJobs",
    summary: "List jobs",
    description: "Newest first, without results.",
    transform: withMetadataFilter
  })),
  HttpApiEndpoint.get("get", "/jobs/:id", {
    params,
    query: {
      wait: Schema.Int.annotate({ description: "Seconds to wait for the job to end.", default: 0 }).check(
        Schema.isBetween({ minimum: 0, maximum: 60 })
      ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
    },
    success: Job,
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({ identifier: "getJob", summary: "Read a job" })),
  HttpApiEndpoint.post("cancel", "/jobs/:id/cancel", {
    params,
    success: Job,
    error: wire(JobNotFound, JobAlreadyTerminal)
  }).annotateMerge(OpenApi.annotations({
    identifier: "cancelJob",
    summary: "Cancel a job",
    description: "Cancelled at once; work still running stops within 2 seconds. Idempotent."
  })),
  HttpApiEndpoint.delete("remove", "/jobs/:id", {
    params,
    success: DeletedJob,
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "deleteJob",
    summary: "Erase a job",
    description: "Erases a terminal job with its source copy and artifacts. Idempotent."
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
    query: pageQuery,
    success: page(Delivery).annotate({ identifier: "DeliveryPage" }),
    error: wire(JobNotFound)
  }).annotateMerge(OpenApi.annotations({ identifier: "listJobDeliveries", summary: "List a job's deliveries" }))
).annotateMerge(OpenApi.annotations({ title: "Jobs", description: "Footage in, facts out." })) {}
