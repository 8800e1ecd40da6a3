import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 128, 255, 13, 10, 0xff, 0xd9])
const sha256 = createHash("sha256").update(jpeg).digest("hex")
const frame = (index: number, kept: boolean) => ({
  id: `frm_${String(index).padStart(6, "0")}`,
  source_ref: `frame#${String(index).padStart(6, "0")}`,
  timestamp: index / 2,
  cluster: 0,
  phash: "00ff00ff00ff00ff",
  kept,
  width: 640,
  height: 360
})

/** The answer as bytes: text would hide what a byte that is no character became. */
const download = async (url: string, key: string) => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { bytes, headers: Object.fromEntries(response.headers), status: response.status }
}

/** A succeeded job of a tenant of its own that kept the first of two sampled frames. */
const succeeded = Effect.gen(function*() {
  const { send, succeed, tenant } = yield* TestServer
  const { key } = yield* tenant("owner")
  const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
  yield* succeed(id, { source: jpeg })
  yield* succeed(id, {
    frames: { visual_branch: "present", sampled: 2, kept: 1, frames: [frame(0, true), frame(1, false)] },
    images: [{
      index: 0,
      timestamp: 0,
      width: 640,
      height: 360,
      image: { key: `jobs/${id}/extract/0/0/source`, size_bytes: jpeg.length, sha256 }
    }]
  })
  return { id: id as string, key, path: `/v1/jobs/${id}/frames/frm_000000/image` }
})

