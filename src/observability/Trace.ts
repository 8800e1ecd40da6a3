import { Effect, Option, References } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** The present span as a W3C `traceparent`, to be kept with what it causes; null where there is none. */
export const currentTraceparent: Effect.Effect<string | null> = Effect.currentParentSpan.pipe(
  Effect.map(({ sampled, spanId, traceId }) => `00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`),
  Effect.orElseSucceed(() => null)
)

/**
 * Work that goes on for as long as its process makes no spans: one around it never ends, and those of its polls (28 a second of an
 * idle deployment) would be one trace for ever. What it takes up begins its own by `continueTrace`.
 */
export const untraced = Effect.provideService(References.TracerEnabled, false)

/** Spans of this work belong to the trace that was kept; without one, or with one that cannot be read, to a new one. */
export const continueTrace =
  (traceparent: string | null) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(
      Option.match(traceparent === null ? Option.none() : HttpTraceContext.w3c(Headers.fromInput({ traceparent })), {
        onNone: () => work,
        onSome: (span) => Effect.withParentSpan(work, span)
      }),
      References.TracerEnabled,
      true
    )
