import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { createHash } from "node:crypto"
import { Sealing } from "../../src/crypto/Sealing.ts"
import { mediaToken } from "../../src/media/MediaLink.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

// Over two of the parts that a stream is read in.
const footage = Buffer.alloc(1_300_000, "<script>alert(1)</script> ")
const etag = `"${createHash("sha256").update(footage).digest("hex").slice(0, 32)}-media"`

/** A succeeded job of a tenant of its own whose source is kept with it. */
const succeeded = Effect.gen(function*() {
  const { send, succeed, tenant } = yield* TestServer
  const owner = yield* tenant("owner")
  const json = { source_uri: "https://example.com/a/Gr%C3%BC%C3%9Fe.mp4" }
  const { id } = (yield* send("POST", "/v1/jobs", { key: owner.key, json })).json
  yield* succeed(id, { source: footage })
  return { id: id as string, ...owner, path: `/v1/jobs/${id}/media` }
})

/** A succeeded job over an upload, which is referred to and not copied. */
const uploaded = Effect.gen(function*() {
  const { send, sql, tenant } = yield* TestServer
  const { key } = yield* tenant("uploader")
  const headers = { "content-type": "video/mp4", "content-disposition": "attachment; filename=\"talk.mp4\"" }
  const upload = (yield* send("POST", "/v1/uploads", { key, body: footage, headers })).json
  const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: upload.uri } })).json
  yield* sql(`INSERT INTO footnote.artifacts (job_id, kind, key, size_bytes, sha256)
    SELECT '${id}', 'source', blob_key, size_bytes, sha256 FROM footnote.uploads WHERE id = '${upload.id}'`)
  yield* sql(
    `UPDATE footnote.jobs SET status = 'succeeded', admitted_at = now(), started_at = now(), finished_at = now()
    WHERE id = '${id}'`
  )
  return { id: id as string, key, upload_id: upload.id as string, path: `/v1/jobs/${id}/media` }
})

