import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { hashApiKey, isApiKey, mintSecret, visiblePrefix } from "../api-keys/ApiKeySecret.ts"
import { advisoryLocks } from "../database/AdvisoryLocks.ts"
import { newId } from "../identity/Id.ts"
import { configInvalid } from "../observability/Configuration.ts"
import { secret, setting } from "../observability/Setting.ts"

/** `FOOTNOTE_API_KEY`: a key that must exist after start, made by `mintSecret` or by another deployment. */
export const givenApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Config.option(
  setting("FOOTNOTE_API_KEY", secret, {
    without: "made and printed at first start",
    meaning: "the first tenant's first key, for automation; one that has been revoked stays revoked"
  })
).pipe(
  Config.mapEffect((key) =>
    Option.isSome(key) && !isApiKey(Redacted.value(key.value))
      ? Effect.fail(configInvalid("FOOTNOTE_API_KEY is not a well-formed key (fnk_ and 38 characters)"))
      : Effect.succeed(key)
  )
)

// One process makes the first tenant, however many start at once.

/**
 * Sees to it that somebody can call the service: with `FOOTNOTE_API_KEY`, that key exists; without it, an empty database
 * gets a tenant whose first key is handed to `announce` once. Where there is a tenant already, nothing happens.
 */
export const bootstrapTenant = Effect.fn("Tenants.bootstrap")(function*(
  announce: (secret: string) => Effect.Effect<void>
) {
  const sql = yield* PgClient.PgClient
  const given = yield* givenApiKey
  const made = yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.bootstrap}, 0)`
    const [first] = yield* sql<{ id: string }>`SELECT id FROM footnote.tenants ORDER BY created_at, id LIMIT 1`
    if (first !== undefined && Option.isNone(given)) return undefined
    const secret = Option.isSome(given) ? Redacted.value(given.value) : mintSecret()
    const tenant_id = first?.id ?? (yield* newId("ten"))
    if (first === undefined) {
      yield* sql`INSERT INTO footnote.tenants (id, name) VALUES (${tenant_id}, 'default')`
    }
    yield* sql`
      INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256)
      VALUES (${yield* newId("key")}, ${tenant_id}, 'first key', ${visiblePrefix(secret)}, ${hashApiKey(secret)})
      ON CONFLICT (secret_sha256) DO NOTHING`
    const [revoked] = yield* sql`
      SELECT id FROM footnote.api_keys WHERE secret_sha256 = ${hashApiKey(secret)} AND revoked_at IS NOT NULL`
    if (revoked !== undefined) yield* Effect.logWarning("FOOTNOTE_API_KEY has been revoked and opens nothing")
    return Option.isSome(given) ? undefined : secret
  }))
  if (made !== undefined) yield* announce(made)
})

/** Bootstraps while the process starts; the key goes to standard output alone, never into a log. */
export const layerBootstrap = Layer.effectDiscard(
  bootstrapTenant((secret) =>
    Effect.sync(() => {
      process.stdout.write(`First API key (shown once): ${secret}\n`)
    })
  )
)
