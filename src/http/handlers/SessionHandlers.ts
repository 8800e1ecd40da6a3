import { Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "../../api-keys/ApiKeys.ts"
import { CsrfTokenInvalid } from "../../api-keys/Session.ts"
import { Sessions } from "../../api-keys/Sessions.ts"
import { sessionCookie } from "../../api-keys/SessionToken.ts"
import { Api } from "../../api/Api.ts"
import { FailedAuth, fingerprintOf } from "../../rate-limits/FailedAuth.ts"
import { RateLimits } from "../../rate-limits/RateLimits.ts"
import { clientAddress, trustedProxies } from "../../web/server/ClientAddress.ts"
import { PublicAddress } from "../../web/server/PublicAddress.ts"
import { RequestInfo } from "../../web/server/RequestInfo.ts"
import { isFromElsewhere } from "../../web/server/RequestOrigin.ts"
import { unauthenticated } from "../middleware/AuthorizationLayer.ts"

const tokenIn = ({ cookies }: HttpServerRequest.HttpServerRequest): string => cookies[sessionCookie] ?? ""

export const SessionHandlers = HttpApiBuilder.group(
  Api,
  "session",
  Effect.fn(function*(handlers) {
    const keys = yield* ApiKeys
    const sessions = yield* Sessions
    const failedAuth = yield* FailedAuth
    const limits = yield* RateLimits
    const proxies = yield* trustedProxies
    const { origin, origins } = yield* PublicAddress
    const cookie = {
      httpOnly: true,
      sameSite: "strict",
      path: "/",
      secure: origin.startsWith("https:")
    } as const

    return handlers.handleAll({
      begin: Effect.fnUntraced(function*({ payload, request }) {
        if (isFromElsewhere(request, origins)) {
          return yield* new CsrfTokenInvalid({ details: [{ path: "origin", message: "Is another site's" }] })
        }
        const { key_id, tenant_id } = yield* failedAuth.guard(
          clientAddress(request, proxies),
          fingerprintOf(payload.api_key),
          (pace) => Effect.mapError(keys.authenticate(Redacted.make(payload.api_key), pace), () => unauthenticated)
        )
        yield* RequestInfo.setTenant(tenant_id)
        yield* limits.take(tenant_id, "writes")
        const { session, token } = yield* sessions.begin({ tenant_id, key_id: key_id! }, tokenIn(request)).pipe(
          // Revoked a moment ago.
          Effect.mapError(() => unauthenticated)
        )
        return HttpServerResponse.setCookieUnsafe(
          HttpServerResponse.jsonUnsafe(session, { status: 201 }),
          sessionCookie,
          token,
          cookie
        )
      }),
      read: ({ request }) => Effect.mapError(sessions.read(tokenIn(request)), () => unauthenticated),
      end: Effect.fnUntraced(function*({ request }) {
        yield* sessions.end(tokenIn(request))
        return HttpServerResponse.expireCookieUnsafe(HttpServerResponse.empty({ status: 204 }), sessionCookie, cookie)
      })
    })
  })
)
