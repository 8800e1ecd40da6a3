import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer, Option } from "effect"
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose"
import { makeEgress } from "../egress/Egress.ts"
import { ServiceUnavailable } from "../errors/RequestErrors.ts"
import { isId } from "../identity/Id.ts"
import { configInvalid } from "../observability/Configuration.ts"
import { address, setting, text } from "../observability/Setting.ts"
import { PublicAddress } from "../web/server/PublicAddress.ts"
import { AccessTokens, scope } from "./AccessTokens.ts"
import { makeDocumentFetch } from "./DocumentFetch.ts"
import { TokenRefused } from "./TokenRefused.ts"

export interface OutsideIssuer {
  readonly issuer: string
  readonly jwks: URL
  readonly tenant_claim: string
  /** None: the tool server's own address, as RFC 8707 has it. */
  readonly audience: Option.Option<string>
}

/** An address that keys are fetched from must not be open to anyone on the way, except on this very machine. */
const isSafe = (url: URL | null): url is URL =>
  url !== null
  && (url.protocol === "https:" ||
    (url.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/u.test(url.hostname)))

/**
 * `FOOTNOTE_OAUTH_ISSUER`: an authorization server of the operator's instead of our own. With it `FOOTNOTE_OAUTH_JWKS` (where
 * its keys are), `FOOTNOTE_OAUTH_TENANT_CLAIM` (the claim that names the tenant, default `tenant_id`) and
 * `FOOTNOTE_OAUTH_AUDIENCE` (default: the address of the tool server).
 */
export const outsideIssuer: Config.Config<Option.Option<OutsideIssuer>> = Config.all({
  issuer: Config.option(setting("FOOTNOTE_OAUTH_ISSUER", address, {
    without: "the built-in one",
    meaning: "an authorization server of yours for the tool server; its JWT access tokens are taken"
  })),
  jwks: Config.option(setting("FOOTNOTE_OAUTH_JWKS", address, {
    meaning:
      "with it: the https address of its key set (may be private; no redirect is followed, at most 256 KiB are read)"
  })),
  tenant_claim: setting("FOOTNOTE_OAUTH_TENANT_CLAIM", text, {
    otherwise: "tenant_id",
    meaning: "with it: the claim that holds the tenant's id (`ten_…`)"
  }),
  audience: Config.option(setting("FOOTNOTE_OAUTH_AUDIENCE", text, {
    without: "`<FOOTNOTE_PUBLIC_URL>/mcp`",
    meaning: "with it: the audience that its tokens must name"
  }))
}).pipe(Config.mapEffect(({ audience, issuer, jwks, tenant_claim }) => {
  if (Option.isNone(issuer) || issuer.value === "") return Effect.succeedNone
  const keys = URL.parse(Option.getOrElse(jwks, () => ""))
  if (!isSafe(URL.parse(issuer.value))) {
    return Effect.fail(configInvalid("FOOTNOTE_OAUTH_ISSUER must be an https address"))
  }
  if (!isSafe(keys)) {
    return Effect.fail(
      configInvalid("FOOTNOTE_OAUTH_JWKS must be the https address of the key set of FOOTNOTE_OAUTH_ISSUER")
    )
  }
  return Effect.succeedSome({ issuer: issuer.value, jwks: keys, tenant_claim, audience })
}))

/** Asymmetric only: a key set is public. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]

/** Large issuers publish some tens of kilobytes. */
const mostKeySetBytes = 256 * 1024

/** Nothing that is wrong with a token: no key set, none within 5 s, or one that is none. */
const keysAway = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"])

/** Scopes come as one string (RFC 9068) or, with some issuers, as a list. */
const scopesOf = ({ scope, scp }: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  [scope ?? scp ?? ""].flat().flatMap((part) => String(part).split(" "))

/**
 * Tokens of the outside issuer: JWTs that one of its keys signed, not over, for this audience, with our scope and with a
 * claim that names a tenant of ours (RFC 9068). Keys are fetched when needed; while they cannot be read it is 503, not a bad token.
 */
export const layerOutsideTokens = ({ audience, issuer, jwks, tenant_claim }: OutsideIssuer) =>
  Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const { resources } = yield* PublicAddress
      // An issuer inside of the deployment is usual; letting tenants reach its network for its sake would not be.
      const egress = yield* makeEgress("operator")
      const keys = createRemoteJWKSet(jwks, {
        timeoutDuration: 5000,
        cooldownDuration: 10_000,
        [customFetch]: makeDocumentFetch(egress, { accept: "application/json", most_bytes: mostKeySetBytes })
      })
      const audiences = Option.match(audience, { onNone: () => [...resources], onSome: (own) => [own] })
      const invalid = new TokenRefused({ reason: "invalid_token" })

      return AccessTokens.of({
        issuer,
        verify: Effect.fn("AccessTokens.verify")(function*(token) {
          const rules = { issuer, audience: audiences, algorithms, requiredClaims: ["exp", tenant_claim] }
          const { payload } = yield* Effect.tryPromise(() => jwtVerify(token, keys, rules)).pipe(
            Effect.catch(({ cause }) =>
              cause instanceof errors.JOSEError && !keysAway.has(cause.code)
                ? Effect.fail(invalid)
                : Effect.andThen(
                  Effect.logWarning(
                    "The keys of the outside issuer cannot be read; who comes with one of its tokens is answered 503",
                    cause
                  ),
                  Effect.die(new ServiceUnavailable({ headers: { "retry-after": "5" } }))
                )
            )
          )
          const tenant_id = payload[tenant_claim]
          if (typeof tenant_id !== "string" || !isId("ten", tenant_id)) return yield* invalid
          const found = yield* Effect.orDie(sql`SELECT FROM footnote.tenants WHERE id = ${tenant_id}`)
          if (found.length === 0) return yield* invalid
          if (!scopesOf(payload).includes(scope)) return yield* new TokenRefused({ reason: "insufficient_scope" })
          return { tenant_id, key_id: null }
        })
      })
    })
  )
