import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { CsrfTokenInvalid } from "../../api-keys/Session.ts"
import { isCsrfTokenOf } from "../../api-keys/SessionToken.ts"
import { isCrossSite } from "../../web/server/RequestOrigin.ts"

const safe = new Set(["GET", "HEAD", "OPTIONS"])

const refused = (path: string, message: string) => new CsrfTokenInvalid({ details: [{ path, message }] })

/**
 * Whether a request that brought a session's cookie was made by the service's own pages (CSRF): none that a browser says is of
 * another site's making, and to change anything an `Origin` of ours and the session's own token, which only these pages can
 * have read. Fails with `CSRF_TOKEN_INVALID`, naming the header.
 */
export const checkCsrf = (
  request: HttpServerRequest.HttpServerRequest,
  token: string,
  origins: ReadonlyArray<string>
): Effect.Effect<void, CsrfTokenInvalid> => {
  const { headers, method } = request
  if (isCrossSite(request)) return Effect.fail(refused("sec-fetch-site", "Is from another site"))
  if (safe.has(method)) return Effect.void
  if (!origins.includes(headers["origin"] ?? "")) {
    return Effect.fail(refused("origin", `Is not where this service is, which is ${origins.join(", ")}`))
  }
  return isCsrfTokenOf(token, headers["x-csrf-token"] ?? "")
    ? Effect.void
    : Effect.fail(refused("x-csrf-token", "Is not this session's csrf_token"))
}
