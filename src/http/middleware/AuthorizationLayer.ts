import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest, HttpServerRespondable } from "effect/http"
import { Unauthenticated } from "../../api-keys/ApiKey.ts"
import { ApiKeys } from "../../api-keys/ApiKeys.ts"
import type { Pace } from "../../api-keys/SecretLookup.ts"
import { Sessions } from "../../api-keys/Sessions.ts"
import { Authorization, SessionRequired } from "../../api/Authorization.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { FailedAuth, fingerprintOf } from "../../rate-limits/FailedAuth.ts"
import { RateLimits } from "../../rate-limits/RateLimits.ts"
import { makeRecentCallers } from "../../rate-limits/RecentCallers.ts"
import { clientAddress, trustedProxies } from "../../web/server/ClientAddress.ts"
import { PublicAddress } from "../../web/server/PublicAddress.ts"
import { RequestInfo } from "../../web/server/RequestInfo.ts"
import { checkCsrf } from "./CsrfCheck.ts"
import { classOf } from "./RateLimitingLayer.ts"

export const unauthenticated = new Unauthenticated({ headers: { "www-authenticate": `Bearer realm="footnote"` } })

/** A caller's secret → its tenant. A caller that is over its limit is refused before the secret is looked up again. */
const makeGuard = Effect.gen(function*() {
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
  return Effect.fnUntraced(function*<A extends CurrentTenant["Service"]>(
    secret: string,
    authenticate: (pace: Pace) => Effect.Effect<A, Unauthenticated>
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (proxies.length === 0 && request.headers["x-forwarded-for"] !== undefined) yield* unnamedProxy
    // Nobody is asked and nothing counted: clients come like that to learn how to sign in.
    if (secret === "") return yield* unauthenticated
    const fingerprint = fingerprintOf(secret)
    const over = yield* recent.refused(fingerprint, classOf(request))
    if (over !== undefined) {
      yield* RequestInfo.setTenant(over.tenant_id)
      return yield* over.refusal
    }
    const address = clientAddress(request, proxies)
    const tenant = yield* failedAuth.guard(
      address,
      fingerprint,
      (pace) => Effect.mapError(authenticate(pace), () => unauthenticated)
    )
    yield* recent.remember(fingerprint, tenant.tenant_id)
    yield* RequestInfo.setTenant(tenant.tenant_id)
    return tenant
  })
})

/** A session's cookie → `CurrentTenant`, for requests that its own pages made. */
const makeBySession = Effect.gen(function*() {
  const sessions = yield* Sessions
  const { origins } = yield* PublicAddress
  const guard = yield* makeGuard
  return Effect.fnUntraced(function*(token: string) {
    const tenant = yield* guard(token, (pace) => sessions.authenticate(token, pace))
    yield* checkCsrf(yield* HttpServerRequest.HttpServerRequest, token, origins)
    return tenant
  })
})

/** Bearer key, or without one a session's cookie → `CurrentTenant`. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function*() {
    const keys = yield* ApiKeys
    const guard = yield* makeGuard
    const bySession = yield* makeBySession
    return Authorization.of({
      session: Effect.fnUntraced(function*(httpEffect, { credential }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const token = Redacted.value(credential)
        if (headers["authorization"] !== undefined || token === "") return yield* unauthenticated
        const tenant = yield* Effect.result(bySession(token))
        if (tenant._tag === "Success") return yield* Effect.provideService(httpEffect, CurrentTenant, tenant.success)
        // As a failure it would be made good by the next scheme's 401.
        return tenant.failure._tag === "UNAUTHENTICATED"
          ? yield* tenant.failure
          : yield* HttpServerRespondable.toResponse(tenant.failure)
      }),
      api_key: Effect.fnUntraced(function*(httpEffect, { credential }) {
        const tenant = yield* guard(Redacted.value(credential), (pace) => keys.authenticate(credential, pace))
        return yield* Effect.provideService(httpEffect, CurrentTenant, tenant)
      })
    })
  })
)

export const SessionRequiredLayer = Layer.effect(
  SessionRequired,
  Effect.gen(function*() {
    const bySession = yield* makeBySession
    return SessionRequired.of({
      session: Effect.fnUntraced(function*(httpEffect, { credential }) {
        return yield* Effect.provideService(httpEffect, CurrentTenant, yield* bySession(Redacted.value(credential)))
      })
    })
  })
)
