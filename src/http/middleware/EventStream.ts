import { Duration, type Effect, Schedule, Stream } from "effect"
import { Sse } from "effect/encoding"
import { HttpServerResponse } from "effect/http"

// Proxies close what is silent for a minute.
const heartbeat = Stream.fromSchedule(Schedule.spaced(Duration.seconds(15))).pipe(Stream.map(() => ": still here\n\n"))

/** Told first: a browser's `EventSource` then comes back after 2 s wherever the stream breaks off or the service drains. */
const opening = Stream.succeed(
  Sse.encoder.write(new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined }))
)

/**
 * Events as `text/event-stream` (WHATWG HTML, 9.2), each with its id so that `Last-Event-ID` resumes after it, and a
 * comment every 15 s of silence or not. Ends with its events, or when `stop` succeeds.
 */
export const eventStream = <A extends { readonly id: number; readonly type: string }>(
  events: Stream.Stream<A>,
  stop: Effect.Effect<void>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    events.pipe(
      Stream.map((event) =>
        Sse.encoder.write({ _tag: "Event", id: String(event.id), event: event.type, data: JSON.stringify(event) })
      ),
      Stream.merge(heartbeat, { haltStrategy: "left" }),
      (stream) => Stream.concat(opening, stream),
      Stream.interruptWhen(stop),
      Stream.encodeText
    ),
    { contentType: "text/event-stream", headers: { "cache-control": "no-store", "x-accel-buffering": "no" } }
  )
