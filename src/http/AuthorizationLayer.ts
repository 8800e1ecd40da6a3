import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Unauthenticated } from "../api-keys/ApiKey.ts"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { Authorization } from "../api/Authorization.ts"
import { FailedAuth } from "../rate-limits/FailedAuth.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { clientAddress, trustedProxies } from "./ClientAddress.ts"
import { RequestInfo } from "./RequestInfo.ts"

/** Bearer key → `CurrentTenant`. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function*() {
    const keys = yield* ApiKeys
    const failedAuth = yield* FailedAuth
    const proxies = yield* trustedProxies
    return Authorization.of({
      api_key: Effect.fnUntraced(function*(httpEffect, { credential }) {
        const address = clientAddress(yield* HttpServerRequest.HttpServerRequest, proxies)
        const authenticate = Effect.mapError(
          keys.authenticate(credential),
          () => new Unauthenticated({ headers: { "www-authenticate": `Bearer realm="footnote"` } })
        )
        const tenant = yield* failedAuth.guard(address, Redacted.value(credential), authenticate)
        yield* RequestInfo.setTenant(tenant.tenant_id)
        return yield* Effect.provideService(httpEffect, CurrentTenant, tenant)
      })
    })
  })
)
