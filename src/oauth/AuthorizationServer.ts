import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schedule } from "effect"
import { type KoaContextWithOIDC, Provider } from "oidc-provider"
import { Egress } from "../egress/Egress.ts"
import type { TenantId } from "../identity/Id.ts"
import { tolerated } from "../observability/Tolerated.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import { PublicAddress } from "../web/server/PublicAddress.ts"
import { AccessTokens, scope } from "./AccessTokens.ts"
import { errorPage, failedPage, waitPage } from "./ConsentPage.ts"
import { called, makeAnswered, makeRun } from "./DatabaseUnavailable.ts"
import { makeDocumentFetch, remembering } from "./DocumentFetch.ts"
import { callerOf } from "./Forward.ts"
import { makePayloadStore, sweepPayloads } from "./PayloadStore.ts"
import { providerConfiguration, responseModes } from "./ProviderConfiguration.ts"
import { sharedSecrets } from "./SharedSecrets.ts"
import { TokenRefused } from "./TokenRefused.ts"

/**
 * The service as its own authorization server (OAuth 2.1). An account is an API key, so that revoking the key ends at once
 * all that was granted by it: codes, access tokens and refresh tokens.
 */
export class AuthorizationServer extends Context.Service<AuthorizationServer, {
  readonly provider: Provider
}>()("footnote/oauth/AuthorizationServer") {
  static readonly layer = Layer.effect(AuthorizationServer, Effect.suspend(() => make)).pipe(
    Layer.provide(Egress.layer)
  )
}

/** A client describes itself in less (draft-ietf-oauth-client-id-metadata-document). */
const mostMetadataBytes = 5 * 1024

/** Documents that are not known yet, per minute and caller: each is a request of ours to an address of the caller's choice. */
const mostDocuments = 30

/** The tenant of a key that is still good. */
const makeOwnerOf = Effect.map(PgClient.PgClient, (sql) => (key_id: string) =>
  Effect.map(
    sql<{ tenant_id: TenantId }>`SELECT tenant_id FROM footnote.api_keys WHERE id = ${key_id} AND revoked_at IS NULL`,
    ([row]) => row?.tenant_id
  ))

/** The same of a grant that has not ended; what was issued by it may be written a moment after its end. */
const makeGranterOf = Effect.map(PgClient.PgClient, (sql) => (grant_id: string | undefined) =>
  Effect.map(
    sql<
      { tenant_id: TenantId }
    >`SELECT k.tenant_id FROM footnote.oauth_entries g JOIN footnote.api_keys k ON k.id = g.key_id
      WHERE g.model = 'Grant' AND g.id = ${grant_id ?? null} AND g.expires_at > now() AND k.revoked_at IS NULL`,
    ([row]) => row?.tenant_id
  ))

const make = Effect.gen(function*() {
  const { origin, resources } = yield* PublicAddress
  const egress = yield* Egress
  const limits = yield* RateLimits
  const ownerOf = yield* makeOwnerOf
  const run = yield* makeRun

  const provider = new Provider(
    origin,
    providerConfiguration({
      origin,
      resources,
      adapter: yield* makePayloadStore,
      ...(yield* sharedSecrets),
      findAccount: async (_ctx, key_id) =>
        (await run(ownerOf(key_id))) === undefined
          ? undefined
          : { accountId: key_id, claims: () => ({ sub: key_id }) },
      fetch: remembering(makeDocumentFetch(egress, { accept: "application/json", most_bytes: mostMetadataBytes })),
      allowFetch: (ctx) => {
        const caller = ctx === undefined ? undefined : callerOf(ctx.req)
        return caller === undefined || run(
          limits.takeFrom(`oauth-document:${caller}`, mostDocuments).pipe(
            Effect.as(true),
            Effect.orElseSucceed(() => false)
          )
        )
      },
      errorPage,
      waitPage
    })
  )
  // Who the request came through is settled before the provider sees it; see `forward`.
  provider.proxy = true
  const report = (ctx: KoaContextWithOIDC, error: unknown) =>
    void run(
      Effect.logError("The authorization server failed; it answered server_error", error).pipe(
        Effect.annotateLogs({ request_id: ctx.response.get("x-request-id"), path: ctx.path })
      )
    )
  provider.use(makeAnswered(failedPage, report))
  // The provider's own list is fixed.
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.oidc?.route === "discovery") Object.assign(ctx.body as object, { response_modes_supported: responseModes })
  })
  provider.on("server_error", report)

  const sweep = sweepPayloads.pipe(
    tolerated("The sweep of expired sign-ins", "tried again in 10 minutes"),
    Effect.repeat(Schedule.spaced("10 minutes"))
  )
  yield* Effect.forkScoped(sweep)
  return AuthorizationServer.of({ provider })
})

/** Opaque tokens: one read tells whether a token is still good, one more whose it is and whether its grant has ended. */
export const layerOwnTokens = Layer.effect(
  AccessTokens,
  Effect.gen(function*() {
    const { provider } = yield* AuthorizationServer
    const { origin, resources } = yield* PublicAddress
    const granterOf = yield* makeGranterOf

    return AccessTokens.of({
      issuer: origin,
      verify: Effect.fn("AccessTokens.verify")(function*(token) {
        const found = yield* called(() => provider.AccessToken.find(token))
        const audiences = [found?.aud ?? []].flat()
        if (found?.accountId === undefined || !found.isValid || !audiences.some((aud) => resources.includes(aud))) {
          return yield* new TokenRefused({ reason: "invalid_token" })
        }
        const tenant_id = yield* Effect.orDie(granterOf(found.grantId))
        if (tenant_id === undefined) return yield* new TokenRefused({ reason: "invalid_token" })
        if (!found.scopes.has(scope)) return yield* new TokenRefused({ reason: "insufficient_scope" })
        return { tenant_id, key_id: found.accountId }
      })
    })
  })
)
