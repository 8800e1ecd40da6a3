import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const keeping = Effect.fnUntraced(function*(quota: number) {
  const { send, sql, tenant } = yield* TestServer
  const made = yield* tenant("small")
  yield* sql(`UPDATE footnote.tenants SET storage_quota = ${quota} WHERE id = '${made.tenant_id}'`)
  const { key } = made
  const upload = (bytes: number) =>
    send("POST", "/v1/uploads", { key, body: Buffer.alloc(bytes, 1), headers: { "content-type": "video/mp4" } })
  const begin = (bytes: number) =>
    send("POST", "/v1/uploads", { key, headers: { "tus-resumable": "1.0.0", "upload-length": String(bytes) } })
  const submit = (name: string) =>
    send("POST", "/v1/jobs", { key, json: { source_uri: `https://example.com/${name}` } })
  return { ...made, upload, begin, submit }
})

/** An upload in pieces of 100 bytes, without a length. */
const uploadPieces = (base_url: string, key: string, pieces: number) =>
  fetch(`${base_url}/v1/uploads`, {
    method: "POST",
    body: ReadableStream.from(Array.from({ length: pieces }, () => new Uint8Array(100))),
    duplex: "half",
    headers: { authorization: `Bearer ${key}`, "content-type": "video/mp4" }
  } as RequestInit)

layer(Server.layer, { excludeTestServices: true })("a tenant's storage quota", (it) => {
  it.effect("402 STORAGE_QUOTA_EXCEEDED for an upload that does not fit beside complete and begun ones, until some are deleted", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { begin, key, upload } = yield* keeping(1000)
      const first = yield* upload(600)
      assert.strictEqual(first.status, 201)
      const begun = yield* begin(300)
      assert.strictEqual(begun.status, 201, "announced bytes count before they come")
      for (const refused of [yield* upload(101), yield* begin(101)]) {
        assert.strictEqual(refused.status, 402)
        assert.strictEqual(refused.json.error.code, "STORAGE_QUOTA_EXCEEDED")
        assert.include(refused.json.error.message, "keeps 900 bytes and may keep 1000. Delete uploads or finished jobs")
      }
      assert.deepStrictEqual((yield* send("GET", "/v1/limits", { key })).json.storage, { limit: 1000, used: 900 })
      assert.strictEqual((yield* send("DELETE", `/v1/uploads/${begun.json.id}`, { key })).status, 200)
      assert.strictEqual((yield* upload(101)).status, 201)
      assert.strictEqual((yield* upload(300)).status, 402)
    }))

  it.effect("402 for a body of unknown length as soon as it is too long, and nothing of it is kept", () =>
    Effect.gen(function*() {
      const { base_url, send } = yield* TestServer
      const { key } = yield* keeping(1000)
      const answer = yield* Effect.promise(() => uploadPieces(base_url, key, 20))
      assert.strictEqual(answer.status, 402)
      assert.strictEqual((yield* send("GET", "/v1/limits", { key })).json.storage.used, 0)
    }))

  it.effect("lets of twenty uploads at the same moment in what fits", () =>
    Effect.gen(function*() {
      const { begin } = yield* keeping(1000)
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => begin(300)), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 201), 3)
    }))

  it.effect("402 for a job while what jobs keep fills it, and none once they are deleted", () =>
    Effect.gen(function*() {
      const { send, sql, succeed } = yield* TestServer
      const { key, submit } = yield* keeping(1000)
      const { id } = (yield* submit("a.mp4")).json
      yield* succeed(id, { result: {} })
      yield* sql(`UPDATE footnote.jobs SET stored_bytes = 1000 WHERE id = '${id}'`)
      const refused = yield* submit("b.mp4")
      assert.strictEqual(refused.status, 402)
      assert.strictEqual(refused.json.error.code, "STORAGE_QUOTA_EXCEEDED")
      assert.strictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).status, 200)
      assert.strictEqual((yield* submit("b.mp4")).status, 201)
    }))

  it.effect("is the deployment's where the tenant has none of its own, and none at 0", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("usual")
      assert.strictEqual((yield* send("GET", "/v1/limits", { key })).json.storage.limit, 100 * 1024 ** 3)
      const unbounded = yield* keeping(0)
      assert.isNull((yield* send("GET", "/v1/limits", { key: unbounded.key })).json.storage.limit)
      assert.strictEqual((yield* unbounded.upload(5000)).status, 201)
    }))
})
