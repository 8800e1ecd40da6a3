import { Clock, Context, Effect, Exit, Metric, Option, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { RequestId } from "../../errors/RequestId.ts"
import { publicUrl } from "../../processes/ServiceAddress.ts"
import { Draining } from "./Draining.ts"
import type { RawAnswer } from "./RawAnswer.ts"
import { makeRefusalLog } from "./RefusalLog.ts"
import { RequestInfo } from "./RequestInfo.ts"
import { splitTarget } from "./RequestTarget.ts"
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

const sane = /^[\w.:-]{1,128}$/u

/** The caller's own id where it sent one fit for logs, else a fresh one. */
const requestId = (request: HttpServerRequest.HttpServerRequest): string => {
  const given = request.headers["x-request-id"]
  return given !== undefined && sane.test(given) ? given : `req_${randomUUID()}`
}

/** Without the query, and of a link to a result or to media without what opens it. */
const loggedPath = (url: string): string => splitTarget(url).path.replace(/^\/([sm])\/.*/u, "/$1/…")

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

/** What is counted of a request, one object for each set of labels: there are as many as routes and statuses. */
const makeCounts = () => {
  const counted = new Map<string, Metric.Counter<number>>()
  const timed = new Map<string, Metric.Histogram<number>>()
  return {
    requests: (labels: { readonly method: string; readonly route: string; readonly status: string }) => {
      const name = `${labels.method} ${labels.status} ${labels.route}`
      const known = counted.get(name) ?? Metric.withAttributes(requests, labels)
      counted.set(name, known)
      return known
    },
    seconds: (route: string) => {
      const known = timed.get(route) ?? Metric.withAttributes(seconds, { route })
      timed.set(route, known)
      return known
    }
  }
}

/**
 * One id on the response, on every log line and span; one access-log line, also where the client left, but for refusals of a
 * tenant over its limit, which share one; counts and times by
 * the route's pattern, never its path, because labels must not grow with ids. Beside it, what every answer carries: the
 * security headers, and while draining the end of its connection.
 */
export const makeLogged = Effect.gen(function*() {
  const { isDraining } = yield* Draining
  const refusals = yield* makeRefusalLog
  const counts = makeCounts()
  const security = securityHeaders(Option.exists(yield* publicUrl, (url) => url.protocol === "https:"))

  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>((fiber) => {
      const { context } = fiber
      const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      const clock = fiber.getRef(Clock.Clock)
      const request_id = requestId(request)
      const info: RequestInfo["Service"] = { tenant_id: undefined, route: undefined, headers: {} }
      const started = clock.currentTimeMillisUnsafe()
      const before = fiber.getRef(References.CurrentLogAnnotations)
      // Set and not provided: that would copy all the services there are for each request, and whoever serves it restores its own.
      fiber.setContext(context.pipe(
        Context.add(RequestInfo, info),
        Context.add(RequestId, request_id),
        Context.add(References.CurrentLogAnnotations, { ...before, request_id })
      ))
      active.updateUnsafe(++running, context)

      const report = (status: string): Effect.Effect<void> => {
        active.updateUnsafe(--running, context)
        const ms = clock.currentTimeMillisUnsafe() - started
        const matched = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
        const route = info.route ?? matched?.route.path ?? "unmatched"
        const { tenant_id } = info
        const labels = { method: request.method, route, status }
        counts.requests(labels).updateUnsafe(1, context)
        counts.seconds(route).updateUnsafe(ms / 1000, context)
        if (status === "429" && tenant_id !== undefined && !refusals.isFirst(tenant_id)) return Effect.void
        const path = loggedPath(request.url)
        return Effect.provideService(Effect.logInfo("request"), References.CurrentLogAnnotations, {
          ...before,
          request_id,
          ...labels,
          path,
          ms,
          ...(tenant_id === undefined ? {} : { tenant_id })
        })
      }
      const answered = (response: HttpServerResponse.HttpServerResponse) => {
        const headers = Object.assign(missingHeaders(security, response), info.headers)
        headers["x-request-id"] = request_id
        if (isDraining()) headers["connection"] = "close"
        return HttpServerResponse.setHeaders(response, headers)
      }
      return app.pipe(
        Effect.onExit((exit) =>
          Exit.isSuccess(exit)
            ? report(String(exit.value.status))
            : Exit.hasInterrupts(exit)
            ? report("aborted")
            : Effect.sync(() => active.updateUnsafe(--running, context))
        ),
        Effect.map(answered),
        Effect.tap(Effect.annotateCurrentSpan("footnote.request_id", request_id))
      )
    })
})
