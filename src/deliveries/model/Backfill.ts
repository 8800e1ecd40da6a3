import { Schema } from "effect"
import { instantParameter } from "../../database/Instant.ts"

/** How many jobs one request queues deliveries of. */
export const backfillLimits = { jobs: 10_000 } as const

/** The body of `POST /v1/destinations/{id}/backfill`. */
export const BackfillDestination = Schema.Struct({
  finished_after: Schema.optionalKey(instantParameter("Jobs that ended at this moment or later.")),
  finished_before: Schema.optionalKey(instantParameter("Jobs that ended before this moment, not at it."))
}).annotate({ identifier: "BackfillDestination" })
export type BackfillDestination = typeof BackfillDestination.Type

export const BackfilledDestination = Schema.Struct({
  count: Schema.Int.annotate({ description: "How many deliveries were queued." }),
  more: Schema.Boolean.annotate({
    description: "Whether there are more jobs than one request takes: send it again, and it goes on after these."
  })
}).annotate({ identifier: "BackfilledDestination" })
export type BackfilledDestination = typeof BackfilledDestination.Type
