import { Cause, Effect, ErrorReporter, Layer, type Schema, SchemaIssue } from "effect"
import { HttpEffect, HttpMethod, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { RequestDecoding, TextCheck } from "../api/RequestChecks.ts"
import { type ErrorDetail, isApiError } from "../errors/ApiError.ts"
import { Internal, InvalidRequest, PayloadTooLarge } from "../errors/RequestErrors.ts"
import { textProblems } from "./StorableText.ts"

export const TextCheckLayer = Layer.succeed(TextCheck, (httpEffect) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const [, query = ""] = request.url.split("?", 2)
    if (/%00/u.test(query)) {
      return yield* new InvalidRequest({ details: [{ path: "", message: "A parameter holds a NUL character" }] })
    }
    const type = request.headers["content-type"] ?? "application/json"
    if (HttpMethod.hasBody(request.method) && type.includes("json")) {
      const details = textProblems(yield* Effect.orDie(request.text))
      if (details.length > 0) return yield* new InvalidRequest({ details })
    }
    return yield* httpEffect
  }))

const issues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "Is required"
      case "UnexpectedKey":
        return "Is not a field of this request"
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** Every field that is wrong, by its path in the body or by its parameter's name. */
const details = (error: Schema.SchemaError): ReadonlyArray<ErrorDetail> =>
  issues(error.issue).issues.slice(0, 100).map(({ message, path = [] }) => ({
    path: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
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
      return yield* new InvalidRequest({ details: details(error.cause) })
    })),
    Effect.tapError((error) =>
      isApiError(error) && error.headers !== undefined
        ? HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, error.headers ?? {}))
        )
        : Effect.void
    )
  ))
