import { ApiError } from "./ApiError.ts"

// What can be wrong with any request, whatever it asks for.
export class InvalidRequest extends ApiError<InvalidRequest>()("INVALID_REQUEST") {}
export class PayloadTooLarge extends ApiError<PayloadTooLarge>()("PAYLOAD_TOO_LARGE") {}
export class UnsupportedMediaType extends ApiError<UnsupportedMediaType>()("UNSUPPORTED_MEDIA_TYPE") {}
export class RouteNotFound extends ApiError<RouteNotFound>()("ROUTE_NOT_FOUND") {}
export class MethodNotAllowed extends ApiError<MethodNotAllowed>()("METHOD_NOT_ALLOWED") {}
export class RateLimited extends ApiError<RateLimited>()("RATE_LIMITED") {}
export class ServiceUnavailable extends ApiError<ServiceUnavailable>()("SERVICE_UNAVAILABLE") {}
export class Internal extends ApiError<Internal>()("INTERNAL") {}
