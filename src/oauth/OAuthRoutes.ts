import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ErrorDetail } from "../errors/ApiError.ts"
import type { RateLimited } from "../errors/RequestErrors.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import { clientAddress, clientSite, trustedProxies } from "../web/server/ClientAddress.ts"
import { PublicAddress } from "../web/server/PublicAddress.ts"
import { retrySoon } from "../web/server/RequestErrors.ts"
import { splitTarget } from "../web/server/RequestTarget.ts"
import { scope } from "./AccessTokens.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { errorPage, waitPage } from "./ConsentPage.ts"
import { awayMessage, whileAway } from "./DatabaseUnavailable.ts"
import { makeForward } from "./Forward.ts"

/** Requests per minute from one address. */
const most = { register: 10, authorize: 60, token: 120, revoke: 60 } as const

/** Registrations for a whole IPv6 site (/48), of which anybody may have all addresses; these cost us storage. */
const mostRegisteredOfSite = 30

/** Of what a client says of itself; those in use send less than 1 KiB. */
const mostMetadataBytes = 4 * 1024

/** Where clients look for the server's metadata: RFC 8414 and OpenID Connect, with the resource's path before or after it. */
const metadataPaths = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/mcp/.well-known/openid-configuration"
] as const

interface Refusal {
  readonly message: string
  readonly details?: ReadonlyArray<ErrorDetail>
  readonly headers?: Readonly<Record<string, string>>
}

/** RFC 6749, 5.2 and RFC 7591, 3.2.2: how these endpoints say no. */
const refusal = (status: number, error: string, error_description: string, headers = {}) =>
  HttpServerResponse.jsonUnsafe({ error, error_description }, { status, headers })

/** A person looks at this one; programs at the others. */
const refusedPage = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => {
  const page = status === 400 || status === 415 ? errorPage(message) : waitPage(message)
  return HttpServerResponse.text(page.body, { status, headers: { ...page.headers, ...headers } })
}

const refused = (kind: keyof typeof most, status: number, error: string, message: string, headers = {}) =>
  kind === "authorize" ? refusedPage(status, message, headers) : refusal(status, error, message, headers)

/** The provider would answer by a form that sends itself, which our own policy keeps from doing so. */
const notOffered = "form_post"

/** A client that asks for no scope asks for what there is; a way of answering that is not offered is none that is known. */
const asked = (url: string): string => {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  if (searchParams.getAll("response_mode").includes(notOffered)) searchParams.set("response_mode", "unsupported")
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

  const ofSite = (
    kind: keyof typeof most,
    request: HttpServerRequest.HttpServerRequest
  ): Effect.Effect<void, RateLimited> => {
    const site = kind === "register" ? clientSite(request, proxies) : undefined
    return site === undefined
      ? Effect.void
      : Effect.asVoid(limits.takeFrom(`oauth-${kind}-site:${site}`, mostRegisteredOfSite))
  }

  /** Everything that these endpoints do not take or cannot do now is told in their own words, not in the REST API's. */
  const limited = (kind: keyof typeof most, url?: (request: HttpServerRequest.HttpServerRequest) => string) => {
    const refuse = (status: number, error: string) => ({ details: [detail] = [], headers, message }: Refusal) =>
      Effect.succeed(
        refused(kind, status, error, [detail?.path, detail?.message ?? message].filter(Boolean).join(": "), headers)
      )
    const most_bytes = kind === "register" ? mostMetadataBytes : undefined
    return (request: HttpServerRequest.HttpServerRequest) => {
      const caller = clientAddress(request, proxies)
      return limits.takeFrom(`oauth-${kind}:${caller}`, most[kind]).pipe(
        Effect.andThen(ofSite(kind, request)),
        Effect.andThen(Effect.suspend(() => forward(request, { url: url?.(request), most_bytes, caller }))),
        Effect.catchTags({
          RATE_LIMITED: refuse(429, "temporarily_unavailable"),
          INVALID_REQUEST: refuse(400, "invalid_request"),
          UNSUPPORTED_MEDIA_TYPE: refuse(415, "invalid_request")
        }),
        whileAway(Effect.succeed(refused(kind, 503, "temporarily_unavailable", awayMessage, retrySoon)))
      )
    }
  }

  for (const path of metadataPaths) {
    yield* router.add("GET", path, (request) => forward(request, { url: metadataPaths[0] }))
  }
  yield* router.add("GET", "/oauth/jwks", (request) => forward(request))
  yield* router.add("GET", "/oauth/authorize", limited("authorize", ({ url }) => asked(url)))
  // Where a sign-in goes on after our page: all that belongs to it is in its cookie, nothing in the query.
  yield* router.add(
    "GET",
    "/oauth/authorize/:uid",
    (request) => forward(request, { url: splitTarget(request.url).path })
  )
  yield* router.add("POST", "/oauth/token", limited("token"))
  yield* router.add("POST", "/oauth/revoke", limited("revoke"))
  yield* router.add("POST", "/oauth/register", limited("register"))
}))
