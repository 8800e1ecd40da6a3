import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { pageQueryOf } from "../database/Page.ts"
import { BackfillDestination, BackfilledDestination } from "../deliveries/model/Backfill.ts"
import {
  CreateDelivery,
  Delivery,
  DeliveryNotFound,
  DeliveryPage,
  DeliveryStatus,
  RecoverDeliveries,
  RecoveredDeliveries
} from "../deliveries/model/Delivery.ts"
import { DestinationNotFound } from "../deliveries/model/Destination.ts"
import { wire } from "../errors/ApiError.ts"
import { idempotencyHeader, keyRefusals } from "../idempotency/IdempotencyKey.ts"
import { JobNotFound, JobNotSucceeded } from "../jobs/model/Job.ts"
import { ReviewNotFound } from "../reviews/model/Review.ts"

import { withOptionalBody } from "./openapi/OptionalBody.ts"

const params = { id: Schema.String }

export class DeliveriesApi extends HttpApiGroup.make("deliveries").add(
  HttpApiEndpoint.get("list", "/deliveries", {
    query: {
      ...pageQueryOf("dlv"),
      job_id: Schema.optionalKey(Schema.String),
      destination_id: Schema.optionalKey(Schema.String),
      status: Schema.optionalKey(DeliveryStatus)
    },
    success: DeliveryPage
  }).annotateMerge(OpenApi.annotations({
    identifier: "listDeliveries",
    summary: "List deliveries",
    description: "Newest first, each with its attempts. `status=failed` lists what was given up."
  })),
  HttpApiEndpoint.get("get", "/deliveries/:id", {
    params,
    success: Delivery,
    error: wire(DeliveryNotFound)
  }).annotateMerge(OpenApi.annotations({
    identifier: "getDelivery",
    summary: "Read a delivery",
    description: "Its state and every attempt that was made."
  })),
  HttpApiEndpoint.post("retry", "/deliveries/:id/retry", {
    params,
    headers: idempotencyHeader,
    success: Delivery,
    error: wire(DeliveryNotFound, JobNotFound, DestinationNotFound, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "retryDelivery",
    summary: "Send a delivery again",
    description:
      "Under the same event id, with all of its attempts before it. One that is being attempted stays as it is."
  })),
  HttpApiEndpoint.post("deliver", "/jobs/:id/deliveries", {
    params,
    headers: idempotencyHeader,
    payload: CreateDelivery,
    success: [Delivery.pipe(HttpApiSchema.status(201)), Delivery.pipe(HttpApiSchema.status(200))],
    error: wire(JobNotFound, JobNotSucceeded, DestinationNotFound, ReviewNotFound, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "createDelivery",
    summary: "Deliver a job's result",
    description:
      "To a destination of any type; with `reviewed` as its last review left it. Answers at once with `Location`; the delivery goes on by itself."
  })),
  HttpApiEndpoint.post("backfill", "/destinations/:id/backfill", {
    params,
    headers: idempotencyHeader,
    payload: [BackfillDestination, Schema.Null],
    success: BackfilledDestination,
    error: wire(DestinationNotFound, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "backfillDestination",
    summary: "Deliver finished jobs to a destination",
    description:
      "Queues the results of the tenant's succeeded jobs, those that finished in the given time or all of them, oldest first and at most 10,000 "
      + "by one request. A job that has been delivered to it, or is about to be, is left out, so sending it again does what is left.",
    transform: withOptionalBody
  })),
  HttpApiEndpoint.post("recover", "/destinations/:id/recover", {
    params,
    headers: idempotencyHeader,
    payload: RecoverDeliveries,
    success: RecoveredDeliveries,
    error: wire(DestinationNotFound, ...keyRefusals)
  }).annotateMerge(OpenApi.annotations({
    identifier: "recoverDeliveries",
    summary: "Send failed deliveries again",
    description: "Every delivery to this destination that has failed since a moment, each under its own event id."
  }))
).annotateMerge(
  OpenApi.annotations({ title: "Deliveries", description: "What was sent where, and what came of it." })
) {}
