import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const url = "https://example.com/hook"
const video = { "content-type": "video/mp4" }

interface Prepared {
  readonly path: string
  readonly call: Server.Call
  /** The same operation with the same key, and something else asked for. */
  readonly other: { readonly path: string; readonly call: Server.Call }
  /** How many of what it makes there are. */
  readonly made: string
  /** Takes away what was made; undefined where it cannot be. */
  readonly take?: (id: string) => readonly ["DELETE", string]
}

interface Route {
  readonly name: string
  readonly status: 200 | 201 | 202
  readonly prepare: (
    send: Server.TestServer["Service"]["send"],
    key: string,
    succeed: (id: string) => Effect.Effect<void>
  ) => Effect.Effect<Prepared>
}

const json = (path: string, body: object, other: object, made: string, take?: Prepared["take"]): Prepared => ({
  path,
  call: { json: body },
  other: { path, call: { json: other } },
  made,
  ...(take === undefined ? {} : { take })
})

const begin = (length: string) => ({ headers: { "tus-resumable": "1.0.0", "upload-length": length } })
const said = (text: string) => ({ segments: [{ text }], wait_seconds: 0 })
const since = (at: string) => ({ since: `2026-11-20T09:30:0${at}Z` })
const webhook = { name: "w", type: "webhook", config: { url } }

/** Two succeeded jobs and a destination that is paused, so that nothing is on its way while it is looked at. */
const scene = Effect.fnUntraced(function*(
  send: Server.TestServer["Service"]["send"],
  key: string,
  succeed: (id: string) => Effect.Effect<void>
) {
  const [first, second] = yield* Effect.forEach([1, 2], () =>
    Effect.gen(function*() {
      const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
      yield* succeed(id)
      return String(id)
    }))
  const destination = (yield* send("POST", "/v1/destinations", { key, json: webhook })).json
  yield* send("PATCH", `/v1/destinations/${destination.id}`, { key, json: { status: "paused" } })
  return { first: first!, second: second!, destination_id: String(destination.id) }
})

