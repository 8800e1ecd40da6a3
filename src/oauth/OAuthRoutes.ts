import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { clientAddress, trustedProxies } from "../http/ClientAddress.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import { scope } from "./AccessTokens.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { makeForward } from "./Forward.ts"
import { PublicAddress } from "./PublicAddress.ts"

/** Requests per minute from one address. */
const most = { register: 10, authorize: 60, token: 120, revoke: 60 } as const

/** Where clients look for the server's metadata: RFC 8414 and OpenID Connect, with the resource's path before or after it. */
const metadataPaths = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/mcp/.well-known/openid-configuration"
] as const

/** RFC 6749, 5.2 and RFC 7591, 3.2.2: how these endpoints say no. */
const refusal = (status: number, error: string, error_description: string, headers = {}) =>
  HttpServerResponse.jsonUnsafe({ error, error_description }, { status, headers })

/** A client that asks for no scope asks for what there is. */
const withScope = (url: string): string => {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  if (!searchParams.has("scope")) searchParams.set("scope", `${scope} offline_access`)
  return `${pathname}?${searchParams.toString()}`
}

/** The authorization server's own endpoints. */
export const layerOAuthRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { provider } = yield* AuthorizationServer
  const { origin } = yield* PublicAddress
  const limits = yield* RateLimits
  const proxies = yield* trustedProxies
  const forward = makeForward(provider, origin)

  const limited = (
    kind: keyof typeof most,
    answer: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  ) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    limits.takeFrom(`oauth-${kind}:${clientAddress(request, proxies)}`, most[kind]).pipe(
      Effect.andThen(answer(request)),
      Effect.catchTag(
        "RATE_LIMITED",
        ({ headers, message }) => Effect.succeed(refusal(429, "temporarily_unavailable", message, headers))
      )
    )

  for (const path of metadataPaths) {
    yield* router.add("GET", path, (request) => forward(request, metadataPaths[0]))
  }
  yield* router.add("GET", "/oauth/jwks", (request) => forward(request))
  yield* router.add(
    "GET",
    "/oauth/authorize",
    limited("authorize", (request) => forward(request, withScope(request.url)))
  )
  // Where a sign-in goes on after our page.
  yield* router.add("GET", "/oauth/authorize/:uid", (request) => forward(request))
  yield* router.add("POST", "/oauth/token", limited("token", (request) => forward(request)))
  yield* router.add("POST", "/oauth/revoke", limited("revoke", (request) => forward(request)))
  yield* router.add("POST", "/oauth/register", limited("register", (request) => forward(request)))
}))
