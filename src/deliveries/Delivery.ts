import { Schema } from "effect"
import { Instant } from "../database/Instant.ts"

export const DeliveryStatus = Schema.Literals(["pending", "delivering", "succeeded", "failed", "cancelled"]).annotate({
  identifier: "DeliveryStatus"
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

/** `destination_id` is null for the `webhook_url` of a job. */
export const Delivery = Schema.Struct({
  id: Schema.String.annotate({ description: "Form `dlv_<id>`." }),
  job_id: Schema.String,
  destination_id: Schema.NullOr(Schema.String),
  destination_type: Schema.Literals(["webhook", "slack", "notion", "sheets", "snowflake"]),
  event_id: Schema.String.annotate({ description: "The `webhook-id` header; the same on every attempt." }),
  status: DeliveryStatus,
  attempts: Schema.Array(DeliveryAttempt),
  next_attempt_at: Schema.NullOr(Instant),
  created_at: Instant,
  finished_at: Schema.NullOr(Instant)
}).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type
