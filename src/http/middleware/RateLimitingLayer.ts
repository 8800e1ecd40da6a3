import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { RateLimiting } from "../../api/RateLimiting.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import type { RequestClass } from "../../rate-limits/RateLimitOptions.ts"
import { rateLimitHeaders, RateLimits } from "../../rate-limits/RateLimits.ts"
import { RequestInfo } from "../../web/server/RequestInfo.ts"

const uploads = /^\/v1\/uploads(\/|\?|$)/u

/** What a request is counted as. */
export const classOf = ({ method, url }: HttpServerRequest.HttpServerRequest): RequestClass =>
  method === "GET" || method === "HEAD" || method === "OPTIONS"
    ? "reads"
    : uploads.test(url)
    ? "uploads"
    : "writes"

export const RateLimitingLayer = Layer.effect(
  RateLimiting,
  Effect.gen(function*() {
    const limits = yield* RateLimits
    return RateLimiting.of((httpEffect) =>
      Effect.gen(function*() {
        const { tenant_id } = yield* CurrentTenant
        const standing = yield* limits.take(tenant_id, classOf(yield* HttpServerRequest.HttpServerRequest))
        if (standing !== undefined) yield* RequestInfo.setHeaders(rateLimitHeaders(standing))
        return yield* httpEffect
      })
    )
  })
)
