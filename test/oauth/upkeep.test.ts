import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { sweepPayloads } from "../../src/oauth/PayloadStore.ts"
import { PublicAddress } from "../../src/web/server/PublicAddress.ts"
import { clientOf, signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { request } from "../support/ToolClient.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("what the authorization server keeps", (it) => {
  const arrange = Effect.gen(function*() {
    const server = yield* TestServer
    const tenant = yield* server.tenant("upkeep")
    const granted = yield* Effect.promise(() => signIn(server.base_url, tenant.key))
    const sql = yield* PgClient.PgClient
    const models = Effect.map(
      sql<{ model: string }>`SELECT model FROM footnote.oauth_entries WHERE key_id = ${tenant.key_id} ORDER BY model`,
      (rows) => rows.map(({ model }) => model)
    )
    return { ...server, ...tenant, ...granted, models, database: sql }
  })

  it.effect("what has expired is not found, and is swept away", () =>
    Effect.gen(function*() {
      const { access_token, key_id, models, sql } = yield* arrange
      yield* sweepPayloads
      assert.includeMembers(yield* models, ["AccessToken", "Grant", "RefreshToken"])
      yield* sql(`UPDATE footnote.oauth_entries SET expires_at = now() WHERE key_id = '${key_id}'`)
      assert.strictEqual((yield* request(access_token, "tools/list")).status, 401)
      yield* sweepPayloads
      assert.deepStrictEqual(yield* models, [])
    }))

  it.effect("all that a key granted goes once the key has been revoked, and nothing else", () =>
    Effect.gen(function*() {
      const gone = yield* arrange
      const kept = yield* arrange
      yield* gone.sql(`UPDATE footnote.api_keys SET revoked_at = now() WHERE id = '${gone.key_id}'`)
      yield* sweepPayloads
      assert.deepStrictEqual(yield* gone.models, [])
      assert.includeMembers(yield* kept.models, ["AccessToken", "Grant", "RefreshToken"])
    }))

  it.effect("keys that no longer open are made anew, and tokens are good as before", () =>
    Effect.gen(function*() {
      const { access_token, base_url, send, sql } = yield* arrange
      const before = yield* send("GET", "/oauth/jwks")
      yield* sql(`UPDATE footnote.oauth_secrets SET sealed = 'garbage'`)
      const server = yield* Server.replica({ FOOTNOTE_PUBLIC_URL: base_url })
      const after = yield* server.send("GET", "/oauth/jwks")
      assert.strictEqual(after.status, 200)
      assert.notStrictEqual(after.text, before.text)
      const again = yield* Server.replica()
      assert.strictEqual((yield* again.send("GET", "/oauth/jwks")).text, after.text)
      const listed = request(access_token, "tools/list")
      assert.strictEqual((yield* Effect.provideService(listed, TestServer, server)).status, 200)
    }))

  it.effect("processes that start at the same moment on keys that do not open agree on new ones", () =>
    Effect.gen(function*() {
      const { sql } = yield* arrange
      yield* sql(`UPDATE footnote.oauth_secrets SET sealed = 'garbage'`)
      const servers = yield* Effect.all(Array.from({ length: 4 }, () => Server.replica()), { concurrency: "unbounded" })
      const keys = yield* Effect.forEach(servers, ({ send }) => send("GET", "/oauth/jwks"))
      assert.strictEqual(new Set(keys.map(({ text }) => text)).size, 1)
    }))

  it.effect("a client lives for 90 days after its last use", () =>
    Effect.gen(function*() {
      const { base_url, database, sql, tenant } = yield* arrange
      const client_id = yield* Effect.promise(() => clientOf(base_url))
      yield* sql(`UPDATE footnote.oauth_entries SET expires_at = now() + interval '1 hour' WHERE id = '${client_id}'`)
      const { key } = yield* tenant("user")
      yield* Effect.promise(() => signIn(base_url, key))
      const [row] = yield* database<{ days: number }>`
        SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days
        FROM footnote.oauth_entries WHERE model = 'Client' AND id = ${client_id}`
      assert.strictEqual(row!.days, 90)
    }))

  it.effect("an address that is not https is warned of in production", () =>
    Effect.gen(function*() {
      const listening = yield* HttpServer.HttpServer
      const warningsWith = (env: Readonly<Record<string, string>>) =>
        Effect.gen(function*() {
          const lines: Array<string> = []
          const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel}: ${String(message)}`))
          yield* Layer.build(PublicAddress.layer.pipe(
            Layer.provide(Layer.succeed(HttpServer.HttpServer, listening)),
            Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))),
            Layer.provide(Logger.layer([logger]))
          ))
          return lines
        })
      const production = { NODE_ENV: "production" }
      assert.match((yield* warningsWith(production))[0] ?? "", /^Warn: .*Set FOOTNOTE_PUBLIC_URL/u)
      assert.match(
        (yield* warningsWith({ ...production, FOOTNOTE_PUBLIC_URL: "http://footnote.example" }))[0] ?? "",
        /^Warn: .*http:\/\/footnote\.example/u
      )
      assert.deepStrictEqual(
        yield* warningsWith({ ...production, FOOTNOTE_PUBLIC_URL: "https://footnote.example" }),
        []
      )
      assert.deepStrictEqual(yield* warningsWith({}), [])
    }))
})
