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

/** Turns what a request got wrong into the error envelope, on every endpoint. */
export class RequestDecoding extends HttpApiMiddleware.Service<RequestDecoding>()(
  "footnote/api/RequestChecks/RequestDecoding",
  { error: wire(InvalidRequest, PayloadTooLarge, UnsupportedMediaType, Internal, ServiceUnavailable) }
) {}
