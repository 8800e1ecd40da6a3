import { Effect, Schema } from "effect"
import { Instant, isInstant } from "../../database/Instant.ts"
import { page } from "../../database/Page.ts"
import { ApiError } from "../../errors/ApiError.ts"
import { DestinationType } from "./Destination.ts"

export const DeliveryStatus = Schema.Literals(["pending", "delivering", "succeeded", "failed", "cancelled"]).annotate({
  identifier: "DeliveryStatus",
  message: "Expected pending, delivering, succeeded, failed or cancelled"
})
export type DeliveryStatus = typeof DeliveryStatus.Type

/** One try. `status_code` is null where no answer came; `error` is null where it was accepted. */
export const DeliveryAttempt = Schema.Struct({
  number: Schema.Int,
  at: Instant,
  status_code: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  duration_ms: Schema.Int
}).annotate({ identifier: "DeliveryAttempt" })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** What a pending delivery waits for; null of every other. */
export const DeliveryWait = Schema.Literals(["destination_paused", "destination_broken", "retry", "turn"]).annotate({
  identifier: "DeliveryWait",
  description:
    "`destination_paused` and `destination_broken`: for the destination, whose `last_health_message` says why, "
    + "however long; `retry`: for `next_attempt_at`; `turn`: for a worker, or for room at a receiver that is told as many "
    + "at a time as it may be or that asked for rest."
})
export type DeliveryWait = typeof DeliveryWait.Type

/** `destination_id` is null for the `webhook_url` of a job. */
export const Delivery = Schema.Struct({
  id: Schema.String.annotate({ description: "Form `dlv_<id>`." }),
  job_id: Schema.String,
  destination_id: Schema.NullOr(Schema.String),
  destination_type: DestinationType,
  event_id: Schema.String.annotate({ description: "The `webhook-id` header; the same on every attempt." }),
  event_type: Schema.String.annotate({ description: "What it tells, such as `job.succeeded`." }),
  revision: Schema.NullOr(Schema.Int).annotate({
    description: "Of `job.reviewed`: the review up to which the result is told; null of every other."
  }),
  status: DeliveryStatus,
  waits_for: Schema.NullOr(DeliveryWait),
  attempts: Schema.Array(DeliveryAttempt),
  next_attempt_at: Schema.NullOr(Instant).annotate({
    description: "When the next attempt is due; null where there is none, or where it depends on the destination."
  }),
  created_at: Instant,
  finished_at: Schema.NullOr(Instant)
}).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type

export const DeliveryPage = page(Delivery).annotate({ identifier: "DeliveryPage" })

/** The body of `POST /v1/jobs/{id}/deliveries`. */
export const CreateDelivery = Schema.Struct({
  destination_id: Schema.String.annotate({ description: "A destination of any type." }),
  reviewed: Schema.Boolean.annotate({
    description: "The result as its last review left it, by an event of its own (`job.reviewed`).",
    default: false
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
}).annotate({ identifier: "CreateDelivery" })

/** The body of `POST /v1/destinations/{id}/recover`. */
export const RecoverDeliveries = Schema.Struct({
  since: Schema.String.annotate({
    description: "RFC 3339. Deliveries that have failed at this moment or later are sent again.",
    format: "date-time",
    examples: ["2026-11-20T09:30:00Z"]
  }).check(isInstant)
}).annotate({ identifier: "RecoverDeliveries" })

export const RecoveredDeliveries = Schema.Struct({
  count: Schema.Int.annotate({ description: "How many deliveries are sent again." })
}).annotate({ identifier: "RecoveredDeliveries" })

export type RecoveredDeliveries = typeof RecoveredDeliveries.Type

export class DeliveryNotFound extends ApiError<DeliveryNotFound>()("DELIVERY_NOT_FOUND") {}
