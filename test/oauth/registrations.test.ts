import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mostUnusedClients, sweepPayloads } from "../../src/oauth/PayloadStore.ts"
import { begin, redirect_uri, registerClient, signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const register = (base_url: string, metadata: object, from = "192.0.2.1") =>
  fetch(`${base_url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ redirect_uris: [redirect_uri], ...metadata })
  })

layer(Server.layer, { excludeTestServices: true })("POST /oauth/register", (it) => {
  const hoursLeft = Effect.fnUntraced(function*(client_id: string) {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{ hours: number }>`
      SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours
      FROM footnote.oauth_entries WHERE model = 'Client' AND id = ${client_id}`
    return row?.hours
  })

  it.effect("a client that nobody signs in with is gone after a day, however often it is looked at", () =>
    Effect.gen(function*() {
      const { base_url, sql, tenant } = yield* TestServer
      const unused = yield* Effect.promise(() => registerClient(base_url))
      yield* Effect.promise(() => begin(base_url, { client_id: unused }))
      assert.strictEqual(yield* hoursLeft(unused), 24)
      const used = yield* Effect.promise(() => registerClient(base_url))
      const { key } = yield* tenant("registrations")
      yield* Effect.promise(() => signIn(base_url, key, { client_id: used }))
      assert.strictEqual(yield* hoursLeft(used), 90 * 24)
      yield* sql(
        `UPDATE footnote.oauth_entries SET expires_at = expires_at - interval '25 hours' WHERE model = 'Client'`
      )
      yield* sweepPayloads
      assert.isUndefined(yield* hoursLeft(unused))
      assert.strictEqual(yield* hoursLeft(used), 90 * 24 - 25)
    }))

  it.effect(`of more than ${mostUnusedClients} that nobody signed in with the oldest go, and none that somebody did`, () =>
    Effect.gen(function*() {
      const { base_url, sql } = yield* TestServer
      const rows = (name: string, count: number, age: string, used: string) =>
        sql(`INSERT INTO footnote.oauth_entries (model, id, payload, created_at, used_at, expires_at)
          SELECT 'Client', '${name}' || n, '{}', now() - interval '${age}', ${used}, now() + interval '1 day'
          FROM generate_series(1, ${count}) n`)
      yield* rows("old", 3, "2 hours", "NULL")
      yield* rows("kept", 2, "3 hours", "now()")
      yield* rows("new", mostUnusedClients - 1, "1 hour", "NULL")
      const client_id = yield* Effect.promise(() => registerClient(base_url))
      assert.isUndefined(yield* hoursLeft("old1"))
      assert.strictEqual(yield* hoursLeft("kept1"), 24)
      assert.strictEqual(yield* hoursLeft("new1"), 24)
      assert.strictEqual(yield* hoursLeft(client_id), 24)
    }))

  it.effect("400 for more than 4 KiB", () =>
    Effect.gen(function*() {
      const { base_url } = yield* TestServer
      const long = {
        client_uri: `https://app.example/${"x".repeat(1900)}`,
        tos_uri: `https://app.example/${"x".repeat(2200)}`
      }
      const answer = yield* Effect.promise(() => register(base_url, long))
      assert.strictEqual(answer.status, 400)
      const { error_description } = (yield* Effect.promise(() => answer.json())) as any
      assert.include(error_description, "4096 bytes")
    }))

  it.effect("429 for the thirty-first of one /48 in a minute, from whichever of its networks, and not for others", () =>
    Effect.gen(function*() {
      const { base_url } = yield* Server.replica({ TRUST_PROXY: "127.0.0.1" })
      const statuses = yield* Effect.promise(async () => {
        const statuses: Array<number> = []
        for (let network = 0; network < 32; network++) {
          statuses.push((await register(base_url, {}, `2001:db8:7:${network.toString(16)}::1`)).status)
        }
        return statuses
      })
      assert.isAtMost(statuses.filter((status) => status === 201).length, 31)
      assert.strictEqual(statuses.at(-1), 429)
      assert.strictEqual((yield* Effect.promise(() => register(base_url, {}, "2001:db8:8::1"))).status, 201)
    }))
})
