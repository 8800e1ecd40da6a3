import { Effect, Metric } from "effect"

const attempts = Metric.counter("footnote_delivery_attempts_total", {
  description: "Attempts at a destination, by its type and what came of them.",
  incremental: true
})
const seconds = Metric.histogram("footnote_delivery_attempt_seconds", {
  description: "Time of an attempt at a destination, by its type.",
  boundaries: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]
})

/** Counts one attempt. */
export const countAttempt = (type: string, outcome: string, duration_ms: number) =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(attempts, { type, outcome }), 1),
    Metric.update(Metric.withAttributes(seconds, { type }), duration_ms / 1000)
  )
