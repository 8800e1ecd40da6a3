import { Clock, Effect, Metric, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { RequestId } from "../../errors/RequestId.ts"
import { publicUrl } from "../../processes/ServiceAddress.ts"
import { Draining } from "./Draining.ts"
import type { RawAnswer } from "./RawAnswer.ts"
import { makeRefusalLog } from "./RefusalLog.ts"
import { RequestInfo } from "./RequestInfo.ts"
import { missingHeaders, securityHeaders } from "./SecurityHeaders.ts"

const requests = Metric.counter("footnote_http_requests_total", {
  description: "Requests by method, route and status.",
  incremental: true
})
const seconds = Metric.histogram("footnote_http_request_seconds", {
  description: "Time until the response was ready to send, by route.",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

const active = Metric.gauge("footnote_http_requests_active", {
  description: "Requests whose response is not ready yet, this one included."
})
let running = 0
const count = (step: 1 | -1) => Effect.suspend(() => Metric.update(active, running += step))

const sane = /^[\w.:-]{1,128}$/u

/** The caller's own id where it sent one fit for logs, else a fresh one. */
const requestId = (request: HttpServerRequest.HttpServerRequest): string => {
  const given = request.headers["x-request-id"]
  return given !== undefined && sane.test(given) ? given : `req_${randomUUID()}`
}

/** Without the query, and of a link to a result or to media without what opens it. */
const loggedPath = (url: string): string => url.split("?", 1)[0]!.replace(/^\/([sm])\/.*/u, "/$1/…")

/** As `logged`, for what never became a request. */
export const reportRefusal = ({ request_id, status }: RawAnswer, reason: string) =>
  Effect.logInfo("refused").pipe(
    Effect.annotateLogs({ request_id, status: String(status), reason }),
    Effect.andThen(
      Metric.update(
        Metric.withAttributes(requests, { method: "none", route: "unparsed", status: String(status) }),
        1
      )
    )
  )

/**
 * One id on the response, on every log line and span; one access-log line, also where the client left, but for refusals of a
 * tenant over its limit, which share one; counts and times by
 * the route's pattern, never its path, because labels must not grow with ids. Beside it, what every answer carries: the
 * security headers, and while draining the end of its connection.
 */
export const makeLogged = Effect.gen(function*() {
  const { isDraining } = yield* Draining
  const refusals = yield* makeRefusalLog
  const security = securityHeaders(Option.exists(yield* publicUrl, (url) => url.protocol === "https:"))

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const id = requestId(request)
      const info: RequestInfo["Service"] = { tenant_id: undefined, route: undefined, headers: {} }
      const started = yield* Clock.currentTimeMillis
      const report = Effect.fnUntraced(function*(status: string) {
        const elapsed = (yield* Clock.currentTimeMillis) - started
        const matched = Option.getOrUndefined(yield* Effect.serviceOption(HttpRouter.RouteContext))
        const route = info.route ?? matched?.route.path ?? "unmatched"
        const labels = { method: request.method, route, status }
        yield* Metric.update(Metric.withAttributes(requests, labels), 1)
        yield* Metric.update(Metric.withAttributes(seconds, { route }), elapsed / 1000)
        if (status === "429" && info.tenant_id !== undefined && !refusals.isFirst(info.tenant_id)) return
        yield* Effect.logInfo("request").pipe(Effect.annotateLogs({
          ...labels,
          path: loggedPath(request.url),
          ms: elapsed,
          ...(info.tenant_id === undefined ? {} : { tenant_id: info.tenant_id })
        }))
      })
      yield* count(1)
      return yield* app.pipe(
        Effect.tap((response) => report(String(response.status))),
        Effect.onInterrupt(() => report("aborted")),
        Effect.ensuring(count(-1)),
        Effect.map((response) =>
          HttpServerResponse.setHeaders(response, {
            ...missingHeaders(security, response),
            ...info.headers,
            "x-request-id": id,
            ...(isDraining() ? { connection: "close" } : {})
          })
        ),
        Effect.provideService(RequestInfo, info),
        Effect.provideService(RequestId, id),
        Effect.annotateLogs("request_id", id),
        Effect.tap(Effect.annotateCurrentSpan("footnote.request_id", id))
      )
    })
})
