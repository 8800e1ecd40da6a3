import { Schema } from "effect"

/** What a destination can ask to be told of. */
export const EventKind = Schema.Literals(["job.succeeded", "job.failed", "job.cancelled", "batch.completed"]).annotate({
  identifier: "EventKind",
  message: "Expected job.succeeded, job.failed, job.cancelled or batch.completed"
})
export type EventKind = typeof EventKind.Type

/** What one that asks for nothing in particular is told of. */
export const defaultEvents: ReadonlyArray<EventKind> = ["job.succeeded"]
