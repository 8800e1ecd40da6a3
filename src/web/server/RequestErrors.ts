import { Cause, Effect, ErrorReporter } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import type { IncomingMessage } from "node:http"
import { listed } from "../../errors/FieldErrors.ts"
import {
  Internal,
  InvalidRequest,
  MethodNotAllowed,
  RouteNotFound,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../errors/RequestErrors.ts"
import { missingIn } from "../../errors/ServiceAway.ts"
import { bodyTooLarge } from "../json/JsonBody.ts"
import { withinDeadline } from "./RequestDeadline.ts"
import { splitTarget } from "./RequestTarget.ts"
import type { RouteTable } from "./RouteTable.ts"

/** Of every answer while something that we stand on is away. */
export const retrySoon = { "retry-after": "2" }

/** The error of the catalogue for a response that says nothing but its status. */
const fromStatus = (status: number, request: HttpServerRequest.HttpServerRequest, routes: RouteTable) => {
  switch (status) {
    case 400:
      return new InvalidRequest()
    case 404: {
      const methods = routes.methodsOf(splitTarget(request.url).path)
      // A path that is there for this very method was not decodable, such as a bad %-escape.
      return methods.length === 0 || methods.includes(request.method)
        ? new RouteNotFound()
        : new MethodNotAllowed({ headers: { allow: methods.join(", ") } })
    }
    case 413:
      return bodyTooLarge({ connection: "close" })
    case 415:
      return new UnsupportedMediaType({
        message: unsupported(
          request.headers["content-type"],
          routes.mediaTypesOf(request.method, splitTarget(request.url).path)
        )
      })
    case 503:
      return new ServiceUnavailable({ headers: retrySoon })
    default:
      return status >= 500 ? new Internal() : undefined
  }
}

const unsupported = (type: string | undefined, taken: ReadonlyArray<string>): string => {
  const expected = taken.length === 0 ? "" : `Content-Type ${listed(taken)}`
  if (type === undefined || type === "") return `Send a ${expected === "" ? "Content-Type" : expected}.`
  return `${type.slice(0, 100)} is not taken here${expected === "" ? "" : `; send ${expected}`}.`
}

/** `OPTIONS` says what a path takes (RFC 9110, 9.3.7), and nothing of CORS: pages from elsewhere are not let in. */
const optionsOf = (request: HttpServerRequest.HttpServerRequest, routes: RouteTable) => {
  if (request.method !== "OPTIONS") return undefined
  const allow = request.url === "*" ? ["GET", "HEAD", "POST", "DELETE", "OPTIONS"] : routes.methodsOf(
    splitTarget(request.url).path
  )
  return allow.length === 0
    ? undefined
    : HttpServerResponse.empty({ status: 204, headers: { allow: allow.join(", ") } })
}

const isBare = (response: HttpServerResponse.HttpServerResponse): boolean =>
  response.body._tag === "Empty" || response.headers["content-type"]?.startsWith("text/plain") === true

/** What Node's parser lets through; its own refusal of a missing Host would be an empty one (RFC 9112, 3.2). */
const malformed = ({ headers, source, url }: HttpServerRequest.HttpServerRequest): string | undefined => {
  if (headers["host"] === undefined && (source as IncomingMessage).httpVersion === "1.1") return "Send a Host header."
  const coding = headers["transfer-encoding"]
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return "Of Transfer-Encoding only chunked is known."
  return url.startsWith("/") || url === "*" ? undefined : "The request target is no path and no address."
}

/**
 * Makes one envelope of whatever fails below the API: no route, wrong method, a body over the limit, the database, the blob
 * store or room on the disk away, a request whose time is over, a defect. Effect answers these with an empty or plain-text response. A defect is logged and reported, and nothing of it is
 * shown. Done here, and not on the way out, so that the access log sees the status that was really sent.
 */
export const enveloped =
  (routes: RouteTable) => <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const message = malformed(request)
      if (message !== undefined) return yield* HttpServerRespondable.toResponse(new InvalidRequest({ message }))
      const response = yield* withinDeadline(app).pipe(
        Effect.catchCause((cause) => {
          // An interrupted request has nobody to answer.
          if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
          const missing = missingIn(cause)
          if (missing !== undefined) {
            return Effect.logWarning(`${missing} is away; the request is answered 503`, cause).pipe(
              Effect.as(HttpServerResponse.empty({ status: 503 }))
            )
          }
          return Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
            response.status < 500
              ? Effect.succeed(response)
              : Effect.logError("A request failed; it is answered 500", cause).pipe(
                Effect.andThen(ErrorReporter.report(cause)),
                Effect.as(response)
              ))
        })
      )
      if (response.status < 400 || !isBare(response)) return response
      const options = response.status === 404 ? optionsOf(request, routes) : undefined
      if (options !== undefined) return options
      const error = fromStatus(response.status, request, routes)
      return error === undefined ? response : yield* HttpServerRespondable.toResponse(error)
    })
