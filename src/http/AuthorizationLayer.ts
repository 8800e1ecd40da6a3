import { Effect, Layer } from "effect"
import { Unauthenticated } from "../api-keys/ApiKey.ts"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { Authorization } from "../api/Authorization.ts"
import { CurrentTenant } from "../tenants/CurrentTenant.ts"
import { RequestInfo } from "./RequestInfo.ts"

/** Bearer key → `CurrentTenant`. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function*() {
    const keys = yield* ApiKeys
    return Authorization.of({
      api_key: Effect.fnUntraced(function*(httpEffect, { credential }) {
        const tenant = yield* keys.authenticate(credential).pipe(
          Effect.mapError(() => new Unauthenticated({ headers: { "www-authenticate": `Bearer realm="footnote"` } }))
        )
        yield* RequestInfo.setTenant(tenant.tenant_id)
        return yield* Effect.provideService(httpEffect, CurrentTenant, tenant)
      })
    })
  })
)
