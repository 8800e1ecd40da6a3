import { Context, Effect, Fiber, Metric } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestInfo } from "./RequestInfo.ts"
import { splitTarget } from "./RequestTarget.ts"

/** Until a request is answered, in seconds, whatever it waits for: the database, its pool, the blob store. */
export const AnswerSeconds = Context.Reference<number>("footnote/web/server/RequestDeadline/AnswerSeconds", {
  defaultValue: () => 30
})

/** A body has as long again to arrive, as with the listener. */
const bodySeconds = 30

const late = Metric.counter("footnote_requests_late_total", {
  description: "Requests that were answered with 503 because their time was over.",
  incremental: true
})

/** An upload takes as long as its sender; what it waits for is bounded step by step. */
const isUpload = (method: string, path: string) =>
  (method === "POST" || method === "PATCH") && /^\/v1\/uploads(\/|$)/u.test(path)

/** In seconds; undefined for what has no time of its own. */
export const deadlineOf = (method: string, url: string, answer_seconds: number): number | undefined => {
  const { path, query } = splitTarget(url)
  if (isUpload(method, path)) return undefined
  if (method !== "GET" && method !== "HEAD") return answer_seconds + bodySeconds
  // What it may wait for is checked later; a number that is none is refused at once.
  const wait = query === "" ? 0 : Number(new URLSearchParams(query).get("wait") ?? 0)
  return answer_seconds + (wait > 0 && wait <= 60 ? wait : 0)
}

/** A timer of Node's own: those of one length are a list, where a clock's sleep would be two more fibers for each request. */
const after = (seconds: number, step: () => void) => {
  const timer = setTimeout(step, seconds * 1000)
  return () => clearTimeout(timer)
}

const tooLate = (seconds: number) =>
  Metric.update(late, 1).pipe(
    Effect.andThen(Effect.logWarning(`Not answered within ${seconds} s; the caller is told to come again`)),
    Effect.as(HttpServerResponse.empty({ status: 503 }))
  )

/** The router tells the matched route to the fiber that it runs in, until that ends; the log asks in the request's own. */
const tellingRoute = <A, E, R>(app: Effect.Effect<A, E, R>, parent: Fiber.Fiber<unknown, unknown>) =>
  Effect.onExit(app, () =>
    Effect.withFiber((fiber) => {
      const info = Context.getOrUndefined(parent.context, RequestInfo)
      const matched = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
      if (info !== undefined && matched !== undefined) info.route = matched.route.path
      return Effect.void
    }))

/**
 * Answers 503 when a request's time is over: nobody waits longer for an answer, though a database that accepts and never
 * answers may hold what is behind it. The work is told to stop and not waited for, because a statement that is on its way
 * cannot always be taken back; whether it was carried out is then unknown, as after a broken connection.
 */
export const withinDeadline = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>((parent) => {
      const { method, url } = Context.getUnsafe(parent.context, HttpServerRequest.HttpServerRequest)
      const seconds = deadlineOf(method, url, parent.getRef(AnswerSeconds))
      if (seconds === undefined) return restore(app)
      return Effect.flatMap(
        Effect.forkDetach(restore(tellingRoute(app, parent)), { startImmediately: true }),
        (fiber) => {
          const exit = fiber.pollUnsafe()
          // Answered without waiting for anything: no clock has to be set.
          if (exit !== undefined) return exit
          const answer = Effect.callback<HttpServerResponse.HttpServerResponse, E>((resume) => {
            const stop = after(seconds, () => {
              // First, because work that can be stopped ends at once, and its end would be taken for the answer.
              resume(tooLate(seconds))
              fiber.interruptUnsafe(parent.id)
            })
            const forget = fiber.addObserver((exit) => {
              stop()
              resume(exit)
            })
            return Effect.sync(() => {
              forget()
              stop()
            })
          })
          return Effect.onInterrupt(restore(answer), () => Fiber.interrupt(fiber))
        }
      )
    })
  )
