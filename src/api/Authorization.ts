import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Unauthenticated } from "../api-keys/ApiKey.ts"
import { wire } from "../errors/ApiError.ts"
import { RateLimited } from "../errors/RequestErrors.ts"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"

/** A bearer key names the tenant of a request; without a good one the answer is always the same 401, and 429 for
 * whoever tries too many. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentTenant }>()(
  "footnote/api/Authorization",
  {
    requiredForClient: true,
    security: {
      api_key: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "`Authorization: Bearer <API_KEY>`"),
        HttpApiSecurity.annotate(OpenApi.Format, "fnk_…")
      )
    },
    error: wire(Unauthenticated, RateLimited)
  }
) {}
