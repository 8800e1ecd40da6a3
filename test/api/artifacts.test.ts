import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

const transcript = {
  language: "en",
  duration_seconds: 4000.5,
  text: "Hello <all> & welcome. Thanks.",
  speakers: [{ id: "S1", label: "Ada", speaking_seconds: 2 }],
  segments: [
    {
      id: "seg#000001",
      origin: "asr",
      t_start: 1.25,
      t_end: 2.5,
      speaker: "S1",
      text: "Hello <all> & welcome.",
      confidence: 0.9,
      words: []
    },
    {
      id: "seg#000002",
      origin: "captions",
      t_start: 3725.004,
      t_end: 3726,
      speaker: null,
      text: "Thanks.",
      confidence: 0.8,
      words: []
    }
  ],
  turns: [{ speaker: "S1", t_start: 1, t_end: 2.75 }],
  audio_branch: "present",
  model: "ctc-1"
}
const frame = (index: number, kept: boolean) => ({
  id: `frm_${String(index).padStart(6, "0")}`,
  source_ref: `frame#${String(index).padStart(6, "0")}`,
  timestamp: index,
  cluster: 0,
  phash: "00ff00ff00ff00ff",
  kept,
  width: 640,
  height: 360
})
const frames = { visual_branch: "present", sampled: 2, kept: 1, frames: [frame(0, true), frame(1, false)] }
const vision = { visual_branch: "present", frames: [], model: "ocr-1" }
const graph = { view: "canonical", nodes: [], edges: [] }
const evidence = {
  spans: [],
  unfilled: [{ pointer: "/title", reason: "not_found", candidates: [] }],
  counts: { leaves: 1, filled: 0, verified: 0, unfilled: 1 }
}

/** A succeeded job with every artifact. */
const succeeded = Effect.gen(function*() {
  const { send, succeed, tenant } = yield* TestServer
  const { key } = yield* tenant("a")
  const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
  const image = new Uint8Array([0xff, 0xd8, 0xff, 0xd9])
  yield* succeed(id, { source: image })
  yield* succeed(id, {
    transcript,
    frames,
    vision,
    graph,
    graph_compact: { ...graph, view: "compact" },
    evidence,
    result: {},
    images: [{
      index: 0,
      timestamp: 0,
      width: 640,
      height: 360,
      image: {
        key: `jobs/${id}/extract/0/0/source`,
        size_bytes: 4,
        sha256: createHash("sha256").update(image).digest("hex")
      }
    }]
  })
  return {
    id: id as string,
    get: (path: string, headers: Record<string, string> = {}) => send("GET", `/v1/jobs/${id}${path}`, { key, headers })
  }
})

