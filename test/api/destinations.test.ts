import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import { leavingReceiver } from "../support/LeavingReceiver.ts"
import { receiver, type Reply } from "../support/Receiver.ts"
import * as Service from "../support/TestServer.ts"

const { TestServer } = Service

const TestLayer = Service.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ SOURCE_ALLOW_PRIVATE: "127.0.0.0/8" })))
)

const url = "https://example.com/hook"
const slack = { type: "slack", config: { bot_token: "xoxb-1-2-canary", channel: "C0123456789" } }
const unknown = "dst_01kaj3e5h8z9q0w1x2y3z4a5b6"

/** A tenant and its calls. */
const tenant = Effect.gen(function*() {
  const { send, tenant } = yield* TestServer
  const { key, tenant_id } = yield* tenant("a")
  const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, json?: unknown) =>
    send(method, `/v1/destinations${path}`, json === undefined ? { key } : { key, json })
  const create = (config: Readonly<Record<string, unknown>> = { url }, name = "hook") =>
    call("POST", "", { name, type: "webhook", config })
  return { key, tenant_id, call, create }
})

/** A webhook destination at a receiver of its own. */
const withReceiver = Effect.fn("withReceiver")(function*(...replies: readonly [Reply, ...ReadonlyArray<Reply>]) {
  const { call, create } = yield* tenant
  const inbox = yield* receiver(...replies)
  const { json } = yield* create({ url: inbox.url })
  return { inbox, call, id: json.id as string, secret: json.signing_secret as string }
})

const patch = (url: string, key: string, config: object) =>
  fetch(url, {
    method: "PATCH",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ config })
  })

const details = (answer: Service.Answer) => answer.json.error.details.map(({ path }: { path: string }) => path)

