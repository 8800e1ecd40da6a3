import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

layer(Server.layer, { excludeTestServices: true })("/v1/api-keys", (it) => {
  it.effect("POST 201 shows the secret once, and the secret works", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const made = yield* send("POST", "/v1/api-keys", { key, json: { name: "CI" } })
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(Object.keys(made.json), ["id", "name", "prefix", "secret", "scopes", "created_at"])
      assert.deepStrictEqual(made.json.scopes, ["*"])
      assert.isTrue(made.json.secret.startsWith(made.json.prefix))
      const list = yield* send("GET", "/v1/api-keys", { key: made.json.secret })
      assert.strictEqual(list.status, 200)
      assert.notInclude(list.text, made.json.secret)
      const listed = list.json.data.find(({ id }: { id: string }) => id === made.json.id)
      assert.deepStrictEqual(Object.keys(listed).toSorted(), [
        "created_at",
        "id",
        "last_used_at",
        "name",
        "prefix",
        "revoked_at",
        "scopes"
      ])
    }))

  it.effect("POST 201 keeps scopes as they are", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const scopes = ["jobs:read", "jobs:read", "Ω"]
      const made = yield* send("POST", "/v1/api-keys", { key, json: { name: "n", scopes } })
      assert.deepStrictEqual(made.json.scopes, scopes)
    }))

  it.effect("POST 400 INVALID_REQUEST names every wrong field", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const answer = yield* send("POST", "/v1/api-keys", {
        key,
        json: { name: "x".repeat(101), scopes: Array.from({ length: 21 }, () => "s"), scope: "*" }
      })
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(answer.json.error.code, "INVALID_REQUEST")
      const paths = answer.json.error.details.map(({ path }: { path: string }) => path)
      assert.sameMembers(paths, ["/name", "/scopes", "/scope"])
    }))

  it.effect("POST counts characters, not UTF-16 units", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      assert.strictEqual((yield* send("POST", "/v1/api-keys", { key, json: { name: "🎬".repeat(100) } })).status, 201)
      assert.strictEqual((yield* send("POST", "/v1/api-keys", { key, json: { name: "🎬".repeat(101) } })).status, 400)
    }))

  it.effect("GET pages through all keys once, newest first, while keys are added", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key, key_id } = yield* tenant("a")
      const made: Array<string> = []
      for (let n = 0; n < 4; n++) {
        made.push((yield* send("POST", "/v1/api-keys", { key, json: { name: `k${n}` } })).json.id)
      }
      const seen: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const path: string = `/v1/api-keys?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`
        const page = yield* send("GET", path, { key })
        seen.push(...page.json.data.map(({ id }: { id: string }) => id))
        cursor = page.json.next_cursor
        yield* send("POST", "/v1/api-keys", { key, json: { name: "later" } })
      }
      assert.sameMembers(seen, [key_id, ...made])
      assert.strictEqual(seen.length, 5)
    }))

  it.effect("DELETE is idempotent and tells the first moment again", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const made = (yield* send("POST", "/v1/api-keys", { key, json: { name: "n" } })).json
      const first = yield* send("DELETE", `/v1/api-keys/${made.id}`, { key })
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual(Object.keys(first.json), ["id", "revoked_at"])
      const second = yield* send("DELETE", `/v1/api-keys/${made.id}`, { key })
      assert.deepStrictEqual(second.json, first.json)
      const refused = yield* send("GET", "/v1/jobs", { key: made.secret })
      assert.strictEqual(refused.status, 401)
    }))

  it.effect("DELETE 400 API_KEY_SELF_REVOKE for the key that asks", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key, key_id } = yield* tenant("a")
      const answer = yield* send("DELETE", `/v1/api-keys/${key_id}`, { key })
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(answer.json.error.code, "API_KEY_SELF_REVOKE")
      assert.strictEqual((yield* send("GET", "/v1/api-keys", { key })).status, 200)
    }))

  it.effect("DELETE leaves one of two keys that revoke each other at the same moment, twenty times over", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      for (let round = 0; round < 20; round++) {
        const one = yield* tenant("a")
        const made = (yield* send("POST", "/v1/api-keys", { key: one.key, json: { name: "n" } })).json
        const answers = yield* Effect.all([
          send("DELETE", `/v1/api-keys/${made.id}`, { key: one.key }),
          send("DELETE", `/v1/api-keys/${one.key_id}`, { key: made.secret })
        ], { concurrency: "unbounded" })
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 401])
        const uses = yield* Effect.forEach([one.key, made.secret], (key) => send("GET", "/v1/api-keys", { key }))
        assert.deepStrictEqual(uses.map(({ status }) => status), answers.map(({ status }) => status))
      }
    }))

  it.effect("DELETE makes the key unknown to every request that starts after its answer, under load", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const made = (yield* send("POST", "/v1/api-keys", { key, json: { name: "n" } })).json
      let revoked = false
      const use = Effect.gen(function*() {
        for (let n = 0; n < 20; n++) {
          const late = revoked
          const { status } = yield* send("GET", "/v1/api-keys", { key: made.secret })
          assert.include(late ? [401] : [200, 401], status)
        }
        return revoked
      })
      const revoke = Effect.gen(function*() {
        assert.strictEqual((yield* send("DELETE", `/v1/api-keys/${made.id}`, { key })).status, 200)
        revoked = true
        return revoked
      })
      yield* Effect.all([...Array.from({ length: 8 }, () => use), revoke], { concurrency: "unbounded" })
      assert.strictEqual((yield* send("GET", "/v1/api-keys", { key: made.secret })).status, 401)
    }))

  it.effect("last_used_at is written by the first use and once a minute from then on, however many uses there are", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, key_id } = yield* tenant("a")
      yield* sql("CREATE TABLE public.touches (key_id text)")
      yield* sql(`CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN INSERT INTO public.touches VALUES (NEW.id); RETURN NEW; END $$`)
      yield* sql("CREATE TRIGGER touch AFTER UPDATE ON footnote.api_keys FOR EACH ROW EXECUTE FUNCTION public.touch()")
      yield* sql("GRANT SELECT ON public.touches TO footnote_engine")
      const engine = yield* PgClient.PgClient
      const touches = Effect.map(
        engine<{ n: number }>`SELECT count(*)::int AS n FROM public.touches WHERE key_id = ${key_id}`,
        ([row]) => row!.n
      )
      const use = Effect.map(send("GET", "/v1/api-keys", { key }), ({ json }) => json.data[0].last_used_at as string)
      const uses = yield* Effect.all(Array.from({ length: 30 }, () => use), { concurrency: "unbounded" })
      assert.strictEqual(new Set(uses).size, 1)
      assert.isString(uses[0])
      assert.strictEqual(yield* touches, 1)
      yield* sql(`UPDATE footnote.api_keys SET last_used_at = now() - interval '59 seconds' WHERE id = '${key_id}'`)
      yield* use
      assert.strictEqual(yield* touches, 2)
      yield* sql(`UPDATE footnote.api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = '${key_id}'`)
      yield* use
      assert.strictEqual(yield* touches, 4)
    }))

  it.effect("401 UNAUTHENTICATED says the same of no, malformed, unknown and revoked keys", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const revoked = (yield* send("POST", "/v1/api-keys", { key, json: { name: "n" } })).json
      yield* send("DELETE", `/v1/api-keys/${revoked.id}`, { key })
      const flipped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")
      const headers = [{}, { authorization: "Basic eDp5" }, { authorization: "Bearer" }].concat(
        ["nonsense", flipped, revoked.secret, `${key}x`].map((secret) => ({ authorization: `Bearer ${secret}` }))
      )
      for (const given of headers) {
        const answer = yield* send("GET", "/v1/jobs", { headers: { ...given, "x-request-id": "same" } })
        assert.strictEqual(answer.status, 401)
        assert.match(answer.headers["www-authenticate"] ?? "", /^Bearer/u)
        assert.deepStrictEqual(answer.json, {
          error: {
            code: "UNAUTHENTICATED",
            message: "Send a valid API key as Authorization: Bearer <key>.",
            request_id: "same"
          }
        })
      }
    }))
})