layer(Server.layer, { excludeTestServices: true })("artifacts of a job", (it) => {
  it.effect("200 are what was stored, with the job's id first", () =>
    Effect.gen(function*() {
      const { get, id } = yield* succeeded
      const stored = {
        "/transcript": transcript,
        "/frames?include_raw=true": frames,
        "/vision": vision,
        "/graph?view=canonical": graph,
        "/graph": { ...graph, view: "compact" },
        "/evidence": evidence
      }
      for (const [path, artifact] of Object.entries(stored)) {
        const answer = yield* get(path)
        assert.strictEqual(answer.status, 200, path)
        assert.strictEqual(answer.text, JSON.stringify({ job_id: id, ...artifact }), path)
      }
    }))

  it.effect("frames leaves out what was not kept unless asked, and the counts stay", () =>
    Effect.gen(function*() {
      const { get } = yield* succeeded
      const { json } = yield* get("/frames")
      assert.deepStrictEqual(json.frames.map((kept: { id: string }) => kept.id), ["frm_000000"])
      assert.deepInclude(json, { sampled: 2, kept: 1 })
      assert.strictEqual((yield* get("/frames?include_raw=maybe")).status, 400)
    }))

  it.effect("graph comes as JSON-LD, GraphML and Neo4j's two files by ?format=, of either view", () =>
    Effect.gen(function*() {
      const { get, id } = yield* succeeded
      const types = { jsonld: "application/ld+json", graphml: "application/graphml+xml", nodes_csv: "text/csv" }
      for (const [format, type] of Object.entries(types)) {
        for (const view of ["compact", "canonical"]) {
          const { headers, status } = yield* get(`/graph?format=${format}&view=${view}`)
          assert.strictEqual(status, 200)
          assert.isTrue(headers["content-type"]?.startsWith(type), format)
          assert.include(headers["content-disposition"], id)
        }
      }
      assert.strictEqual((yield* get("/graph?format=dot")).status, 400)
    }))

  it.effect("transcript comes as subtitles and text, by ?format= or by what Accept likes best", () =>
    Effect.gen(function*() {
      const { get } = yield* succeeded
      const srt = yield* get("/transcript?format=srt")
      assert.match(srt.headers["content-type"] ?? "", /^application\/x-subrip/u)
      assert.strictEqual(
        srt.text,
        "1\n00:00:01,250 --> 00:00:02,500\nAda: Hello <all> & welcome.\n\n2\n01:02:05,004 --> 01:02:06,004\nThanks.\n\n"
      )
      const vtt = yield* get("/transcript", { accept: "text/vtt" })
      assert.strictEqual(
        vtt.text,
        "WEBVTT\n\nseg-000001\n00:00:01.250 --> 00:00:02.500\n<v Ada>Hello &lt;all&gt; &amp; welcome.\n\n"
          + "seg-000002\n01:02:05.004 --> 01:02:06.004\nThanks.\n\n"
      )
      const txt = yield* get("/transcript", { accept: "text/plain;q=0.9" })
      assert.strictEqual(txt.text, "Ada: Hello <all> & welcome.\nThanks.\n")
      for (
        const accept of ["text/html, */*", "text/vtt;q=0.1, application/json;q=0.5", "text/plain;q=0", "constructor"]
      ) {
        assert.isDefined((yield* get("/transcript", { accept })).json.segments, accept)
      }
      const liked = yield* get("/transcript", { accept: "application/json;q=0.2, text/vtt" })
      assert.match(liked.headers["content-type"] ?? "", /^text\/vtt/u)
    }))

  it.effect("transcript comes as stm, ctm and rttm for scoring, the recording named by the job", () =>
    Effect.gen(function*() {
      const { get, id } = yield* succeeded
      const lines = {
        stm: `${id} 1 S1 1.250 2.500 <O> hello all welcome\n${id} 1 unknown 3725.004 3726.000 <O> thanks\n`,
        ctm: `${id} 1 1.250 0.417 hello 0.900 lex S1\n${id} 1 1.667 0.250 all 0.900 lex S1\n`
          + `${id} 1 1.917 0.583 welcome 0.900 lex S1\n${id} 1 3725.004 0.996 thanks 0.800 lex unknown\n`,
        rttm:
          `SPKR-INFO ${id} 1 <NA> <NA> <NA> unknown S1 <NA>\nSPKR-INFO ${id} 1 <NA> <NA> <NA> unknown unknown <NA>\n`
          + `SPEAKER ${id} 1 1.000 1.750 <NA> <NA> S1 <NA>\nSPEAKER ${id} 1 3725.004 0.996 <NA> <NA> unknown <NA>\n`
      }
      for (const [format, text] of Object.entries(lines)) {
        const answer = yield* get(`/transcript?format=${format}`)
        assert.strictEqual(answer.text, text)
        assert.match(answer.headers["content-type"] ?? "", /^text\/plain/u)
        assert.strictEqual(answer.headers["content-disposition"], `attachment; filename="${id}.${format}"`)
      }
    }))

  it.effect("400 INVALID_REQUEST names format when a transcript is asked for in another", () =>
    Effect.gen(function*() {
      const { get } = yield* succeeded
      for (const format of ["docx", "SRT", ""]) {
        const answer = yield* get(`/transcript?format=${format}`)
        assert.strictEqual(answer.status, 400, format)
        assert.strictEqual(answer.json.error.code, "INVALID_REQUEST")
        assert.deepStrictEqual(answer.json.error.details.map(({ path }: { path: string }) => path), ["format"])
      }
    }))

  it.effect("304 for whoever has the very same view already", () =>
    Effect.gen(function*() {
      const { get } = yield* succeeded
      const paths = [
        "/transcript",
        "/transcript?format=srt",
        "/transcript?format=rttm",
        "/frames",
        "/frames?include_raw=true",
        "/graph",
        "/evidence"
      ]
      const tags: Array<string> = []
      for (const path of paths) {
        const tag = (yield* get(path)).headers["etag"]!
        tags.push(tag)
        const again = yield* get(path, { "if-none-match": `"other", ${tag}` })
        assert.strictEqual(again.status, 304, path)
        assert.strictEqual(again.text, "")
        assert.strictEqual(again.headers["etag"], tag)
      }
      assert.strictEqual(new Set(tags).size, paths.length)
      assert.strictEqual((yield* get("/frames", { "if-none-match": tags[4]! })).status, 200)
    }))

  it.effect("the image of a kept frame is its JPEG; 404 FRAME_NOT_FOUND for any other", () =>
    Effect.gen(function*() {
      const { get } = yield* succeeded
      const image = yield* get("/frames/frm_000000/image")
      assert.strictEqual(image.status, 200)
      assert.strictEqual(image.headers["content-type"], "image/jpeg")
      assert.strictEqual(image.headers["content-length"], "4")
      for (const frame_id of ["frm_000001", "frm_999999", "nonsense", "..%2f..%2fsource"]) {
        const missing = yield* get(`/frames/${frame_id}/image`)
        assert.strictEqual(missing.status, 404, frame_id)
        assert.strictEqual(missing.json.error.code, "FRAME_NOT_FOUND")
      }
    }))

  it.effect("409 JOB_NOT_SUCCEEDED tells the status while there is nothing to read", () =>
    Effect.gen(function*() {
      const { send, tenant } = yield* TestServer
      const { key } = yield* tenant("a")
      const { id } = (yield* send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } })).json
      for (const path of ["transcript", "frames", "frames/frm_000000/image", "vision", "graph", "evidence"]) {
        const answer = yield* send("GET", `/v1/jobs/${id}/${path}`, { key })
        assert.strictEqual(answer.status, 409, path)
        assert.strictEqual(answer.json.error.code, "JOB_NOT_SUCCEEDED")
        assert.deepStrictEqual(answer.json.error.details, [{ path: "status", message: "queued" }])
      }
    }))
})
