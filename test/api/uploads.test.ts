import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, utimesSync } from "node:fs"
import { connect } from "node:net"
import { Uploads } from "../../src/sources/Uploads.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server
const most = 100_000

const Limited = Layer.mergeAll(Server.layer, Uploads.layer.pipe(Layer.provide(Server.layer))).pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ UPLOAD_MAX_BYTES: most })))
)

const digestOf = (text: string) => createHash("sha256").update(text).digest("base64")

layer(Limited, { excludeTestServices: true })("/v1/uploads", (it) => {
  const video = { "content-type": "video/mp4" }

  it.effect("POST 201 keeps the very bytes for 7 days and tells their hash", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { get } = yield* Blobs
      const { key, tenant_id } = yield* tenant("a")
      const body = new Uint8Array(most).map((_, index) => index % 251)
      const answer = yield* send("POST", "/v1/uploads", { key, body, headers: video })
      assert.strictEqual(answer.status, 201)
      const { created_at, expires_at, id, sha256, size_bytes, uri } = answer.json
      assert.strictEqual(uri, `upload://${id}`)
      assert.strictEqual(size_bytes, most)
      assert.strictEqual(sha256, createHash("sha256").update(body).digest("hex"))
      assert.strictEqual(Date.parse(expires_at) - Date.parse(created_at), 7 * 24 * 3600 * 1000)
      assert.deepStrictEqual(new Uint8Array(yield* get(`uploads/${tenant_id}/${id}`)), body)
      assert.deepStrictEqual((yield* send("GET", `/v1/uploads/${id}`, { key })).json, answer.json)
    }))

  it.effect("POST takes video, audio and plain bytes", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      for (const type of ["video/x-matroska", "audio/mpeg", "application/octet-stream", "Video/MP4; codecs=avc1"]) {
        const answer = yield* send("POST", "/v1/uploads", { key, body: "x", headers: { "content-type": type } })
        assert.strictEqual(answer.status, 201, type)
      }
    }))

  it.effect("POST with an Upload-Checksum keeps those bytes alone, and refuses a checksum that is none", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { localPath } = yield* Blobs
      const { key, tenant_id } = yield* tenant("a")
      const sent = (checksum: string, more: Readonly<Record<string, string>> = {}) =>
        send("POST", "/v1/uploads", { key, body: "x", headers: { ...video, "upload-checksum": checksum, ...more } })
      const wrong = yield* sent(`sha256 ${digestOf("y")}`)
      assert.strictEqual(wrong.status, 460)
      assert.strictEqual(wrong.json.error.code, "UPLOAD_CHECKSUM_MISMATCH")
      const malformed = yield* sent("sha256 nonsense")
      assert.strictEqual(malformed.status, 400)
      assert.deepStrictEqual(malformed.json.error.details.map(({ path }: { path: string }) => path), [
        "upload-checksum"
      ])
      assert.lengthOf(readdirSync(yield* localPath(`uploads/${tenant_id}`)), 0)
      const again = { "idempotency-key": "k" }
      assert.strictEqual((yield* sent(`sha256 ${digestOf("x")}`, again)).status, 201)
      assert.strictEqual((yield* sent(`sha256 ${digestOf("x")}`, again)).status, 200)
      assert.strictEqual((yield* sent(`sha256 ${digestOf("y")}`, again)).status, 460)
    }))

  it.effect("POST 413 PAYLOAD_TOO_LARGE keeps nothing", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { localPath } = yield* Blobs
      const { key, tenant_id } = yield* tenant("a")
      const answer = yield* send("POST", "/v1/uploads", { key, body: new Uint8Array(most + 1), headers: video })
      assert.strictEqual(answer.status, 413)
      assert.strictEqual(answer.json.error.code, "PAYLOAD_TOO_LARGE")
      assert.isTrue((yield* Effect.flip(localPath(`uploads/${tenant_id}`))).missing)
    }))

  it.effect("a body that breaks off leaves nothing behind", () =>
    Effect.gen(function*() {
      const { base_url, send, tenant } = yield* TestServer
      const { localPath } = yield* Blobs
      const { key, tenant_id } = yield* tenant("a")
      const active = (count: number) =>
        Effect.repeat(send("GET", "/metrics"), {
          until: ({ text }) => new RegExp(`^footnote_http_requests_active ${count}$`, "mu").test(text)
        })
      const socket = connect(Number(new URL(base_url).port), "127.0.0.1")
      socket.write(
        `POST /v1/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: video/mp4\r\n`
          + "Content-Length: 90000\r\n\r\nthe beginning"
      )
      yield* active(2)
      const folder = yield* Effect.repeat(Effect.option(localPath(`uploads/${tenant_id}`)), { until: Option.isSome })
      socket.destroy()
      yield* active(1)
      assert.deepStrictEqual(readdirSync(Option.getOrThrow(folder)), [])
    }))

  it.effect("POST 400 INVALID_REQUEST for an empty body", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const answer = yield* send("POST", "/v1/uploads", { key, body: new Uint8Array(), headers: video })
      assert.strictEqual(answer.status, 400)
    }))

  it.effect("DELETE removes the bytes, and the id is unknown from then on but to another DELETE, which is answered the same", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { localPath } = yield* Blobs
      const { key, tenant_id } = yield* tenant("a")
      const { id } = (yield* send("POST", "/v1/uploads", { key, body: "x", headers: video })).json
      const deleted = yield* send("DELETE", `/v1/uploads/${id}`, { key })
      assert.strictEqual(deleted.json.id, id)
      assert.isTrue((yield* Effect.flip(localPath(`uploads/${tenant_id}/${id}`))).missing)
      assert.strictEqual((yield* send("GET", `/v1/uploads/${id}`, { key })).json.error.code, "UPLOAD_NOT_FOUND")
      const again = yield* send("DELETE", `/v1/uploads/${id}`, { key })
      assert.deepStrictEqual([again.status, again.json], [200, deleted.json])
    }))

  it.effect("GET lists what is here and what is coming, newest first, with the names that were told", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const disposition = "attachment; filename=\"C:\\\\clips\\\\talk.mp4\""
      const made = [
        yield* send("POST", "/v1/uploads", { key, body: "x", headers: video }),
        yield* send("POST", "/v1/uploads", {
          key,
          body: "x",
          headers: { ...video, "content-disposition": disposition }
        }),
        yield* send("POST", "/v1/uploads", {
          key,
          headers: { "tus-resumable": "1.0.0", "upload-length": "4", "upload-metadata": "filename dGFsay5tcDQ=" }
        })
      ].map(({ json }) => json)
      assert.deepStrictEqual(made.map(({ filename }) => filename), [null, "talk.mp4", "talk.mp4"])
      const list = (query = "") => Effect.map(send("GET", `/v1/uploads${query}`, { key }), ({ json }) => json)
      assert.deepStrictEqual((yield* list()).data, made.toReversed())
      const first = yield* list("?limit=2")
      assert.deepStrictEqual(first.data, made.toReversed().slice(0, 2))
      const rest = yield* list(`?limit=2&cursor=${first.next_cursor}`)
      assert.deepStrictEqual([rest.data, rest.next_cursor], [[made[0]], null])
      yield* send("DELETE", `/v1/uploads/${made[1].id}`, { key })
      assert.deepStrictEqual((yield* list()).data, [made[2], made[0]])
    }))

  it.effect("the sweep takes the bytes of an upload whose receiver died before its row was written, and no others", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key, tenant_id } = yield* tenant("a")
      const { sweep } = yield* Uploads
      const blobs = yield* Blobs
      const headers = { "content-type": "video/mp4" }
      const { id } = (yield* send("POST", "/v1/uploads", { key, body: "bytes", headers })).json
      const names = {
        stray: `uploads/${tenant_id}/upl_stray`,
        segment: `uploads/${tenant_id}/upl_gone.segments/000000000000000-a`,
        fresh: `uploads/${tenant_id}/upl_fresh`,
        known: `uploads/${tenant_id}/${id}`
      }
      for (const name of [names.stray, names.segment, names.fresh]) yield* blobs.put(name, Buffer.from("bytes"))
      for (const name of [names.stray, names.segment, names.known]) {
        const file = yield* blobs.localPath(name)
        utimesSync(file, 0, 0)
      }
      assert.strictEqual(yield* sweep, 2)
      const left = (yield* blobs.list(`uploads/${tenant_id}`)).map((blob) => blob.key)
      assert.sameMembers(left, [names.fresh, names.known])
      assert.strictEqual(yield* sweep, 0)
    }))

  it.effect("DELETE leaves the bytes to a job that works on them, and the sweep takes them when it is over", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { localPath } = yield* Blobs
      const { sweep } = yield* Uploads
      const { key, tenant_id } = yield* tenant("a")
      const { id, uri } = (yield* send("POST", "/v1/uploads", { key, body: "x", headers: video })).json
      const job = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: uri } })).json
      assert.strictEqual((yield* send("DELETE", `/v1/uploads/${id}`, { key })).status, 200)
      assert.strictEqual((yield* send("GET", `/v1/uploads/${id}`, { key })).status, 404)
      assert.strictEqual(yield* sweep, 0)
      yield* localPath(`uploads/${tenant_id}/${id}`)
      yield* send("POST", `/v1/jobs/${job.id}/cancel`, { key })
      assert.strictEqual(yield* sweep, 1)
      assert.isTrue((yield* Effect.flip(localPath(`uploads/${tenant_id}/${id}`))).missing)
    }))

  it.effect("an expired upload is unknown at once and swept with its bytes", () =>
    Effect.gen(function*() {
      const { send, sql, tenant } = yield* TestServer
      const { localPath } = yield* Blobs
      const { sweep } = yield* Uploads
      const { key, tenant_id } = yield* tenant("a")
      const kept = (yield* send("POST", "/v1/uploads", { key, body: "x", headers: video })).json
      const { id, uri } = (yield* send("POST", "/v1/uploads", { key, body: "x", headers: video })).json
      yield* sql(`UPDATE footnote.uploads SET expires_at = now() WHERE id = '${id}'`)
      assert.strictEqual((yield* send("GET", `/v1/uploads/${id}`, { key })).status, 404)
      assert.strictEqual((yield* send("POST", "/v1/jobs", { key, json: { source_uri: uri } })).status, 422)
      assert.strictEqual(yield* sweep, 1)
      assert.isTrue((yield* Effect.flip(localPath(`uploads/${tenant_id}/${id}`))).missing)
      assert.strictEqual((yield* send("GET", `/v1/uploads/${kept.id}`, { key })).status, 200)
    }))
})
