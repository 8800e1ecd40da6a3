import { Cause, Context, Effect, ErrorReporter, Layer, Option, Schema, SchemaAST } from "effect"
import { HttpEffect, HttpMethod, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { PairParameters, ParameterCheck, RequestDecoding, TextCheck } from "../../api/RequestChecks.ts"
import { type ErrorDetail, isApiError } from "../../errors/ApiError.ts"
import { fieldErrors, parameterErrors } from "../../errors/FieldErrors.ts"
import { Internal, InvalidRequest } from "../../errors/RequestErrors.ts"
import { bodyTooLarge, jsonText, requirePlain } from "../../web/json/JsonBody.ts"
import { textProblems } from "../../web/json/StorableText.ts"
import { unknownParameters } from "../../web/server/QueryParameters.ts"

export const TextCheckLayer = Layer.succeed(TextCheck, (httpEffect) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    // All behind the first "?": a second one is a character of a value.
    const query = request.url.indexOf("?")
    if (query >= 0 && request.url.includes("%00", query)) {
      return yield* new InvalidRequest({ details: [{ path: "", message: "A parameter holds a NUL character" }] })
    }
    if (!HttpMethod.hasBody(request.method)) return yield* httpEffect
    yield* requirePlain(request)
    // In whichever case it is written (RFC 9110, 8.3.1): what decodes the body asks so too.
    if ((request.headers["content-type"] ?? "application/json").toLowerCase().includes("json")) {
      const details = textProblems(yield* jsonText(request))
      if (details.length > 0) return yield* new InvalidRequest({ details })
    }
    return yield* httpEffect
  }))

/** The names of what an endpoint's description says is in this part of a request. */
const namesIn = (part: Schema.Top | undefined): ReadonlyArray<string> => {
  const ast = part === undefined ? undefined : Schema.toEncoded(part).ast
  return ast !== undefined && SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

interface Taken {
  readonly parameters: ReadonlyArray<string>
  readonly idempotencyKey: boolean
}

/** What an endpoint takes beside its body, read off its own description once. */
const takenBy = (endpoint: HttpApiEndpoint.Top): Taken => {
  const known = taken.get(endpoint)
  if (known !== undefined) return known
  const read = {
    parameters: namesIn(endpoint.query),
    // What is no POST is idempotent by its method (RFC 9110, 9.2.2), or, as a piece of an upload, by its offset.
    idempotencyKey: endpoint.method !== "POST" || namesIn(endpoint.headers).includes(keyHeader)
  }
  taken.set(endpoint, read)
  return read
}
const taken = new WeakMap<HttpApiEndpoint.Top, Taken>()
const keyHeader = "idempotency-key"

const noKeys: ErrorDetail = {
  path: keyHeader,
  message: "This route takes no Idempotency-Key: sent again, it is carried out again"
}

export const ParameterCheckLayer = Layer.succeed(ParameterCheck, (httpEffect, { endpoint }) =>
  Effect.gen(function*() {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const { idempotencyKey, parameters } = takenBy(endpoint)
    const pairs = Option.getOrElse(
      Context.getOption(endpoint.annotations, PairParameters),
      (): ReadonlyArray<string> => []
    )
    const unknown = unknownParameters(url, parameters, pairs)
    const details = idempotencyKey || headers[keyHeader] === undefined ? unknown : [...unknown, noKeys]
    return details.length === 0 ? yield* httpEffect : yield* new InvalidRequest({ details })
  }))

/**
 * A request that does not decode answers `INVALID_REQUEST` with every wrong field; an answer of ours that does not encode is
 * reported and answers `INTERNAL`. Headers of an error that an endpoint declares are put on the response here, because a
 * declared error is encoded by its schema, which knows a body only.
 */
export const RequestDecodingLayer = Layer.succeed(RequestDecoding, (httpEffect) =>
  httpEffect.pipe(
    Effect.catch(Effect.fnUntraced(function*(error) {
      if (HttpApiError.HttpApiPayloadTooLarge.is(error)) return yield* bodyTooLarge()
      if (!HttpApiError.HttpApiSchemaError.is(error)) return yield* Effect.fail(error)
      if (error.kind === "Body" || error.kind === "ResponseHeaders") {
        yield* Effect.logError("An answer does not fit the contract; the request is answered 500", error.cause)
        yield* ErrorReporter.report(Cause.fail(error))
        return yield* new Internal()
      }
      if (error.kind === "Payload") return yield* new InvalidRequest({ details: fieldErrors(error.cause) })
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const { searchParams } = new URL(url, "http://localhost")
      const given = error.kind === "Query" ? (name: string) => searchParams.getAll(name) : undefined
      return yield* new InvalidRequest({ details: parameterErrors(error.cause, given) })
    })),
    Effect.tapError((error) =>
      isApiError(error) && error.headers !== undefined
        ? HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, error.headers ?? {}))
        )
        : Effect.void
    )
  ))