/** Bytes, as text would hide what became of them. */
const read = async (url: string, init: RequestInit) => {
  const response = await fetch(url, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { bytes, headers: Object.fromEntries(response.headers), status: response.status }
}
const download = (url: string, init: RequestInit = {}) => Effect.promise(() => read(url, init))

layer(Server.layer, { excludeTestServices: true })("GET /v1/jobs/{id}/media", (it) => {
  describe("200", () => {
    it.effect("is the source byte for byte, named by its file, as nothing that a browser would run", () =>
      Effect.gen(function*() {
        const { base_url, sql } = yield* TestServer
        const { id, key, path } = yield* succeeded
        yield* sql(`UPDATE footnote.jobs SET source = '{"container":"mp4","video":"hevc"}' WHERE id = '${id}'`)
        const headers = { authorization: `Bearer ${key}` }
        const { bytes, headers: answered, status } = yield* download(`${base_url}${path}`, { headers })
        assert.strictEqual(status, 200)
        assert.isTrue(bytes.equals(footage))
        assert.deepInclude(answered, {
          etag,
          "accept-ranges": "bytes",
          "content-type": "video/mp4",
          "content-length": String(footage.length),
          "content-disposition": "inline; filename=\"Gr__e.mp4\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.mp4",
          "x-content-type-options": "nosniff",
          "cache-control": "private, no-cache"
        })
        assert.match(answered["content-security-policy"] ?? "", /default-src 'none'.*; sandbox$/u)
        assert.notProperty(answered, "content-encoding")
        const head = yield* download(`${base_url}${path}`, {
          method: "HEAD",
          headers: { ...headers, range: "bytes=0-1" }
        })
        assert.strictEqual(head.status, 200)
        assert.strictEqual(head.bytes.length, 0)
        for (const name of ["etag", "content-type", "content-length", "content-disposition", "accept-ranges"]) {
          assert.strictEqual(head.headers[name], answered[name], name)
        }
      }))

    it.effect("is the source of the job that it was extracted from, as long as that is there", () =>
      Effect.gen(function*() {
        const { base_url, send, sql, succeed } = yield* TestServer
        const { id, key } = yield* succeeded
        const json = { source_uri: "https://example.com/a.mp4" }
        const again = (yield* send("POST", "/v1/jobs", { key, json })).json.id
        yield* succeed(again, {})
        yield* sql(`UPDATE footnote.jobs SET spec = (spec::jsonb || '{"extracted_from":{"job_id":"${id}"}}')::json
          WHERE id = '${again}'`)
        const headers = { authorization: `Bearer ${key}`, range: "bytes=-9" }
        const { bytes, status } = yield* download(`${base_url}/v1/jobs/${again}/media`, { headers })
        assert.strictEqual(status, 206)
        assert.isTrue(bytes.equals(footage.subarray(-9)))
        assert.strictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).status, 200)
        assert.strictEqual((yield* send("GET", `/v1/jobs/${again}/media`, { key })).json.error.code, "SOURCE_ERASED")
      }))
  })

  describe("206, 304 and 416", () => {
    it.effect("are one range with its place, for GET and for the bytes that were begun with alone", () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        const { key, path } = yield* succeeded
        const get = (asked: Record<string, string>) =>
          download(`${base_url}${path}`, { headers: { authorization: `Bearer ${key}`, ...asked } })
        const size = footage.length
        for (const [range, from, to] of [["bytes=5-9", 5, 10], ["bytes=524280-1048590", 524280, 1048591]] as const) {
          const { bytes, headers, status } = yield* get({ range })
          assert.strictEqual(status, 206)
          assert.strictEqual(headers["content-range"], `bytes ${from}-${to - 1}/${size}`)
          assert.strictEqual(headers["content-length"], String(to - from))
          assert.isTrue(bytes.equals(footage.subarray(from, to)))
        }
        assert.strictEqual((yield* get({ range: "bytes=0-0", "if-range": etag })).status, 206)
        for (const other of ["\"other\"", `W/${etag}`, "Wed, 21 Oct 2026 07:28:00 GMT"]) {
          assert.strictEqual((yield* get({ range: "bytes=0-0", "if-range": other })).bytes.length, size)
        }
        assert.strictEqual((yield* get({ range: "bytes=0-1,4-5" })).status, 200)
        const none = yield* get({ range: `bytes=${size}-` })
        assert.strictEqual(none.status, 416)
        assert.strictEqual(none.headers["content-range"], `bytes */${size}`)
        assert.strictEqual(JSON.parse(none.bytes.toString()).error.code, "RANGE_NOT_SATISFIABLE")
        for (const known of [etag, `W/${etag}`, `"other", W/${etag}`, "*"]) {
          assert.strictEqual((yield* get({ "if-none-match": known, range: "bytes=0-0" })).status, 304, known)
        }
        assert.strictEqual((yield* get({ "if-none-match": "\"other\"", range: "bytes=0-0" })).status, 206)
      }))
  })

  describe("404, 409 and 410", () => {
    it.effect("409 JOB_NOT_SUCCEEDED before the end, 410 SOURCE_ERASED with what remains once its upload is deleted", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { id, key, path, upload_id } = yield* uploaded
        const active =
          (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
        const early = yield* send("GET", `/v1/jobs/${active.id}/media`, { key })
        assert.strictEqual(early.json.error.code, "JOB_NOT_SUCCEEDED")
        assert.strictEqual(
          (yield* send("GET", path, { key })).headers["content-disposition"],
          "inline; filename=\"talk.mp4\""
        )
        const link = (yield* send("POST", `/v1/jobs/${id}/media-links`, { key, json: {} })).json.url
        assert.strictEqual((yield* send("DELETE", `/v1/uploads/${upload_id}`, { key })).status, 200)
        const gone = yield* send("GET", path, { key })
        assert.strictEqual(gone.status, 410)
        assert.strictEqual(gone.json.error.code, "SOURCE_ERASED")
        assert.include(gone.json.error.message, "transcript")
        assert.strictEqual((yield* send("POST", `/v1/jobs/${id}/media-links`, { key, json: {} })).status, 410)
        assert.strictEqual((yield* download(link)).status, 404)
      }))
  })

  describe("POST /v1/jobs/{id}/media-links", () => {
    it.effect("201 gives an address that opens the media without a key, in ranges, for an hour at most", () =>
      Effect.gen(function*() {
        const { base_url, send } = yield* TestServer
        const { id, key } = yield* succeeded
        const before = yield* Clock.currentTimeMillis
        const { json, status } = yield* send("POST", `/v1/jobs/${id}/media-links`, { key, json: {} })
        assert.strictEqual(status, 201)
        assert.isTrue(json.url.startsWith(base_url))
        assert.isAtMost(Date.parse(json.expires_at) - before, 3_601_000)
        const { bytes, headers, status: played } = yield* download(json.url, { headers: { range: "bytes=3-6" } })
        assert.strictEqual(played, 206)
        assert.isTrue(bytes.equals(footage.subarray(3, 7)))
        assert.strictEqual(headers["cross-origin-resource-policy"], "cross-origin")
        for (const expires_in_seconds of [0, 3601]) {
          const refused = yield* send("POST", `/v1/jobs/${id}/media-links`, { key, json: { expires_in_seconds } })
          assert.strictEqual(refused.json.error.details[0].path, "/expires_in_seconds")
        }
      }))

    it.effect("404 by the same bytes for a link that is forged, over, of another job, or of one that is erased", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const sealing = yield* Sealing
        const [mine, others] = [yield* succeeded, yield* succeeded]
        const linkOf = ({ id, key }: typeof mine) =>
          Effect.map(send("POST", `/v1/jobs/${id}/media-links`, { key, json: {} }), ({ json }) => json.url as string)
        const link = yield* linkOf(mine)
        const linked = { tenant_id: mine.tenant_id, job_id: mine.id, rendition: "source" as const }
        const tokenUntil = (until: number) => mediaToken(sealing, { ...linked, until })
        const now = yield* Clock.currentTimeMillis
        const erased = yield* linkOf(others)
        assert.strictEqual((yield* send("DELETE", `/v1/jobs/${others.id}`, { key: others.key })).status, 200)
        const wrong = [
          `${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`,
          link.replace(mine.id.slice(4), others.id.slice(4)),
          link.replace(mine.tenant_id.slice(4), others.tenant_id.slice(4)),
          link.slice(0, -44),
          link.replace(/[^/]+$/u, tokenUntil(now - 1000)),
          erased
        ]
        const headers = { "x-request-id": "same" }
        const answers = yield* Effect.forEach(wrong, (url) => download(url, { headers }))
        for (const { bytes, headers, status } of answers) {
          assert.strictEqual(status, 404)
          assert.strictEqual(bytes.toString(), answers[0]!.bytes.toString())
          assert.deepStrictEqual({ ...headers, date: "" }, { ...answers[0]!.headers, date: "" })
        }
        assert.strictEqual((yield* download(link.replace(/[^/]+$/u, tokenUntil(now + 60_000)))).status, 200)
      }))
  })
})
