import { type AdapterFactory, type Configuration, errors, type FindAccount, interactionPolicy } from "oidc-provider"
import { scope } from "./AccessTokens.ts"
import type { ErrorPage } from "./ConsentPage.ts"
import { sentenceOf } from "./ErrorSentences.ts"
import { redirectProblem } from "./RedirectUri.ts"

export interface ProviderParts {
  readonly origin: string
  readonly resources: ReadonlyArray<string>
  readonly adapter: AdapterFactory
  readonly jwk: Readonly<Record<string, string>>
  readonly cookies: string
  readonly findAccount: FindAccount
  readonly fetch: (url: string | URL | Request) => Promise<Response>
  readonly allowFetch: NonNullable<
    Extract<NonNullable<NonNullable<Configuration["features"]>["clientIdMetadataDocument"]>, object>["allowFetch"]
  >
  readonly errorPage: ErrorPage
  readonly waitPage: ErrorPage
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Names that a person is shown have an end, and so do lists that are looked through. */
const mostNameLength = 200
const mostRedirects = 20
const mostRedirectLength = 2000

/** How an answer may reach a client; a form that sends itself would need the script that our pages forbid. */
export const responseModes = ["fragment", "query"]

/**
 * What a client says of itself, registered or described: looked at before the provider looks, which takes parts of it for
 * checked that it checks later.
 */
const checkClient = (metadata: Record<string, unknown>): void => {
  const { client_name, redirect_uris, response_modes, subject_type, token_endpoint_auth_method } = metadata
  // The provider makes a secret before it applies our default, by which there is nothing to use it for.
  if (token_endpoint_auth_method === "none") {
    delete metadata["client_secret"]
    delete metadata["client_secret_expires_at"]
  }
  if (typeof client_name === "string" && client_name.length > mostNameLength) {
    throw new errors.InvalidClientMetadata(`client_name must not be longer than ${mostNameLength} characters`)
  }
  if (subject_type !== undefined && subject_type !== "public") {
    throw new errors.InvalidClientMetadata("subject_type must be public")
  }
  if (response_modes !== undefined && [response_modes].flat().some((mode) => !responseModes.includes(String(mode)))) {
    throw new errors.InvalidClientMetadata(`response_modes must be of ${responseModes.join(", ")}`)
  }
  const uris = Array.isArray(redirect_uris) ? redirect_uris : []
  if (uris.length > mostRedirects || uris.some((uri) => String(uri).length > mostRedirectLength)) {
    throw new errors.InvalidRedirectUri(`at most ${mostRedirects} redirect_uris of ${mostRedirectLength} characters`)
  }
  const problem = uris.map(redirectProblem).find((problem) => problem !== undefined)
  if (problem !== undefined) throw new errors.InvalidRedirectUri(`redirect_uris ${problem}`)
}

/**
 * The authorization server's rules: code with PKCE (S256) only, opaque tokens for our resource and no other, refresh tokens
 * that are used once, clients that register themselves or describe themselves at an https address. Every request asks the
 * person anew; nobody stays signed in.
 */
export const providerConfiguration = (parts: ProviderParts): Configuration => ({
  adapter: parts.adapter,
  jwks: { keys: [{ ...parts.jwk, kid: "1", alg: "ES256", use: "sig" }] as never },
  cookies: {
    keys: [parts.cookies],
    names: { session: "footnote_oauth", interaction: "footnote_sign_in", resume: "footnote_sign_in_resume" }
  },
  scopes: [scope, "offline_access"],
  claims: { sub: null } as never,
  clientDefaults: {
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    id_token_signed_response_alg: "ES256",
    // Programs on somebody's machine: any port of their own loopback address, or a scheme of their own (RFC 8252).
    application_type: "native"
  },
  // Looked at for the sake of `checkClient`: the provider calls it for each of these.
  extraClientMetadata: {
    properties: ["software_id"],
    validator: (_ctx, _key, _value, metadata) => checkClient(metadata)
  },
  clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
  responseTypes: ["code"],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
  expiresWithSession: () => false,
  // Also where a client gives back an access token: nobody stays signed in, so there is nothing that the grant is kept for.
  revokeGrantPolicy: () => true,
  ttl: {
    AccessToken: hour,
    AuthorizationCode: minute,
    RefreshToken: 30 * day,
    Grant: 90 * day,
    // Somebody has to find a key first, and may have had lunch in between; the cookie and the client's PKCE hold for as long.
    Interaction: 75 * minute,
    Session: 10 * minute
  },
  features: {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    registration: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId
    },
    clientIdMetadataDocument: { enabled: true, ack: "draft-02", allowFetch: parts.allowFetch },
    resourceIndicators: {
      enabled: true,
      // Clients of 2025 and before do not say for what they want a token.
      defaultResource: () => parts.resources[0]!,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, indicator) => {
        const audience = indicator.replace(/\/$/u, "")
        if (!parts.resources.includes(audience)) throw new errors.InvalidTarget()
        return { scope, audience, accessTokenFormat: "opaque", accessTokenTTL: hour }
      }
    }
  },
  routes: {
    authorization: "/oauth/authorize",
    token: "/oauth/token",
    registration: "/oauth/register",
    revocation: "/oauth/revoke",
    jwks: "/oauth/jwks"
  },
  interactions: {
    policy: interactionPolicy.base(),
    url: (_ctx, interaction) => `${parts.origin}/oauth/sign-in/${interaction.uid}`
  },
  findAccount: parts.findAccount,
  fetch: parts.fetch,
  renderError: (ctx, { error, error_description }) => {
    ctx.type = "html"
    const { body, headers } = error === "temporarily_unavailable"
      ? parts.waitPage(error_description ?? error)
      : parts.errorPage(sentenceOf(error, error_description))
    ctx.set({ ...headers })
    ctx.body = body
  }
})
