import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { toInstant } from "../database/Instant.ts"
import type { CurrentTenant } from "../identity/CurrentTenant.ts"
import { newId, type TenantId } from "../identity/Id.ts"
import { Unauthenticated } from "./ApiKey.ts"
import { touchKey } from "./KeyLookup.ts"
import { makeSecretLookup, type Pace } from "./SecretLookup.ts"
import type { Session } from "./Session.ts"
import { csrfTokenOf, hashToken, isToken, mintToken } from "./SessionToken.ts"

const hours = 12

/** Of one key: what a program that signs in again and again may fill the table with. */
const mostPerKey = 100

interface KnownSession {
  readonly id: string
  readonly tenant_id: TenantId
  readonly key_id: string
  readonly sha256: Uint8Array
  readonly stale: boolean
}

interface Row {
  readonly tenant_id: TenantId
  readonly tenant_name: string
  readonly key_id: string
  readonly key_name: string
  readonly prefix: string
  readonly expires_at: Date
}

/**
 * What browsers are signed in by, in place of an API key that their pages could read. A session is over after 12 hours, with
 * its key, and by its own word; an ended, malformed or unknown one is like none. A database that cannot be reached is a defect.
 */
export class Sessions extends Context.Service<Sessions, {
  /** Begins one for a key that was just authenticated, in place of the browser's last one; the token is told here alone. */
  readonly begin: (
    caller: { readonly tenant_id: TenantId; readonly key_id: string },
    last: string
  ) => Effect.Effect<{ readonly token: string; readonly session: Session }, Unauthenticated>
  /** Whom a token speaks for. */
  readonly authenticate: (
    token: string,
    pace?: Pace
  ) => Effect.Effect<CurrentTenant["Service"] & { readonly session_id: string }, Unauthenticated>
  readonly read: (token: string) => Effect.Effect<Session, Unauthenticated>
  /** From the moment of its answer the token is unknown everywhere. Idempotent. */
  readonly end: (token: string) => Effect.Effect<void>
}>()("footnote/api-keys/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      // Nobody knows yet whose session it is.
      const sql = yield* PgClient.PgClient
      const lookUp = makeSecretLookup((hashes) =>
        sql<KnownSession>`
          SELECT s.token_sha256 AS sha256, s.id, s.tenant_id, s.key_id,
            k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS stale
          FROM footnote.sessions s JOIN footnote.api_keys k ON k.id = s.key_id
          WHERE s.token_sha256 = ANY(${hashes}) AND s.expires_at > now() AND k.revoked_at IS NULL`
      )

      const read = Effect.fn("Sessions.read")(function*(token: string) {
        const [row] = yield* Effect.orDie(sql<Row>`
          SELECT t.id AS tenant_id, t.name AS tenant_name, k.id AS key_id, k.name AS key_name, k.prefix, s.expires_at
          FROM footnote.sessions s JOIN footnote.api_keys k ON k.id = s.key_id JOIN footnote.tenants t ON t.id = s.tenant_id
          WHERE s.token_sha256 = ${hashToken(token)} AND s.expires_at > now() AND k.revoked_at IS NULL`)
        if (row === undefined) return yield* new Unauthenticated()
        return {
          tenant: { id: row.tenant_id, name: row.tenant_name },
          key: { id: row.key_id, name: row.key_name, prefix: row.prefix },
          csrf_token: csrfTokenOf(token),
          expires_at: toInstant(row.expires_at)
        }
      })

      return Sessions.of({
        begin: Effect.fn("Sessions.begin")(function*({ key_id, tenant_id }, last) {
          const token = mintToken()
          const id = yield* newId("ses")
          yield* Effect.orDie(sql.withTransaction(Effect.gen(function*() {
            yield* sql`INSERT INTO footnote.sessions (id, tenant_id, key_id, token_sha256, expires_at)
              VALUES (${id}, ${tenant_id}, ${key_id}, ${hashToken(token)},
                date_trunc('milliseconds', now()) + make_interval(hours => ${hours}))`
            yield* sql`DELETE FROM footnote.sessions WHERE token_sha256 = ${
              hashToken(last)
            } OR key_id = ${key_id} AND id NOT IN (
              SELECT id FROM footnote.sessions WHERE key_id = ${key_id} ORDER BY id DESC LIMIT ${mostPerKey})`
          })))
          return { token, session: yield* read(token) }
        }),

        authenticate: Effect.fn("Sessions.authenticate")(function*(token, pace) {
          if (!isToken(token)) return yield* new Unauthenticated()
          const found = yield* lookUp(hashToken(token), pace)
          if (found === undefined) return yield* new Unauthenticated()
          const { id, key_id, stale, tenant_id } = found
          yield* touchKey(sql, { id: key_id, stale })
          return { tenant_id, key_id, session_id: id }
        }),

        read,

        end: Effect.fn("Sessions.end")(function*(token) {
          yield* Effect.orDie(sql`DELETE FROM footnote.sessions WHERE token_sha256 = ${hashToken(token)}`)
        })
      })
    })
  )
}