layer(Server.layer, { excludeTestServices: true })("GET /v1/jobs/{id}/frames/{frame_id}/image", (it) => {
  describe("200", () => {
    it.effect("is the kept frame byte for byte, as a JPEG that a browser shows and only its owner may keep", () =>
      Effect.gen(function*() {
        const { base_url } = yield* TestServer
        const { key, path } = yield* succeeded
        const { bytes, headers, status } = yield* Effect.promise(() => download(`${base_url}${path}`, key))
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(bytes, jpeg)
        assert.deepInclude(headers, {
          "content-type": "image/jpeg",
          "content-length": String(jpeg.length),
          "content-disposition": "inline; filename=\"frm_000000.jpg\"",
          "cache-control": "private, no-cache",
          "x-content-type-options": "nosniff"
        })
        assert.match(headers["etag"] ?? "", /^"[^"]+"$/u)
        // A picture is compressed already.
        assert.notProperty(headers, "content-encoding")
      }))

    it.effect("is the same by the source_ref that evidence gives", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded
        const [by_id, by_ref] = [
          yield* send("GET", path, { key }),
          yield* send("GET", path.replace("frm_", "frame%23"), { key })
        ]
        assert.strictEqual(by_ref.status, 200)
        for (const name of ["etag", "content-type", "content-length", "content-disposition"]) {
          assert.strictEqual(by_ref.headers[name], by_id.headers[name], name)
        }
      }))

    it.effect("HEAD answers the same header and no body", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded
        const call = { key, headers: { "x-request-id": "same" } }
        const [get, head] = [yield* send("GET", path, call), yield* send("HEAD", path, call)]
        assert.strictEqual(head.status, 200)
        assert.strictEqual(head.text, "")
        for (const name of ["etag", "content-type", "content-length", "cache-control", "content-disposition"]) {
          assert.strictEqual(head.headers[name], get.headers[name], name)
        }
      }))
  })

  describe("304", () => {
    it.effect("for whoever has the very picture, however the tag is sent, and never for another", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded
        const etag = (yield* send("GET", path, { key })).headers["etag"]!
        for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const answer = yield* send("GET", path, { key, headers: { "if-none-match": tag } })
          assert.strictEqual(answer.status, 304, tag)
          assert.strictEqual(answer.text, "")
          assert.deepInclude(answer.headers, {
            etag: tag.includes("W/") ? `W/${etag}` : etag,
            "cache-control": "private, no-cache"
          })
        }
        for (const tag of ["\"other\"", etag.slice(0, -2), ""]) {
          assert.strictEqual((yield* send("GET", path, { key, headers: { "if-none-match": tag } })).status, 200, tag)
        }
      }))
  })

  describe("401 UNAUTHENTICATED", () => {
    it.effect("without a key, whatever tag is sent", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { path } = yield* succeeded
        assert.strictEqual((yield* send("GET", path, { headers: { "if-none-match": "*" } })).status, 401)
      }))
  })

  describe("404 FRAME_NOT_FOUND", () => {
    it.effect("one answer for a frame that was not kept, one that there never was, and what is no id at all", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { id, key } = yield* succeeded
        const ask = (frame_id: string) =>
          send("GET", `/v1/jobs/${id}/frames/${frame_id}/image`, { key, headers: { "x-request-id": "same" } })
        const unknown = yield* ask("frm_999999")
        assert.strictEqual(unknown.status, 404)
        assert.strictEqual(unknown.json.error.code, "FRAME_NOT_FOUND")
        for (const frame_id of ["frm_000001", "frm_0", "nonsense", "..%2f..%2fsource", "%00", "frm_000000.jpg"]) {
          const answer = yield* ask(frame_id)
          assert.strictEqual(answer.status, 404, frame_id)
          assert.strictEqual(answer.text, unknown.text, frame_id)
        }
      }))

    it.effect("of a source without pictures, whose inventory and descriptions say absent and are no error", () =>
      Effect.gen(function*() {
        const { send, succeed, tenant } = yield* TestServer
        const { key } = yield* tenant("listener")
        const { id } =
          (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp3" } })).json
        yield* succeed(id, {
          frames: { visual_branch: "absent", sampled: 0, kept: 0, frames: [] },
          vision: { visual_branch: "absent", frames: [], model: null },
          images: []
        })
        for (const path of ["frames", "frames?include_raw=true", "vision"]) {
          const { json, status } = yield* send("GET", `/v1/jobs/${id}/${path}`, { key })
          assert.strictEqual(status, 200, path)
          assert.deepInclude(json, { visual_branch: "absent", frames: [] })
        }
        const image = yield* send("GET", `/v1/jobs/${id}/frames/frm_000000/image`, { key })
        assert.deepStrictEqual([image.status, image.json.error.code], [404, "FRAME_NOT_FOUND"])
      }))
  })

  describe("404 JOB_NOT_FOUND", () => {
    it.effect("does not reveal the kept frame of another tenant, not even to whoever knows its tag", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key: owner, path } = yield* succeeded
        const { etag } = (yield* send("GET", path, { key: owner })).headers
        const { key } = yield* tenant("stranger")
        const call = { key, headers: { "x-request-id": "same", "if-none-match": etag! } }
        const unknown = yield* send("GET", "/v1/jobs/job_01kaj3e5h8z9q0w1x2y3z4a5b6/frames/frm_000000/image", call)
        const foreign = yield* send("GET", path, call)
        assert.deepStrictEqual([unknown.status, unknown.json.error.code], [404, "JOB_NOT_FOUND"])
        assert.strictEqual(foreign.status, 404)
        assert.strictEqual(foreign.text, unknown.text)
        assert.deepStrictEqual(Object.keys(foreign.headers).toSorted(), Object.keys(unknown.headers).toSorted())
      }))

    it.effect("once the job is erased, to its owner too, and a kept copy is not confirmed", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { id, key, path } = yield* succeeded
        const { etag } = (yield* send("GET", path, { key })).headers
        assert.strictEqual((yield* send("DELETE", `/v1/jobs/${id}`, { key })).status, 200)
        for (const headers of [{}, { "if-none-match": etag! }, { "if-none-match": "*" }]) {
          const answer = yield* send("GET", path, { key, headers })
          assert.deepStrictEqual([answer.status, answer.json.error.code], [404, "JOB_NOT_FOUND"])
        }
      }))
  })

  describe("409 JOB_NOT_SUCCEEDED", () => {
    it.effect("while the job has no frames yet", () =>
      Effect.gen(function*() {
        const { send, tenant } = yield* TestServer
        const { key } = yield* tenant("early")
        const { id } =
          (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
        const answer = yield* send("GET", `/v1/jobs/${id}/frames/frm_000000/image`, { key })
        assert.deepStrictEqual([answer.status, answer.json.error.code], [409, "JOB_NOT_SUCCEEDED"])
      }))
  })
})
