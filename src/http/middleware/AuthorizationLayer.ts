import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Unauthenticated } from "../../api-keys/ApiKey.ts"
import { ApiKeys } from "../../api-keys/ApiKeys.ts"
import type { Pace } from "../../api-keys/KeyLookup.ts"
import { Authorization } from "../../api/Authorization.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { FailedAuth } from "../../rate-limits/FailedAuth.ts"
import { RateLimits } from "../../rate-limits/RateLimits.ts"
import { makeRecentCallers } from "../../rate-limits/RecentCallers.ts"
import { clientAddress, trustedProxies } from "../../web/server/ClientAddress.ts"
import { RequestInfo } from "../../web/server/RequestInfo.ts"
import { classOf } from "./RateLimitingLayer.ts"

export const unauthenticated = new Unauthenticated({ headers: { "www-authenticate": `Bearer realm="footnote"` } })

/** Bearer key → `CurrentTenant`. A caller that is over its limit is refused before its key is looked up again. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function*() {
    const keys = yield* ApiKeys
    const failedAuth = yield* FailedAuth
    const recent = makeRecentCallers(yield* RateLimits)
    const proxies = yield* trustedProxies
    let told = false
    const unnamedProxy = Effect.suspend(() => {
      if (told) return Effect.void
      told = true
      return Effect.logWarning(
        "A request came with X-Forwarded-For, and TRUST_PROXY names no proxy: if one stands before the service, limits by "
          + "address count all its callers as one. Set TRUST_PROXY to its addresses."
      )
    })
    return Authorization.of({
      api_key: Effect.fnUntraced(function*(httpEffect, { credential }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const secret = Redacted.value(credential)
        const over = yield* recent.refused(secret, classOf(request))
        if (over !== undefined) {
          yield* RequestInfo.setTenant(over.tenant_id)
          return yield* over.refusal
        }
        const address = clientAddress(request, proxies)
        if (proxies.length === 0 && request.headers["x-forwarded-for"] !== undefined) yield* unnamedProxy
        const authenticate = (pace: Pace) => Effect.mapError(keys.authenticate(credential, pace), () => unauthenticated)
        const tenant = yield* failedAuth.guard(address, secret, authenticate)
        yield* recent.remember(secret, tenant.tenant_id)
        yield* RequestInfo.setTenant(tenant.tenant_id)
        return yield* Effect.provideService(httpEffect, CurrentTenant, tenant)
      })
    })
  })
)
