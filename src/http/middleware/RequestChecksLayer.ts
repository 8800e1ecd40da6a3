import { Cause, Context, Effect, ErrorReporter, Layer, Option, Schema, SchemaAST } from "effect"
import { HttpEffect, HttpMethod, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { PairParameters, ParameterCheck, RequestDecoding, TextCheck } from "../../api/RequestChecks.ts"
import { type ErrorDetail, isApiError } from "../../errors/ApiError.ts"
import { fieldErrors, parameterErrors, unexpectedMember } from "../../errors/FieldErrors.ts"
import { jsonPointer } from "../../errors/JsonPointer.ts"
import { Internal, InvalidRequest } from "../../errors/RequestErrors.ts"
import { bodyText, bodyTooLarge, jsonText, requirePlain } from "../../web/json/JsonBody.ts"
import { nulParameters, textProblems } from "../../web/json/StorableText.ts"
import { unknownParameters } from "../../web/server/QueryParameters.ts"
import { parametersOf } from "../../web/server/RequestTarget.ts"

export const TextCheckLayer = Layer.succeed(TextCheck, (httpEffect) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const held = nulParameters(parametersOf(request.url))
    if (held.length > 0) return yield* new InvalidRequest({ details: held })
    if (!HttpMethod.hasBody(request.method)) return yield* httpEffect
    yield* requirePlain(request)
    // In whichever case it is written (RFC 9110, 8.3.1): what decodes the body asks so too.
    if ((request.headers["content-type"] ?? "application/json").toLowerCase().includes("json")) {
      const text = yield* jsonText(request)
      const details = textProblems(text)
      if (details.length > 0) return yield* new InvalidRequest({ details })
      // No body is decoded as null where one may be left out; whoever writes null has sent one, which no route takes.
      if (text.trim() === "null") {
        return yield* new InvalidRequest({ details: [{ path: "", message: "Expected an object" }] })
      }
    }
    return yield* httpEffect
  }))

/** The names of what an endpoint's description says is in this part of a request. */
const namesIn = (part: Schema.Top | undefined): ReadonlyArray<string> => {
  const ast = part === undefined ? undefined : Schema.toEncoded(part).ast
  return ast !== undefined && SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

/** The names of what is a number in a query. */
const numbersIn = (query: Schema.Top | undefined): ReadonlyArray<string> => {
  const ast = query === undefined ? undefined : Schema.toType(query).ast
  return ast !== undefined && SchemaAST.isObjects(ast)
    ? ast.propertySignatures.filter(({ type }) => SchemaAST.isNumber(type)).map(({ name }) => String(name))
    : []
}

/** What the decoder would take for a number and JSON would not: a plus sign, a bare point; and an exponent, which nobody means. */
const unusualNumber = /^[+-]?[\d.]+(e[+-]?\d+)?$/iu
const plainNumber = /^-?\d+(\.\d+)?$/u

const numberProblems = (parameters: URLSearchParams, names: ReadonlyArray<string>): ReadonlyArray<ErrorDetail> =>
  names.filter((name) => parameters.getAll(name).some((text) => unusualNumber.test(text) && !plainNumber.test(text)))
    .map((path) => ({ path, message: "Expected a number in digits, without a plus sign or an exponent" }))

interface Taken {
  readonly body: boolean
  readonly numbers: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<string>
  readonly idempotencyKey: boolean
}

/** What an endpoint takes beside its body, read off its own description once. */
const takenBy = (endpoint: HttpApiEndpoint.Top): Taken => {
  const known = taken.get(endpoint)
  if (known !== undefined) return known
  const read = {
    body: endpoint.payload.size > 0,
    numbers: numbersIn(endpoint.query),
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

/** What is wrong with the body of a route that takes none: it may be left out or be an object without members. */
const bodyProblems = (text: string): ReadonlyArray<ErrorDetail> => {
  if (text.trim() === "") return []
  const none = [{ path: "", message: "This route takes no body" }]
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== "object" || body === null || Array.isArray(body)) return none
    return Object.keys(body).slice(0, 100).map((name) => ({ path: jsonPointer([name]), message: unexpectedMember }))
  } catch {
    return none
  }
}

/** Whether its headers announce a body (RFC 9112, 6.3). */
const announcesBody = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  HttpMethod.hasBody(method)
  && (headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0")

export const ParameterCheckLayer = Layer.succeed(ParameterCheck, (httpEffect, { endpoint }) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers, url } = request
    const { body, idempotencyKey, numbers, parameters } = takenBy(endpoint)
    const pairs = Option.getOrElse(
      Context.getOption(endpoint.annotations, PairParameters),
      (): ReadonlyArray<string> => []
    )
    const unknown = unknownParameters(url, parameters, pairs)
    const details = [
      ...unknown,
      ...numberProblems(parametersOf(url), numbers),
      ...(idempotencyKey || headers[keyHeader] === undefined ? [] : [noKeys]),
      ...(body || !announcesBody(request) ? [] : bodyProblems(yield* bodyText(request)))
    ]
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
      const searchParams = parametersOf(url)
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