layer(TestLayer, { excludeTestServices: true })("/v1/destinations", (it) => {
  describe("POST /v1/destinations", () => {
    it.effect("201 answers an active destination without its config, and a webhook's secret once", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const made = yield* create({ url: `${url}?token=canary`, headers: { "x-key": "canary" } })
        assert.strictEqual(made.status, 201)
        assert.deepStrictEqual(Object.keys(made.json), [
          "id",
          "name",
          "type",
          "status",
          "events",
          "last_health_check_at",
          "last_health_status",
          "last_health_message",
          "created_at",
          "signing_secret"
        ])
        assert.match(made.json.id, /^dst_/u)
        assert.match(made.json.signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/u)
        assert.deepInclude(made.json, {
          name: "hook",
          type: "webhook",
          status: "active",
          last_health_check_at: null,
          last_health_message: null,
          last_health_status: null
        })
        const { signing_secret: _, ...shown } = made.json
        const read = yield* call("GET", `/${made.json.id}`)
        assert.deepStrictEqual(read.json, shown)
        assert.notInclude(made.text + read.text, "canary")
      }))

    it.effect("201 shows no secret for a destination of another type", () =>
      Effect.gen(function*() {
        const { call } = yield* tenant
        const made = yield* call("POST", "", { name: "s", ...slack })
        assert.strictEqual(made.status, 201)
        assert.notProperty(made.json, "signing_secret")
        assert.notInclude(made.text, "canary")
      }))

    it.effect("400 INVALID_REQUEST names every field that is wrong, missing or unknown", () =>
      Effect.gen(function*() {
        const { call } = yield* tenant
        const answer = yield* call("POST", "", { name: "x".repeat(81), type: "ftp", config: [], url })
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(answer.json.error.code, "INVALID_REQUEST")
        assert.sameMembers(details(answer), ["/name", "/type", "/config", "/url"])
        assert.sameMembers(details(yield* call("POST", "", {})), ["/name", "/type", "/config"])
        assert.deepStrictEqual(details(yield* call("POST", "", { name: "", ...slack })), ["/name"])
        assert.strictEqual((yield* call("POST", "", { name: "🎬".repeat(80), ...slack })).status, 201)
      }))

    it.effect("422 DESTINATION_CONFIG_INVALID names every field by JSON pointer and repeats no value", () =>
      Effect.gen(function*() {
        const { call } = yield* tenant
        const answer = yield* call("POST", "", {
          name: "s",
          type: "snowflake",
          config: { account: "canary!", user: 1, private_key: "canary", token: "canary" }
        })
        assert.strictEqual(answer.status, 422)
        assert.strictEqual(answer.json.error.code, "DESTINATION_CONFIG_INVALID")
        const fields = ["account", "user", "private_key", "token", "warehouse", "database", "schema", "table"]
        assert.sameMembers(details(answer), fields.map((field) => `/config/${field}`))
        assert.notInclude(answer.text, "canary")
      }))

    it.effect("422 DESTINATION_CONFIG_INVALID for addresses that are not public", () =>
      Effect.gen(function*() {
        const { create } = yield* tenant
        const blocked = [
          "http://10.0.0.1/",
          "https://localhost/x",
          "http://[::1]/",
          "http://169.254.169.254/",
          "https://a:b@example.com/"
        ]
        for (const url of blocked) {
          const answer = yield* create({ url })
          assert.strictEqual(answer.status, 422, url)
          assert.deepStrictEqual(details(answer), ["/config/url"])
        }
      }))
  })

  describe("GET /v1/destinations", () => {
    it.effect("200 pages through all of them once, newest first, without deleted ones", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const made: Array<string> = []
        for (let at = 0; at < 6; at++) made.push((yield* create({ url }, `d${at}`)).json.id)
        yield* call("DELETE", `/${made[3]}`)
        const seen: Array<string> = []
        for (let query = "?limit=2"; query !== "";) {
          const { json } = yield* call("GET", query)
          seen.push(...json.data.map(({ id }: { id: string }) => id))
          query = json.next_cursor === null ? "" : `?limit=2&cursor=${json.next_cursor}`
          if (seen.length === 2) yield* create({ url }, "later")
        }
        assert.deepStrictEqual(seen, made.filter((id) => id !== made[3]).toReversed())
      }))

    it.effect("400 INVALID_REQUEST for a limit outside of 1 to 100 and for a cursor that is none of this list", () =>
      Effect.gen(function*() {
        const { call } = yield* tenant
        for (const query of ["limit=0", "limit=101", "limit=x", "cursor=%21", `cursor=${btoa("job_1")}`]) {
          assert.strictEqual((yield* call("GET", `?${query}`)).status, 400, query)
        }
      }))
  })

  describe("PATCH /v1/destinations/{id}", () => {
    it.effect("200 changes what is named and nothing else", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const { signing_secret: _, ...made } = (yield* create()).json
        assert.deepStrictEqual((yield* call("PATCH", `/${made.id}`, {})).json, made)
        const renamed = yield* call("PATCH", `/${made.id}`, { name: "other" })
        assert.deepStrictEqual(renamed.json, { ...made, name: "other" })
        const paused = yield* call("PATCH", `/${made.id}`, { status: "paused" })
        assert.deepStrictEqual(paused.json, { ...made, name: "other", status: "paused" })
        assert.strictEqual((yield* call("PATCH", `/${made.id}`, { status: "active" })).json.status, "active")
      }))

    it.effect("200 takes a config whole; the new one is what is called from then on, and nothing is known of it yet", () =>
      Effect.gen(function*() {
        const { call, id, inbox } = yield* withReceiver({ status: 200 })
        const other = yield* receiver({ status: 200 })
        assert.strictEqual((yield* call("POST", `/${id}/test`)).json.last_health_status, "ok")
        const changed = yield* call("PATCH", `/${id}`, { config: { url: other.url, headers: { "x-a": "canary" } } })
        assert.deepInclude(changed.json, { last_health_check_at: null, last_health_status: null })
        assert.notInclude(changed.text, "canary")
        yield* call("POST", `/${id}/test`)
        assert.lengthOf(inbox.received, 1)
        assert.strictEqual(other.received[0]?.headers["x-a"], "canary")
      }))

    it.effect("400 INVALID_REQUEST for a type, for broken as a status, and for unknown fields", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const { id } = (yield* create()).json
        for (const body of [{ type: "slack" }, { status: "broken" }, { name: "" }, { id }]) {
          const answer = yield* call("PATCH", `/${id}`, body)
          assert.strictEqual(answer.status, 400)
          assert.deepStrictEqual(details(answer), Object.keys(body).map((name) => `/${name}`))
        }
      }))

    it.effect("422 DESTINATION_CONFIG_INVALID for a config of another type, and nothing of the request is done", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const { id } = (yield* create()).json
        const answer = yield* call("PATCH", `/${id}`, { name: "new", config: slack.config })
        assert.strictEqual(answer.status, 422)
        assert.sameMembers(details(answer), ["/config/url", "/config/bot_token", "/config/channel"])
        assert.strictEqual((yield* call("GET", `/${id}`)).json.name, "hook")
      }))
  })

  describe("DELETE /v1/destinations/{id}", () => {
    it.effect("200 tells the first moment again; every read and change is 404 from then on", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const { id } = (yield* create()).json
        const first = yield* call("DELETE", `/${id}`)
        assert.strictEqual(first.status, 200)
        assert.deepStrictEqual(Object.keys(first.json), ["id", "deleted_at"])
        assert.deepStrictEqual((yield* call("DELETE", `/${id}`)).json, first.json)
        const gone = [
          yield* call("GET", `/${id}`),
          yield* call("PATCH", `/${id}`, { name: "x" }),
          yield* call("POST", `/${id}/test`),
          yield* call("POST", `/${id}/rotate-signing-secret`, {}),
          yield* call("POST", `/${id}/recover`, { since: "2026-01-01T00:00:00Z" })
        ]
        for (const { json, status } of gone) {
          assert.strictEqual(status, 404)
          assert.strictEqual(json.error.code, "DESTINATION_NOT_FOUND")
        }
        assert.deepStrictEqual((yield* call("GET", "")).json, { data: [], next_cursor: null })
      }))
  })

  describe("POST /v1/destinations/{id}/rotate-signing-secret", () => {
    /** Which secrets the next test event can be verified with. */
    const signedWith = Effect.fn("signedWith")(function*(
      { call, id, inbox }: Effect.Success<ReturnType<typeof withReceiver>>,
      secrets: ReadonlyArray<string>
    ) {
      yield* call("POST", `/${id}/test`)
      const { body, headers } = inbox.received.at(-1)!
      return secrets.map((secret) => {
        try {
          new Webhook(secret).verify(body, headers as Record<string, string>)
          return true
        } catch {
          return false
        }
      })
    })

    it.effect("200 answers in the shape of the creation, and the old secret signs no more", () =>
      Effect.gen(function*() {
        const hook = yield* withReceiver({ status: 200 })
        assert.deepStrictEqual(yield* signedWith(hook, [hook.secret]), [true])
        const rotated = yield* hook.call("POST", `/${hook.id}/rotate-signing-secret`, {})
        assert.strictEqual(rotated.status, 200)
        assert.strictEqual(Object.keys(rotated.json).at(-1), "signing_secret")
        assert.strictEqual(rotated.json.id, hook.id)
        assert.deepStrictEqual(yield* signedWith(hook, [hook.secret, rotated.json.signing_secret]), [false, true])
      }))

    it.effect("200 signs with both secrets within the window, and with the last two alone", () =>
      Effect.gen(function*() {
        const { sql } = yield* TestServer
        const hook = yield* withReceiver({ status: 200 })
        const rotate = Effect.map(
          hook.call("POST", `/${hook.id}/rotate-signing-secret`, { keep_old_for_seconds: 604_800 }),
          ({ json }) => json.signing_secret as string
        )
        const second = yield* rotate
        assert.deepStrictEqual(yield* signedWith(hook, [hook.secret, second]), [true, true])
        const third = yield* rotate
        assert.deepStrictEqual(yield* signedWith(hook, [hook.secret, second, third]), [false, true, true])
        assert.lengthOf(String(hook.inbox.received.at(-1)!.headers["webhook-signature"]).split(" "), 2)
        yield* sql(`UPDATE footnote.destinations SET previous_secret_until = now() WHERE id = '${hook.id}'`)
        assert.deepStrictEqual(yield* signedWith(hook, [second, third]), [false, true])
      }))

    it.effect("200 leaves the last two of rotations at the same moment", () =>
      Effect.gen(function*() {
        const hook = yield* withReceiver({ status: 200 })
        const rotate = hook.call("POST", `/${hook.id}/rotate-signing-secret`, { keep_old_for_seconds: 60 })
        const secrets = (yield* Effect.all(Array.from({ length: 8 }, () => rotate), { concurrency: "unbounded" }))
          .map(({ json }) => json.signing_secret as string)
        assert.strictEqual(new Set(secrets).size, 8)
        assert.lengthOf((yield* signedWith(hook, secrets)).filter((verified) => verified), 2)
        assert.deepStrictEqual(yield* signedWith(hook, [hook.secret]), [false])
      }))

    it.effect("200 takes no body for 0 seconds", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const { id } = (yield* create()).json
        assert.strictEqual((yield* call("POST", `/${id}/rotate-signing-secret`)).status, 200)
      }))

    it.effect("400 INVALID_REQUEST outside of 0 to 604800 whole seconds", () =>
      Effect.gen(function*() {
        const { call, create } = yield* tenant
        const { id } = (yield* create()).json
        for (const keep_old_for_seconds of [-1, 604_801, 0.5, "60", null]) {
          const answer = yield* call("POST", `/${id}/rotate-signing-secret`, { keep_old_for_seconds })
          assert.strictEqual(answer.status, 400)
          assert.deepStrictEqual(details(answer), ["/keep_old_for_seconds"])
        }
      }))

    it.effect("422 DESTINATION_TYPE_UNSUPPORTED for a destination that is no webhook", () =>
      Effect.gen(function*() {
        const { call } = yield* tenant
        const { id } = (yield* call("POST", "", { name: "s", ...slack })).json
        const answer = yield* call("POST", `/${id}/rotate-signing-secret`, {})
        assert.strictEqual(answer.status, 422)
        assert.strictEqual(answer.json.error.code, "DESTINATION_TYPE_UNSUPPORTED")
      }))
  })

  describe("POST /v1/destinations/{id}/test", () => {
    it.effect("200 sends a signed destination.test event and tells what came of it", () =>
      Effect.gen(function*() {
        const { call, id, inbox, secret } = yield* withReceiver({ status: 204 })
        const answer = yield* call("POST", `/${id}/test`)
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(answer.json, { status: "active", last_health_status: "ok" })
        assert.isNotNull(answer.json.last_health_check_at)
        const { body, headers } = inbox.received[0]!
        const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { readonly type: string }
        assert.strictEqual(event.type, "destination.test")
      }))

    it.effect("200 breaks a destination that is gone, and a good test makes it active again", () =>
      Effect.gen(function*() {
        const { call, id } = yield* withReceiver({ status: 410 }, { status: 503 }, { status: 200 })
        const seen: Array<readonly [status: string, why: string | null]> = []
        for (let tries = 0; tries < 3; tries++) {
          const { last_health_message, status } = (yield* call("POST", `/${id}/test`)).json
          seen.push([status, last_health_message])
        }
        assert.deepStrictEqual(seen, [["broken", "answered 410"], ["broken", "answered 503"], ["active", null]])
      }))

    it.effect("200 leaves an active destination active for trouble that may pass", () =>
      Effect.gen(function*() {
        const { call, id } = yield* withReceiver({ status: 503 })
        assert.deepInclude((yield* call("POST", `/${id}/test`)).json, {
          status: "active",
          last_health_status: "http_503"
        })
      }))

    it.effect("200 says nothing of a config that was changed while it was looked at: the new one is", () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        const { call, create, key } = yield* tenant
        const good = yield* receiver({ status: 200 })
        let id = ""
        const leaving = yield* leavingReceiver(() => patch(`${base_url}/v1/destinations/${id}`, key, { url: good.url }))
        id = (yield* create({ url: leaving })).json.id
        const answer = yield* call("POST", `/${id}/test`)
        assert.deepInclude(answer.json, { status: "active", last_health_status: "ok" })
        assert.lengthOf(good.received, 1)
      }))

    it.effect("200 leaves a paused destination paused, whatever is found", () =>
      Effect.gen(function*() {
        const { call, id } = yield* withReceiver({ status: 410 }, { status: 200 })
        yield* call("PATCH", `/${id}`, { status: "paused" })
        assert.strictEqual((yield* call("POST", `/${id}/test`)).json.status, "paused")
        assert.strictEqual((yield* call("POST", `/${id}/test`)).json.status, "paused")
      }))
  })

  it.effect("404 DESTINATION_NOT_FOUND on every route says the same of unknown and malformed ids", () =>
    Effect.gen(function*() {
      const { call } = yield* tenant
      for (const id of [unknown, "nonsense", "job_01kaj3e5h8z9q0w1x2y3z4a5b6"]) {
        const answers = [
          yield* call("GET", `/${id}`),
          yield* call("PATCH", `/${id}`, {}),
          yield* call("DELETE", `/${id}`),
          yield* call("POST", `/${id}/test`),
          yield* call("POST", `/${id}/rotate-signing-secret`, {})
        ]
        for (const { json, status } of answers) {
          assert.strictEqual(status, 404)
          assert.strictEqual(json.error.code, "DESTINATION_NOT_FOUND")
        }
      }
    }))
})
