import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { toInstant } from "../database/Instant.ts"
import { toPage } from "../database/Page.ts"
import { TenantSql } from "../database/TenantSql.ts"
import { remembered } from "../idempotency/KeyedRequests.ts"
import { CurrentTenant } from "../identity/CurrentTenant.ts"
import { isId, newId } from "../identity/Id.ts"
import {
  type ApiKey,
  ApiKeyNotFound,
  ApiKeySelfRevoke,
  type CreateApiKey,
  type CreatedApiKey,
  type RevokedApiKey,
  Unauthenticated
} from "./ApiKey.ts"
import { hashApiKey, isApiKey, mintSecret, visiblePrefix } from "./ApiKeySecret.ts"
import { makeKeyLookup, touchKey } from "./KeyLookup.ts"
import type { Pace } from "./SecretLookup.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: ReadonlyArray<string>
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

const toApiKey = (row: Row): ApiKey => ({
  ...row,
  created_at: toInstant(row.created_at),
  last_used_at: row.last_used_at && toInstant(row.last_used_at),
  revoked_at: row.revoked_at && toInstant(row.revoked_at)
})

/** The keys of the current tenant. A database that cannot be reached is a defect, told apart by the transport. */
export class ApiKeys extends Context.Service<ApiKeys, {
  /** Whom a bearer secret speaks for, `at once` where nothing is said. No, malformed, unknown and revoked secrets fail alike. */
  readonly authenticate: (
    secret: Redacted.Redacted,
    pace?: Pace
  ) => Effect.Effect<CurrentTenant["Service"], Unauthenticated>
  readonly create: (input: CreateApiKey) => Effect.Effect<CreatedApiKey, never, CurrentTenant>
  /** Whether there is such a key of the tenant that has not been revoked. */
  readonly isActive: (id: string) => Effect.Effect<boolean, never, CurrentTenant>
  readonly list: (
    page: { readonly limit: number; readonly cursor?: string | undefined }
  ) => Effect.Effect<
    { readonly data: ReadonlyArray<ApiKey>; readonly next_cursor: string | null },
    never,
    CurrentTenant
  >
  /**
   * From the moment of its answer the key is unknown everywhere. Idempotent: a second revocation tells the first one's
   * moment. A key that was revoked meanwhile revokes nothing.
   */
  readonly revoke: (
    id: string
  ) => Effect.Effect<RevokedApiKey, ApiKeyNotFound | ApiKeySelfRevoke | Unauthenticated, CurrentTenant>
}>()("footnote/api-keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function*() {
      // Nobody knows yet whose key it is.
      const engine = yield* PgClient.PgClient
      const { inTenant, sql } = yield* TenantSql
      const lookUp = makeKeyLookup(engine)

      return ApiKeys.of({
        authenticate: Effect.fn("ApiKeys.authenticate")(function*(secret, pace) {
          const text = Redacted.value(secret)
          if (!isApiKey(text)) return yield* new Unauthenticated()
          const found = yield* lookUp(text, pace)
          if (found === undefined) return yield* new Unauthenticated()
          yield* touchKey(engine, found)
          return { tenant_id: found.tenant_id, key_id: found.id }
        }),

        create: Effect.fn("ApiKeys.create")(function*({ name, scopes }) {
          const { tenant_id } = yield* CurrentTenant
          const secret = mintSecret()
          const id = yield* newId("key")
          const insert = sql<{ created_at: Date }>`
            INSERT INTO footnote.api_keys (id, tenant_id, name, prefix, secret_sha256, scopes)
            VALUES (${id}, ${tenant_id}, ${name}, ${visiblePrefix(secret)}, ${hashApiKey(secret)},
              ${JSON.stringify(scopes)}::jsonb)
            RETURNING created_at`
          return yield* inTenant(tenant_id)(remembered(
            sql,
            Effect.map(insert, ([row]) => {
              const created_at = toInstant(row!.created_at)
              return { id, name, prefix: visiblePrefix(secret), secret, scopes, created_at }
            })
          ))
        }),

        isActive: Effect.fn("ApiKeys.isActive")(function*(id) {
          const { tenant_id } = yield* CurrentTenant
          const rows = yield* inTenant(tenant_id)(sql`SELECT id FROM footnote.api_keys
            WHERE id = ${id} AND tenant_id = ${tenant_id} AND revoked_at IS NULL`)
          return rows.length > 0
        }),

        list: Effect.fn("ApiKeys.list")(function*({ cursor, limit }) {
          const { tenant_id } = yield* CurrentTenant
          const rows = yield* inTenant(tenant_id)(sql<Row>`
            SELECT id, name, prefix, scopes, created_at, last_used_at, revoked_at FROM footnote.api_keys
            WHERE tenant_id = ${tenant_id} ${cursor === undefined ? sql`` : sql`AND id < ${cursor}`}
            ORDER BY id DESC LIMIT ${limit + 1}`)
          return toPage(rows.map(toApiKey), limit)
        }),

        revoke: Effect.fn("ApiKeys.revoke")(function*(id) {
          const { key_id, tenant_id } = yield* CurrentTenant
          if (id === key_id) return yield* new ApiKeySelfRevoke()
          if (!isId("key", id)) return yield* new ApiKeyNotFound()
          return yield* inTenant(tenant_id)(Effect.gen(function*() {
            // Both rows, in one order: of two keys that revoke each other at the same moment one stays.
            const keys = yield* sql<{ id: string; revoked: boolean }>`
              SELECT id, revoked_at IS NOT NULL AS revoked FROM footnote.api_keys
              WHERE tenant_id = ${tenant_id} AND id IN ${sql.in(key_id === null ? [id] : [id, key_id])}
              ORDER BY id FOR UPDATE`
            if (keys.some((key) => key.id === key_id && key.revoked)) {
              return yield* new Unauthenticated({ headers: { "www-authenticate": `Bearer realm="footnote"` } })
            }
            const [row] = yield* sql<{ revoked_at: Date }>`
              UPDATE footnote.api_keys SET revoked_at = coalesce(revoked_at, date_trunc('milliseconds', now()))
              WHERE id = ${id} AND tenant_id = ${tenant_id} RETURNING revoked_at`
            if (row === undefined) return yield* new ApiKeyNotFound()
            return { id, revoked_at: toInstant(row.revoked_at) }
          }))
        })
      })
    })
  )
}
