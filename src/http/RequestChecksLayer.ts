import { Cause, Effect, ErrorReporter, Layer } from "effect"
import { HttpEffect, HttpMethod, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { RequestDecoding, TextCheck } from "../api/RequestChecks.ts"
import { isApiError } from "../errors/ApiError.ts"
import { fieldErrors } from "../errors/FieldErrors.ts"
import { Internal, InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "../errors/RequestErrors.ts"
import { textProblems } from "./StorableText.ts"

/** A body of JSON is at most 1 MiB: who needs longer for it holds a connection, and nothing else, for its own sake. */
const bodySeconds = 30
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/iu
const utf8 = new TextDecoder("utf-8", { fatal: true })

const invalid = (message: string, headers: Readonly<Record<string, string>> = {}) =>
  new InvalidRequest({ details: [{ path: "", message }], headers })

/** The body as text: UTF-8 and nothing else, which `request.text` would mend in silence. */
const bodyText = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const bytes = yield* Effect.orDie(request.arrayBuffer).pipe(
    Effect.timeoutOrElse({
      duration: `${bodySeconds} seconds`,
      orElse: () => Effect.fail(invalid(`The body did not arrive within ${bodySeconds} s`, { connection: "close" }))
    })
  )
  return yield* Effect.try({ try: () => utf8.decode(bytes), catch: () => invalid("The body is not UTF-8") })
})

export const TextCheckLayer = Layer.succeed(TextCheck, (httpEffect) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const [, query = ""] = request.url.split("?", 2)
    if (/%00/u.test(query)) return yield* invalid("A parameter holds a NUL character")
    if (!HttpMethod.hasBody(request.method)) return yield* httpEffect
    const encoding = request.headers["content-encoding"] ?? "identity"
    if (encoding.toLowerCase() !== "identity") {
      return yield* new UnsupportedMediaType({ message: "Send the body without Content-Encoding." })
    }
    const type = request.headers["content-type"] ?? "application/json"
    if (type.includes("json")) {
      const named = charset.exec(type)?.[1]?.toLowerCase() ?? "utf-8"
      if (named !== "utf-8" && named !== "utf8") {
        return yield* new UnsupportedMediaType({ message: "Send JSON in UTF-8." })
      }
      const details = textProblems(yield* bodyText(request))
      if (details.length > 0) return yield* new InvalidRequest({ details })
    }
    return yield* httpEffect
  }))

/**
 * A request that does not decode answers `INVALID_REQUEST` with every wrong field; an answer of ours that does not encode is
 * reported and answers `INTERNAL`. Headers of an error that an endpoint declares are put on the response here, because a
 * declared error is encoded by its schema, which knows a body only.
 */
export const RequestDecodingLayer = Layer.succeed(RequestDecoding, (httpEffect) =>
  httpEffect.pipe(
    Effect.catch(Effect.fnUntraced(function*(error) {
      if (HttpApiError.HttpApiPayloadTooLarge.is(error)) return yield* new PayloadTooLarge()
      if (!HttpApiError.HttpApiSchemaError.is(error)) return yield* Effect.fail(error)
      if (error.kind === "Body" || error.kind === "ResponseHeaders") {
        yield* Effect.logError("An answer does not fit the contract", error.cause)
        yield* ErrorReporter.report(Cause.fail(error))
        return yield* new Internal()
      }
      return yield* new InvalidRequest({ details: fieldErrors(error.cause) })
    })),
    Effect.tapError((error) =>
      isApiError(error) && error.headers !== undefined
        ? HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, error.headers ?? {}))
        )
        : Effect.void
    )
  ))
