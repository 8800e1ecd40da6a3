import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { wire } from "../errors/ApiError.ts"
import {
  Internal,
  InvalidRequest,
  PayloadTooLarge,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../errors/RequestErrors.ts"

/** Refuses text that PostgreSQL cannot hold, and JSON that readers would take differently, before a body is decoded. */
export class TextCheck extends HttpApiMiddleware.Service<TextCheck>()("footnote/api/RequestChecks/TextCheck", {
  error: wire(InvalidRequest, UnsupportedMediaType)
}) {}

/** Query parameters of an endpoint that are written `name[key]=value`, with keys of the caller's own. */
export class PairParameters
  extends Context.Service<PairParameters, ReadonlyArray<string>>()("footnote/api/RequestChecks/PairParameters")
{}

/**
 * Refuses a query parameter that the endpoint does not have, an `Idempotency-Key` at a POST that takes none, and a body where
 * none is taken: a misspelt filter, a wish to be carried out once, or to have it otherwise, would be ignored in silence.
 */
export class ParameterCheck
  extends HttpApiMiddleware.Service<ParameterCheck>()("footnote/api/RequestChecks/ParameterCheck", {
    error: wire(InvalidRequest)
  })
{}

/** Turns what a request got wrong into the error envelope, on every endpoint. */
export class RequestDecoding extends HttpApiMiddleware.Service<RequestDecoding>()(
  "footnote/api/RequestChecks/RequestDecoding",
  { error: wire(InvalidRequest, PayloadTooLarge, UnsupportedMediaType, Internal, ServiceUnavailable) }
) {}
