import { Effect, Option } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** The present span as a W3C `traceparent`, to be kept with what it causes; null where there is none. */
export const currentTraceparent: Effect.Effect<string | null> = Effect.currentParentSpan.pipe(
  Effect.map(({ sampled, spanId, traceId }) => `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`),
  Effect.orElseSucceed(() => null)
)

/** Spans of this work belong to the trace that was kept; without one, or with one that cannot be read, to a new one. */
export const continueTrace =
  (traceparent: string | null) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Option.match(traceparent === null ? Option.none() : HttpTraceContext.w3c(Headers.fromInput({ traceparent })), {
      onNone: () => work,
      onSome: (span) => Effect.withParentSpan(work, span)
    })
