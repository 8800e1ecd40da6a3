import { Cause, Effect, ErrorReporter } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import {
  Internal,
  InvalidRequest,
  MethodNotAllowed,
  PayloadTooLarge,
  RouteNotFound,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../errors/RequestErrors.ts"
import type { RouteTable } from "./RouteTable.ts"

/** The database is away: refused, closed, shutting down or out of connections. Anything else it says is our defect. */
const isDatabaseAway = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => {
    const error = reason._tag === "Die" ? reason.defect : reason._tag === "Fail" ? reason.error : undefined
    if (!SqlError.isSqlError(error)) return false
    return error.reason._tag === "ConnectionError" || error.reason._tag === "AuthenticationError"
  })

const retrySoon = { "retry-after": "2" }

/** The error of the catalogue for a response that says nothing but its status. */
const fromStatus = (status: number, request: HttpServerRequest.HttpServerRequest, routes: RouteTable) => {
  switch (status) {
    case 400:
      return new InvalidRequest()
    case 404: {
      const methods = routes.methodsOf(request.url.split("?", 1)[0]!)
      // A path that is there for this very method was not decodable, such as a bad %-escape.
      return methods.length === 0 || methods.includes(request.method)
        ? new RouteNotFound()
        : new MethodNotAllowed({ headers: { allow: methods.join(", ") } })
    }
    case 413:
      return new PayloadTooLarge({ headers: { connection: "close" } })
    case 415:
      return new UnsupportedMediaType({ message: `${request.headers["content-type"]} is not taken here.` })
    case 503:
      return new ServiceUnavailable({ headers: retrySoon })
    default:
      return status >= 500 ? new Internal() : undefined
  }
}

const isBare = (response: HttpServerResponse.HttpServerResponse): boolean =>
  response.body._tag === "Empty" || response.headers["content-type"]?.startsWith("text/plain") === true

/**
 * Makes one envelope of whatever fails below the API: no route, wrong method, a body over the limit, the database away, a
 * defect. Effect answers these with an empty or plain-text response. A defect is logged and reported, and nothing of it is
 * shown. Done here, and not on the way out, so that the access log sees the status that was really sent.
 */
export const enveloped =
  (routes: RouteTable) => <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      app.pipe(
        Effect.catchCause((cause) => {
          // An interrupted request has nobody to answer.
          if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
          if (isDatabaseAway(cause)) {
            return Effect.logWarning("The database is away", cause).pipe(
              Effect.as(HttpServerResponse.empty({ status: 503 }))
            )
          }
          return Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
            response.status < 500
              ? Effect.succeed(response)
              : Effect.logError("Request failed", cause).pipe(
                Effect.andThen(ErrorReporter.report(cause)),
                Effect.as(response)
              ))
        }),
        Effect.flatMap((response) => {
          if (response.status < 400 || !isBare(response)) return Effect.succeed(response)
          const error = fromStatus(response.status, request, routes)
          return error === undefined ? Effect.succeed(response) : HttpServerRespondable.toResponse(error)
        })
      ))
