import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import * as Scene from "../support/DeliveryScene.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const source_uri = "https://example.com/talk.mp4"

layer(Scene.layer, { excludeTestServices: true })("/v1/settings", (it) => {
  it.effect("are empty at first, and take what jobs without destination_ids are sent to", () =>
    Effect.gen(function*() {
      const { call, destination_id } = yield* Scene.setting({ status: 200 })
      const none = { default_destination_ids: [], has_webhook_secret: false, language_model: null }
      assert.deepStrictEqual((yield* call("GET", "/v1/settings")).json, none)
      const changed = yield* call("PATCH", "/v1/settings", { default_destination_ids: [destination_id] })
      assert.deepStrictEqual(changed.json, { ...none, default_destination_ids: [destination_id] })
      const made = (body: object) =>
        Effect.map(call("POST", "/v1/jobs", { source_uri, ...body }), ({ json }) => json.destination_ids)
      assert.deepStrictEqual(yield* made({}), [destination_id])
      assert.deepStrictEqual(yield* made({ destination_ids: [] }), [])
      yield* call("DELETE", `/v1/destinations/${destination_id}`)
      assert.deepStrictEqual((yield* call("GET", "/v1/settings")).json, none)
      assert.deepStrictEqual(yield* made({}), [])
    }))

  it.effect("take a language model of the tenant's own, sealed: its key is shown to nobody, and no other tenant has it", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* Scene.setting({ status: 200 }), yield* Scene.setting({ status: 200 })]
      const model = { url: "https://llm.example.com/v1", model: "reader-30b", api_key: "sk-canary-77" }
      const set = yield* mine.call("PATCH", "/v1/settings", { language_model: model })
      const shown = { host: "llm.example.com", model: "reader-30b", has_key: true }
      assert.deepStrictEqual([set.status, set.json.language_model], [200, shown])
      const read = yield* mine.call("GET", "/v1/settings")
      assert.deepStrictEqual(read.json.language_model, shown)
      assert.notInclude(set.text + read.text, "canary")
      assert.isNull((yield* theirs.call("GET", "/v1/settings")).json.language_model)
      const sql = yield* PgClient.PgClient
      const [row] = yield* sql<{ text: string }>`SELECT string_agg(s::text, '') AS text FROM footnote.tenant_settings s`
      assert.notInclude(row!.text, Buffer.from("canary").toString("hex"))
      const other = yield* mine.call("PATCH", "/v1/settings", { default_destination_ids: [] })
      assert.deepStrictEqual(other.json.language_model, shown)
      const none = yield* mine.call("PATCH", "/v1/settings", { language_model: null })
      assert.isNull(none.json.language_model)
    }))

  it.effect("400 that names the field for a language model at a private address, of another scheme or with a password", () =>
    Effect.gen(function*() {
      const { call } = yield* Scene.setting({ status: 200 })
      const urls = [
        "http://169.254.169.254/v1",
        "https://localhost/v1",
        "https://[::1]/v1",
        "file:///etc/passwd",
        "https://user:secret@llm.example.com/v1",
        "https://llm.example.com:22/v1",
        "https://llm.example.com/v1?key=secret",
        "nonsense"
      ]
      for (const url of urls) {
        const { json, status } = yield* call("PATCH", "/v1/settings", { language_model: { url, model: "m" } })
        assert.deepStrictEqual([status, json.error.code, json.error.details[0].path], [
          400,
          "INVALID_REQUEST",
          "/language_model/url"
        ], url)
        assert.notInclude(JSON.stringify(json), "secret")
      }
      assert.isNull((yield* call("GET", "/v1/settings")).json.language_model)
    }))

  it.effect("404 for a default that is unknown, deleted or another tenant's, and nothing is changed", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* Scene.setting({ status: 200 }), yield* Scene.setting({ status: 200 })]
      for (const id of ["dst_unknown", theirs.destination_id]) {
        const refused = yield* mine.call("PATCH", "/v1/settings", { default_destination_ids: [id] })
        assert.deepStrictEqual([refused.status, refused.json.error.code], [404, "DESTINATION_NOT_FOUND"])
        assert.deepStrictEqual(refused.json.error.details, [{ path: "/default_destination_ids/0", message: id }])
      }
      assert.deepStrictEqual((yield* mine.call("GET", "/v1/settings")).json.default_destination_ids, [])
    }))

  it.effect("what is refused for one of its fields changes none of them, whichever that is", () =>
    Effect.gen(function*() {
      const { call, destination_id } = yield* Scene.setting({ status: 200 })
      const good = { url: "https://llm.example.com/v1", model: "m" }
      const set = yield* call("PATCH", "/v1/settings", { default_destination_ids: [], language_model: good })
      assert.strictEqual(set.status, 200)
      const refused = [
        { default_destination_ids: [destination_id], language_model: { ...good, url: "http://169.254.169.254/v1" } },
        { default_destination_ids: ["dst_unknown"], language_model: null }
      ]
      for (const [at, input] of refused.entries()) {
        assert.strictEqual((yield* call("PATCH", "/v1/settings", input)).status, at === 0 ? 400 : 404)
        assert.deepStrictEqual((yield* call("GET", "/v1/settings")).json, set.json)
      }
      const both = yield* call("PATCH", "/v1/settings", {
        default_destination_ids: [destination_id],
        language_model: null
      })
      assert.deepInclude(both.json, { default_destination_ids: [destination_id], language_model: null })
    }))

  it.effect("one secret checks the webhook of every job, beside the job's own, and signs on while it is rotated", () =>
    Effect.gen(function*() {
      const { attempt, call, inbox, key } = yield* Scene.setting({ status: 200 })
      const { send } = yield* TestServer
      const rotate = (json: object = {}) => call("POST", "/v1/settings/rotate-webhook-secret", json)
      const first = (yield* rotate()).json
      assert.match(first.webhook_signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/u)
      assert.isTrue(first.has_webhook_secret)
      assert.notInclude((yield* call("GET", "/v1/settings")).text, "whsec_")

      const told = Effect.gen(function*() {
        const { json: job } = yield* call("POST", "/v1/jobs", { source_uri, webhook_url: inbox.url })
        yield* call("POST", `/v1/jobs/${job.id}/cancel`)
        yield* attempt(`dlv_${job.id.slice(4)}`)
        const { body, headers } = inbox.received.at(-1)!
        const accepts = (secret: string) => {
          try {
            return new Webhook(secret).verify(body, headers as Record<string, string>) !== undefined
          } catch {
            return false
          }
        }
        return { accepts, own: job.webhook_signing_secret as string }
      })
      const before = yield* told
      assert.deepStrictEqual([before.accepts(before.own), before.accepts(first.webhook_signing_secret)], [true, true])

      const headers = { "idempotency-key": "rotation" }
      const call2 = { key, json: { keep_old_for_seconds: 60 }, headers }
      const second = yield* send("POST", "/v1/settings/rotate-webhook-secret", call2)
      const replay = yield* send("POST", "/v1/settings/rotate-webhook-secret", call2)
      assert.deepStrictEqual(replay.json, second.json)
      assert.strictEqual(replay.headers["idempotent-replayed"], "true")
      const within = yield* told
      assert.deepStrictEqual(
        [first, second.json].map(({ webhook_signing_secret }) => within.accepts(webhook_signing_secret)),
        [true, true]
      )
      const third = (yield* rotate()).json
      const after = yield* told
      assert.deepStrictEqual(
        [first, second.json, third].map(({ webhook_signing_secret }) => after.accepts(webhook_signing_secret)),
        [false, false, true]
      )
    }))
})