const routes: ReadonlyArray<Route> = [
  {
    name: "POST /v1/schemas",
    status: 201,
    prepare: () =>
      Effect.succeed(json(
        "/v1/schemas",
        { name: "s", json_schema: { type: "object", properties: { b: { type: "string" }, a: { type: "string" } } } },
        { name: "s", json_schema: { type: "object" } },
        "/v1/schemas",
        (id) => ["DELETE", `/v1/schemas/${id}`]
      ))
  },
  {
    name: "POST /v1/exports",
    status: 201,
    prepare: () =>
      Effect.succeed(json("/v1/exports", {}, { include: [] }, "/v1/exports", (id) => ["DELETE", `/v1/exports/${id}`]))
  },
  {
    name: "POST /v1/destinations",
    status: 201,
    prepare: () =>
      Effect.succeed(json(
        "/v1/destinations",
        webhook,
        { ...webhook, name: "x" },
        "/v1/destinations",
        (id) => ["DELETE", `/v1/destinations/${id}`]
      ))
  },
  {
    name: "POST /v1/api-keys",
    status: 201,
    prepare: () =>
      Effect.succeed(json(
        "/v1/api-keys",
        { name: "k" },
        { name: "l" },
        "/v1/api-keys",
        (id) => ["DELETE", `/v1/api-keys/${id}`]
      ))
  },
  {
    name: "POST /v1/uploads with a whole file",
    status: 201,
    prepare: () =>
      Effect.succeed({
        path: "/v1/uploads",
        call: { body: "the file", headers: video },
        other: { path: "/v1/uploads", call: { body: "another file", headers: video } },
        made: "",
        take: (id) => ["DELETE", `/v1/uploads/${id}`]
      })
  },
  {
    name: "POST /v1/uploads in the tus protocol",
    status: 201,
    prepare: () => {
      return Effect.succeed({
        path: "/v1/uploads",
        call: begin("20"),
        other: { path: "/v1/uploads", call: begin("21") },
        made: "",
        take: (id) => ["DELETE", `/v1/uploads/${id}`]
      })
    }
  },
  {
    name: "POST /v1/jobs/{id}/deliveries",
    status: 201,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id, first, second } = yield* scene(send, key, succeed)
      const call = { json: { destination_id } }
      return {
        path: `/v1/jobs/${first}/deliveries`,
        call,
        other: { path: `/v1/jobs/${second}/deliveries`, call },
        made: `/v1/deliveries?destination_id=${destination_id}`
      }
    })
  },
  {
    name: "POST /v1/deliveries/{id}/retry",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id, first, second } = yield* scene(send, key, succeed)
      const [one, other] = yield* Effect.forEach(
        [first, second],
        (id) =>
          Effect.map(
            send("POST", `/v1/jobs/${id}/deliveries`, { key, json: { destination_id } }),
            ({ json }) => json.id
          )
      )
      return {
        path: `/v1/deliveries/${one}/retry`,
        call: {},
        other: { path: `/v1/deliveries/${other}/retry`, call: {} },
        made: ""
      }
    })
  },
  {
    name: "POST /v1/destinations/{id}/rotate-signing-secret",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id } = yield* scene(send, key, succeed)
      const path = `/v1/destinations/${destination_id}/rotate-signing-secret`
      return {
        ...json(path, { keep_old_for_seconds: 60 }, { keep_old_for_seconds: 61 }, ""),
        take: () => ["DELETE", `/v1/destinations/${destination_id}`]
      }
    })
  },
  {
    name: "POST /v1/destinations/{id}/recover",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { destination_id } = yield* scene(send, key, succeed)
      const path = `/v1/destinations/${destination_id}/recover`
      return {
        ...json(path, since("0"), since("1"), ""),
        take: () => ["DELETE", `/v1/destinations/${destination_id}`]
      }
    })
  },
  {
    name: "POST /v1/destinations/{id}/test",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key) {
      // An address that leads nowhere: what is found is told all the same, with the moment of this one check.
      const [one, other] = yield* Effect.forEach(["one", "other"], (name) => {
        const json = { name, type: "webhook", config: { url: `https://${name}.invalid/hook` } }
        return Effect.map(send("POST", "/v1/destinations", { key, json }), ({ json }) => `/v1/destinations/${json.id}`)
      })
      return {
        path: `${one}/test`,
        call: {},
        other: { path: `${other}/test`, call: {} },
        made: "",
        take: () => ["DELETE", one!]
      }
    })
  },
  {
    name: "POST /v1/jobs/{id}/cancel",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key) {
      const [one, other] = yield* Effect.forEach([1, 2], () => {
        const json = { source_uri: "https://example.com/a.mp4" }
        return Effect.map(send("POST", "/v1/jobs", { key, json }), ({ json }) => `/v1/jobs/${json.id}`)
      })
      return {
        path: `${one}/cancel`,
        call: {},
        other: { path: `${other}/cancel`, call: {} },
        made: "",
        take: (id) => ["DELETE", `/v1/jobs/${id}`]
      }
    })
  },
  {
    name: "POST /v1/jobs/{id}/preview",
    status: 202,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { first, second } = yield* scene(send, key, succeed)
      return {
        path: `/v1/jobs/${first}/preview`,
        call: {},
        other: { path: `/v1/jobs/${second}/preview`, call: {} },
        made: ""
      }
    })
  },
  {
    name: "POST /v1/jobs/{id}/media-links",
    status: 201,
    prepare: Effect.fnUntraced(function*(send, key, succeed) {
      const { first } = yield* scene(send, key, succeed)
      return json(`/v1/jobs/${first}/media-links`, {}, { expires_in_seconds: 60 }, "")
    })
  },
  {
    name: "POST /v1/schemas/infer",
    status: 200,
    prepare: () =>
      Effect.succeed(json("/v1/schemas/infer", { examples: [{ a: 1, b: "c" }] }, { examples: [{ a: "b" }] }, ""))
  },
  {
    name: "POST /v1/schemas/{id}/test",
    status: 200,
    prepare: Effect.fnUntraced(function*(send, key) {
      const { id } = (yield* send("POST", "/v1/schemas", { key, json: { name: "s", json_schema: { type: "object" } } }))
        .json
      return json(`/v1/schemas/${id}/test`, said("Four dollars."), said("Five dollars."), "/v1/jobs")
    })
  },
  {
    name: "POST /v1/jobs/estimate",
    status: 200,
    prepare: () => Effect.succeed(json("/v1/jobs/estimate", { duration_seconds: 60 }, { duration_seconds: 61 }, ""))
  }
]

const withKey = (call: Server.Call, key: string, value: string): Server.Call => ({
  ...call,
  key,
  headers: { ...call.headers, "idempotency-key": value }
})

layer(Server.layer, { excludeTestServices: true })("Idempotency-Key", (it) => {
  const scenario = Effect.fnUntraced(function*({ prepare }: Route) {
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

  for (const route of routes) {
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

      // As many as a tenant's line of schemas to be checked takes: a loaded machine has them all in it at once, and answers more with 429.
      it.effect("makes one thing of 32 first uses at the same moment", () =>
        Effect.gen(function*() {
          const { call, count, key, path, send } = yield* scenario(route)
          const before = yield* count
          const answers = yield* Effect.forEach(
            Array.from({ length: 32 }),
            () => send("POST", path, withKey(call, key, "storm")),
            { concurrency: "unbounded" }
          )
          const replays = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true")
          assert.lengthOf(replays, 31)
          assert.deepStrictEqual(
            answers.map(({ status }) => status).toSorted((a, b) => b - a),
            [route.status, ...Array.from({ length: 31 }, () => 200)]
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
      const { first } = yield* scene(send, key, (id) => succeed(id, { result: {}, source: new Uint8Array(64) }))
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
