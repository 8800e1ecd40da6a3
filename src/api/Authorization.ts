import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Unauthenticated } from "../api-keys/ApiKey.ts"
import { CsrfTokenInvalid } from "../api-keys/Session.ts"
import { sessionCookie } from "../api-keys/SessionToken.ts"
import { wire } from "../errors/ApiError.ts"
import { RateLimited } from "../errors/RequestErrors.ts"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"

const session = HttpApiSecurity.apiKey({ key: sessionCookie, in: "cookie" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "For the service's own pages, by `POST /v1/session`. What changes something wants `X-CSRF-Token` and an `Origin` of the service beside it."
  )
)

/**
 * A bearer key names the tenant of a request, or without one a browser's session; without a good one the answer is always the
 * same 401, and 429 for whoever tries too many. A request by session that its own pages did not make is 403.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentTenant }>()(
  "footnote/api/Authorization",
  {
    requiredForClient: true,
    security: {
      // Asked in this order; the last one has the last word.
      session,
      api_key: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "`Authorization: Bearer <API_KEY>`"),
        HttpApiSecurity.annotate(OpenApi.Format, "fnk_…")
      )
    },
    error: wire(Unauthenticated, CsrfTokenInvalid, RateLimited)
  }
) {}

/**
 * The same by a browser's session alone, whatever key is sent beside it.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class SessionRequired extends HttpApiMiddleware.Service<SessionRequired, { provides: CurrentTenant }>()(
  "footnote/api/Authorization/SessionRequired",
  { requiredForClient: true, security: { session }, error: wire(Unauthenticated, CsrfTokenInvalid, RateLimited) }
) {}
