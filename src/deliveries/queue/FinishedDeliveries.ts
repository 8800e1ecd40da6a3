import { Effect, Metric } from "effect"

const finished = Metric.counter("footnote_deliveries_finished_total", {
  description: "Deliveries that are over: `succeeded`, or `failed` where no attempt is left.",
  incremental: true
})

export const countFinished = (status: "succeeded" | "failed") =>
  Metric.update(Metric.withAttributes(finished, { status }), 1)

/** The one line by which an operator learns that an event did not reach its receiver; with the ids and the last error beside it. */
export const logGivenUp = Effect.logWarning(
  "A delivery is given up; its owner can send it again (POST /v1/deliveries/{id}/retry, or …/recover of the destination)"
)
