import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { rounds } from "../support/Breadth.ts"
import { type KeyedRoute, keyedRoutes, keyedScene } from "../support/KeyedRoutes.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const uses = rounds(32)
const withKey = (call: Server.Call, key: string, value: string): Server.Call => ({
  ...call,
  key,
  headers: { ...call.headers, "idempotency-key": value }
})

layer(Server.layer, { excludeTestServices: true })("Idempotency-Key", (it) => {
  const scenario = Effect.fnUntraced(function*({ prepare }: KeyedRoute) {
    const { send, succeed, tenant } = yield* TestServer
    const { key } = yield* tenant("a")
    const prepared = yield* prepare(send, key, (id) => succeed(id, { result: {}, source: new Uint8Array(64) }))
    const count = prepared.made === ""
      ? Effect.succeed(0)
      : Effect.map(
        send("GET", prepared.made, { key }),
        ({ json }) => json.data.filter((one: { readonly is_template?: boolean }) => one.is_template !== true).length
      )
    return { ...prepared, key, send, tenant, count }
  })

  for (const route of keyedRoutes) {
    describe(route.name, () => {
      it.effect("replays what was told first, secrets included, and makes nothing", () =>
        Effect.gen(function*() {
          const { call, count, key, path, send } = yield* scenario(route)
          const before = yield* count
          const first = yield* send("POST", path, withKey(call, key, "once"))
          assert.strictEqual(first.status, route.status, first.text)
          assert.isUndefined(first.headers["idempotent-replayed"])
          const replay = yield* send("POST", path, withKey(call, key, "once"))
          assert.strictEqual(replay.status, 200, replay.text)
          assert.strictEqual(replay.headers["idempotent-replayed"], "true")
          assert.deepStrictEqual(replay.json, first.json)
          assert.strictEqual(replay.headers["location"], first.headers["location"])
          assert.isAtMost((yield* count) - before, 1)
        }))

      // At most as many as a tenant's line of schemas to be checked takes: a loaded machine has them all in it at once, and answers more with 429.
      it.effect(`makes one thing of ${uses} first uses at the same moment`, () =>
        Effect.gen(function*() {
          const { call, count, key, path, send } = yield* scenario(route)
          const before = yield* count
          const answers = yield* Effect.forEach(
            Array.from({ length: uses }),
            () => send("POST", path, withKey(call, key, "storm")),
            { concurrency: "unbounded" }
          )
          const replays = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true")
          assert.lengthOf(replays, uses - 1)
          assert.deepStrictEqual(
            answers.map(({ status }) => status).toSorted((a, b) => b - a),
            [route.status, ...Array.from({ length: uses - 1 }, () => 200)]
          )
          assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
          assert.isAtMost((yield* count) - before, 1)
        }))

      it.effect("422 IDEMPOTENCY_KEY_CONFLICT where something else is asked for, and 400 for a key that is none", () =>
        Effect.gen(function*() {
          const { call, key, other, path, send } = yield* scenario(route)
          yield* send("POST", path, withKey(call, key, "once"))
          const conflict = yield* send("POST", other.path, withKey(other.call, key, "once"))
          assert.deepStrictEqual([conflict.status, conflict.json.error.code], [422, "IDEMPOTENCY_KEY_CONFLICT"])
          const invalid = yield* send("POST", path, withKey(call, key, "x".repeat(256)))
          assert.deepStrictEqual([invalid.status, invalid.json.error.code], [400, "IDEMPOTENCY_KEY_INVALID"])
        }))

      it.effect("422 IDEMPOTENCY_KEY_ORPHANED once where what it made is gone; then the key is free", () =>
        Effect.gen(function*() {
          const { call, key, path, send, take } = yield* scenario(route)
          if (take === undefined) return
          const first = yield* send("POST", path, withKey(call, key, "orphan"))
          const [method, address] = take(first.json.id)
          assert.strictEqual((yield* send(method, address, { key })).status, 200)
          const orphaned = yield* send("POST", path, withKey(call, key, "orphan"))
          assert.deepStrictEqual([orphaned.status, orphaned.json.error.code], [422, "IDEMPOTENCY_KEY_ORPHANED"])
          const healed = yield* send("POST", path, withKey(call, key, "orphan"))
          assert.isUndefined(healed.headers["idempotent-replayed"])
        }))
    })
  }

  it.effect("tells no link of a signed address that is over", () =>
    Effect.gen(function*() {
      const { send, sql, succeed, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { first } = yield* keyedScene(send, key, (id) => succeed(id, { result: {}, source: new Uint8Array(64) }))
      const call = withKey({ json: { expires_in_seconds: 1 } }, key, "link")
      const link = yield* send("POST", `/v1/jobs/${first}/media-links`, call)
      assert.strictEqual(link.status, 201, link.text)
      yield* sql("UPDATE footnote.idempotency_keys SET made_id = '2026-01-01T00:00:00Z'")
      const over = yield* send("POST", `/v1/jobs/${first}/media-links`, call)
      assert.strictEqual(over.json.error.code, "IDEMPOTENCY_KEY_ORPHANED")
      assert.strictEqual((yield* send("POST", `/v1/jobs/${first}/media-links`, call)).status, 201)
    }))

  it.effect("is another key for another tenant and for another operation", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const schema = { name: "s", json_schema: { type: "object" } }
      const a = (yield* tenant("a")).key
      const b = (yield* tenant("b")).key
      const answers = [
        yield* send("POST", "/v1/schemas", withKey({ json: schema }, a, "same")),
        yield* send("POST", "/v1/schemas", withKey({ json: schema }, b, "same")),
        yield* send("POST", "/v1/api-keys", withKey({ json: { name: "k" } }, a, "same")),
        yield* send("POST", "/v1/jobs", withKey({ json: { source_uri: "https://example.com/a.mp4" } }, a, "same"))
      ]
      assert.deepStrictEqual(answers.map(({ status }) => status), [201, 201, 201, 201])
    }))

  it.effect("is free after a refusal, and forgotten after 24 hours", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const refused = yield* send(
        "POST",
        "/v1/schemas",
        withKey({ json: { name: "s", json_schema: { type: 7 } } }, key, "r")
      )
      assert.strictEqual(refused.status, 422)
      const call = withKey({ json: { name: "s", json_schema: { type: "object" } } }, key, "r")
      const first = yield* send("POST", "/v1/schemas", call)
      assert.strictEqual(first.status, 201)
      yield* sql("UPDATE footnote.idempotency_keys SET created_at = created_at - interval '24 hours'")
      const later = yield* send("POST", "/v1/schemas", call)
      assert.strictEqual(later.status, 201)
      assert.notStrictEqual(later.json.id, first.json.id)
    }))

  it.effect("keeps the answer sealed: no secret of it lies in the database", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      const { secret } = (yield* send("POST", "/v1/api-keys", withKey({ json: { name: "k" } }, key, "s"))).json
      yield* sql(`DO $$ BEGIN
        IF (SELECT position(convert_to('${secret}', 'UTF8') IN answer) FROM footnote.idempotency_keys
          WHERE tenant_id = '${tenant_id}') <> 0 THEN RAISE 'in the clear'; END IF; END $$`)
    }))
})
