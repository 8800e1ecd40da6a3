import { PgClient } from "@effect/sql-pg"
import { Effect, flow } from "effect"
import type { Statement } from "effect/sql"
import { createHash } from "node:crypto"
import { type Adapter, type AdapterPayload, errors } from "oidc-provider"
import { makeRun } from "./DatabaseUnavailable.ts"

/** Whoever holds one of these is let in, so only its hash is stored. */
const bearers = new Set(["AccessToken", "AuthorizationCode", "RefreshToken"])

const hash = (token: string): string => createHash("sha256").update(token).digest("base64url")

/** A client that nobody signed in with for so long has to register again; one that nobody ever signed in with, sooner. */
const clientDays = 90
const unusedClientDays = 1

/**
 * Anybody may register: at most 4 KiB each (`OAuthRoutes.ts`), 40 MiB in all. Of more than these the oldest go, which have
 * had longest to be signed in with.
 */
export const mostUnusedClients = 10_000

/**
 * Ends a grant with all that was issued by it. The grant's own row goes first: who is issuing at this moment holds it
 * (`FOR KEY SHARE`), so the second statement sees what was issued, and nothing is issued after it.
 */
const makeRevoke = (sql: PgClient.PgClient) => (grant_id: string) =>
  Effect.andThen(
    sql`DELETE FROM footnote.oauth_entries WHERE model = 'Grant' AND id = ${grant_id}`,
    // In one order: of many that revoke the same none waits for another in a circle.
    sql`DELETE FROM footnote.oauth_entries WHERE (model, id) IN (
      SELECT model, id FROM footnote.oauth_entries WHERE grant_id = ${grant_id} ORDER BY model, id FOR UPDATE)`
  )

interface Row {
  readonly payload: AdapterPayload
  readonly consumed: number | null
}

/**
 * What the authorization server remembers, in one table that all replicas share. What has expired is not found, whether or
 * not it has been swept; a code or refresh token is consumed once, whoever asks at the same moment, and what is asked for
 * again ends its grant. While the database is away it rejects with `temporarily_unavailable`.
 */
export const makePayloadStore = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const run = yield* makeRun
  const execute = flow(Effect.asVoid<unknown, unknown, never>, run)
  const revoke = makeRevoke(sql)
  const makeRoom = sql`DELETE FROM footnote.oauth_entries WHERE model = 'Client' AND id IN (
    SELECT id FROM footnote.oauth_entries WHERE model = 'Client' AND used_at IS NULL
    ORDER BY created_at DESC OFFSET ${mostUnusedClients})`

  return (model: string): Adapter => {
    const idOf = (id: string) => bearers.has(model) ? hash(id) : id

    const find = (where: Statement.Fragment, jti?: string) =>
      sql<Row>`SELECT payload, extract(epoch FROM consumed_at)::int AS consumed FROM footnote.oauth_entries
        WHERE model = ${model} AND ${where} AND expires_at > now()`.pipe(
        Effect.map(([row]) =>
          row === undefined ? undefined : {
            ...row.payload,
            ...(jti === undefined ? {} : { jti }),
            ...(row.consumed === null ? {} : { consumed: row.consumed })
          }
        ),
        run
      )

    return {
      upsert: async (id, { jti, ...payload }, expiresIn) => {
        const stored = bearers.has(model) ? payload : { ...payload, ...(jti === undefined ? {} : { jti }) }
        const seconds = typeof expiresIn === "number" ? expiresIn : unusedClientDays * 86_400
        // What is issued needs a grant that nobody ends meanwhile.
        const granted = bearers.has(model)
          ? sql`WHERE EXISTS (SELECT FROM footnote.oauth_entries
              WHERE model = 'Grant' AND id = ${payload.grantId ?? null} FOR KEY SHARE)`
          : sql``
        const [written] = await run(sql`
          INSERT INTO footnote.oauth_entries (model, id, payload, key_id, grant_id, uid, expires_at)
          SELECT ${model}, ${idOf(id)}, ${JSON.stringify(stored)}::jsonb, ${payload.accountId ?? null},
            ${payload.grantId ?? null}, ${payload.uid ?? null}, now() + make_interval(secs => ${seconds})
          ${granted}
          ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, key_id = excluded.key_id,
            grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at
          RETURNING model`)
        if (written === undefined) throw new errors.InvalidGrant("the grant has been revoked")
        if (model === "Client") await execute(makeRoom)
        // Somebody has signed in with it.
        if (model === "Grant") {
          await execute(sql`UPDATE footnote.oauth_entries SET used_at = now(),
              expires_at = now() + make_interval(days => ${clientDays})
            WHERE model = 'Client' AND id = ${payload.clientId ?? null}`)
        }
      },
      find: async (id) => {
        if (model === "Client") {
          // A client lives on for as long as it is used.
          await execute(sql`UPDATE footnote.oauth_entries SET expires_at = now() + make_interval(days => ${clientDays})
            WHERE model = 'Client' AND id = ${id} AND used_at IS NOT NULL AND expires_at > now()
              AND expires_at < now() + make_interval(days => ${clientDays - 1})`)
        }
        return find(sql`id = ${idOf(id)}`, bearers.has(model) ? id : undefined)
      },
      findByUid: (uid) => find(sql`uid = ${uid}`),
      findByUserCode: () => Promise.resolve(undefined),
      consume: async (id) => {
        const used = await run(Effect.gen(function*() {
          const row = sql`model = ${model} AND id = ${idOf(id)}`
          const consumed = yield* sql`
            UPDATE footnote.oauth_entries SET consumed_at = now() WHERE ${row} AND consumed_at IS NULL RETURNING model`
          if (consumed.length > 0) return false
          const [granted] = yield* sql<{ readonly grant_id: string | null }>`
            SELECT grant_id FROM footnote.oauth_entries WHERE ${row}`
          if (typeof granted?.grant_id === "string") yield* revoke(granted.grant_id)
          return true
        }))
        if (used) throw new errors.InvalidGrant("it has been used before")
      },
      destroy: (id) =>
        execute(
          model === "Grant"
            ? revoke(id)
            : sql`DELETE FROM footnote.oauth_entries WHERE model = ${model} AND id = ${idOf(id)}`
        ),
      // The provider asks for it kind by kind; with one goes all.
      revokeByGrantId: (grantId) => execute(revoke(grantId))
    }
  }
})

/** Drops what is over: what has expired, and all that was granted by keys that have been revoked since. */
export const sweepPayloads = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  yield* sql`DELETE FROM footnote.oauth_entries e WHERE e.expires_at < now()
    OR EXISTS (SELECT FROM footnote.api_keys k WHERE k.id = e.key_id AND k.revoked_at IS NOT NULL)`
})
