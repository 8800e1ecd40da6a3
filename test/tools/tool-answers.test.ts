import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { createHash } from "node:crypto"
import { Blobs } from "../../src/storage/Blobs.ts"
import * as Server from "../support/TestServer.ts"
import { callTool, message, request } from "../support/ToolClient.ts"
import { jobOf, signedInScene, transcribedJob } from "../support/ToolScene.ts"

const { TestServer } = Server

const word = (t_start: number, text: string) => ({ t_start, t_end: t_start + 0.5, text, confidence: 0.9 })

/** One sentence in every ten seconds of an hour, by two speakers in turn. */
const longTranscript = {
  language: "en",
  duration_seconds: 3600,
  text: "",
  speakers: [{ id: "S1", label: "Ada", speaking_seconds: 1 }, { id: "S2", label: "Bob", speaking_seconds: 1 }],
  segments: Array.from({ length: 360 }, (_, index) => ({
    id: `seg#${String(index + 1).padStart(6, "0")}`,
    origin: "asr",
    t_start: index * 10,
    t_end: index * 10 + 9,
    speaker: index % 2 === 0 ? "S1" : "S2",
    text: `Sentence ${index}.`,
    confidence: 0.9,
    words: [word(index * 10, "Sentence"), word(index * 10 + 1, `${index}.`)]
  })),
  turns: [],
  audio_branch: "present",
  model: null
}

/** The answer while it is still being written. */
const sent = (url: string, headers: Readonly<Record<string, string>>, json: object) =>
  fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(json)
  })

layer(Server.layer, { excludeTestServices: true })("answers of tools", (it) => {
  const arrange = signedInScene("answers")
  const longJob = transcribedJob("answers", longTranscript)

  it.effect("get_transcript gives the part between two moments, with who speaks in it", () =>
    Effect.gen(function*() {
      const { job_id, token } = yield* longJob
      const { structured } = yield* callTool(token, "get_transcript", { job_id, from: 1200, to: 1210 })
      assert.deepStrictEqual(structured.segments.map(({ id }: { id: string }) => id), ["seg#000121"])
      assert.strictEqual(structured.text, "Sentence 120.")
      assert.deepStrictEqual(structured.speakers.map(({ id }: { id: string }) => id), ["S1"])
      // What reaches into the range is there as a whole.
      const cut = yield* callTool(token, "get_transcript", { job_id, from: 1205, to: 1215 })
      assert.strictEqual(cut.structured.text, "Sentence 120. Sentence 121.")
      const none = yield* callTool(token, "get_transcript", { job_id, from: 9.5, to: 9.7 })
      assert.deepStrictEqual([none.structured.text, none.structured.segments], ["", []])
    }))

  it.effect("get_transcript without words keeps every sentence, and in a format of text it is the file of the REST API", () =>
    Effect.gen(function*() {
      const { job_id, token } = yield* longJob
      const whole = yield* callTool(token, "get_transcript", { job_id })
      const { structured, text } = yield* callTool(token, "get_transcript", { job_id, words: false })
      assert.isBelow(text.length, whole.text.length * 0.7)
      assert.deepStrictEqual(
        structured.segments,
        longTranscript.segments.map((segment) => ({ ...segment, words: [] }))
      )
      const written = yield* callTool(token, "get_transcript", { job_id, format: "txt", to: 20 })
      assert.deepStrictEqual(written.structured, {
        job_id,
        format: "txt",
        content: "Ada: Sentence 0.\nBob: Sentence 1.\n"
      })
      const srt = yield* callTool(token, "get_transcript", { job_id, format: "srt", to: 5 })
      assert.match(srt.structured.content, /^1\n00:00:00,000 --> /u)
    }))

  it.effect("a range that ends before it begins is INVALID_REQUEST by the name of its end", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      for (const tool of ["get_transcript", "get_frames", "get_vision", "get_graph"]) {
        const { text } = yield* callTool(token, tool, { job_id: scene.succeeded, from: 10, to: 5 })
        assert.strictEqual(JSON.parse(text).error.details?.[0].path.replace("/", ""), "to", text)
      }
    }))

  it.effect("get_evidence gives what stands at a place of the result and below it", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      const args = { job_id: scene.succeeded }
      const { structured: whole } = yield* callTool(token, "get_evidence", args)
      const pointers = whole.spans.map(({ pointer }: { pointer: string }) => pointer) as ReadonlyArray<string>
      assert.isNotEmpty(pointers)
      const at = (pointer: string) =>
        Effect.map(callTool(token, "get_evidence", { ...args, pointer }), ({ structured }) => structured)
      assert.deepStrictEqual(yield* at(""), whole)
      assert.deepStrictEqual((yield* at(pointers[0]!)).spans.map(({ pointer }: any) => pointer), [pointers[0]])
      const none = yield* at(pointers[0]!.slice(0, -1))
      assert.deepStrictEqual([none.spans, none.counts], [[], whole.counts])
    }))

  it.effect("get_frames and get_vision give the frames between two moments", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      const ids = (tool: string, args: object) =>
        Effect.map(callTool(token, tool, { job_id: scene.succeeded, ...args }), ({ structured }) =>
          structured.frames.map(({ source_ref }: { source_ref: string }) => source_ref))
      assert.deepStrictEqual(yield* ids("get_frames", { include_raw: true }), ["frame#000000", "frame#000001"])
      assert.deepStrictEqual(yield* ids("get_frames", { include_raw: true, from: 1 }), ["frame#000001"])
      assert.deepStrictEqual(yield* ids("get_frames", { include_raw: true, to: 1 }), ["frame#000000"])
      assert.deepStrictEqual(yield* ids("get_vision", { from: 0.5 }), [])
    }))

  it.effect("get_job with wait_seconds answers when the job has ended", () =>
    Effect.gen(function*() {
      const { succeed } = yield* TestServer
      const { scene, token } = yield* arrange
      const job_id = yield* jobOf(scene.key)
      assert.strictEqual((yield* callTool(token, "get_job", { job_id, wait_seconds: 0 })).structured.status, "queued")
      const waiting = yield* Effect.forkChild(callTool(token, "get_job", { job_id, wait_seconds: 50 }))
      yield* succeed(job_id, { result: { a: 1 } })
      const { structured } = yield* Fiber.join(waiting)
      assert.deepInclude(structured, { status: "succeeded", result: { a: 1 } })
    }))

  it.effect("get_job tells its caller meanwhile how far the job is, if the caller asks for it", () =>
    Effect.gen(function*() {
      const { base_url, sql, succeed } = yield* TestServer
      const { scene, token } = yield* arrange
      const job_id = yield* jobOf(scene.key)
      for (const [seq, fraction] of [0.25, 0.25, 0.5].entries()) {
        const data = { status: "running", progress: { stage: "transcribe", fraction, stages: [] } }
        yield* sql(`INSERT INTO footnote.job_events (job_id, seq, type, data)
          VALUES ('${job_id}', ${seq + 100}, 'progress', '${JSON.stringify(data)}')`)
      }
      const { headers, json } = message("tools/call", {
        name: "get_job",
        arguments: { job_id, wait_seconds: 50 },
        _meta: { progressToken: "p1" }
      })
      const answer = yield* Effect.promise(() =>
        sent(`${base_url}/mcp`, { ...headers, authorization: `Bearer ${token}` }, json)
      )
      const chunks = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ""
      const readUntil = (part: string) =>
        Effect.promise(async () => {
          while (!text.includes(part)) {
            const { done, value } = await chunks.read()
            if (done) throw new Error(`Ended without ${part}: ${text}`)
            text += value
          }
        })
      yield* readUntil(`"progress":0.5`)
      yield* succeed(job_id, { result: {} })
      yield* readUntil(`"structuredContent"`)
      const told = text.split("\n").filter((line) =>
        line.startsWith("data:") && line.includes("notifications/progress")
      )
        .map((line) => JSON.parse(line.slice(5)).params)
      assert.deepStrictEqual(told.map(({ progress }) => progress), [0, 0.25, 0.5])
      assert.deepInclude(told.at(-1), { progressToken: "p1", total: 1, message: "transcribe" })
    }))

  it.effect("extract with a webhook gives the secret that it is signed with", () =>
    Effect.gen(function*() {
      const { token } = yield* arrange
      const args = { source_uri: "https://example.com/a.mp4" }
      const told = yield* callTool(token, "extract", { ...args, webhook_url: "https://example.com/hook" })
      assert.match(told.structured.webhook_signing_secret, /^whsec_/u)
      assert.notProperty((yield* callTool(token, "extract", args)).structured, "webhook_signing_secret")
    }))

  it.effect("deliver links to what becomes of the delivery, which another tenant cannot read", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      const args = { job_id: scene.succeeded, destination_id: scene.webhook }
      const { json } = yield* request(token, "tools/call", { name: "deliver", arguments: args })
      const [, link] = json.result.content
      assert.deepInclude(link, { type: "resource_link", mimeType: "application/json" })
      const read = (as: string, uri = link.uri) => request(as, "resources/read", { uri }, { "x-request-id": "same" })
      const [{ text }] = (yield* read(token)).json.result.contents
      assert.deepInclude(JSON.parse(text), {
        job_id: scene.succeeded,
        destination_id: scene.webhook,
        status: "pending"
      })
      const stranger = (yield* arrange).token
      const foreign = yield* read(stranger)
      assert.strictEqual(foreign.json.error.data.code, "DELIVERY_NOT_FOUND")
      const unknown = yield* read(stranger, "footnote://deliveries/dlv_01kaj3e5h8z9q0w1x2y3z4a5b6")
      assert.strictEqual(foreign.text, unknown.text)
    }))

  it.effect("list_jobs gives jobs as REST lists them, and in brief what a list needs of them, in a fifth of a whole one", () =>
    Effect.gen(function*() {
      const { scene, token } = yield* arrange
      const { send } = yield* TestServer
      const { structured: full } = yield* callTool(token, "list_jobs", {})
      const { json } = yield* send("GET", "/v1/jobs?limit=25", { key: scene.key })
      assert.deepStrictEqual(full, json)
      const { structured } = yield* callTool(token, "list_jobs", { brief: true })
      const one = structured.data.find(({ id }: { id: string }) => id === scene.failed)
      assert.deepInclude(one, { status: "failed" })
      assert.isString(one.error.code)
      for (const listed of structured.data) {
        const whole = yield* callTool(token, "get_job", { job_id: listed.id })
        assert.isBelow(JSON.stringify(listed).length, 500)
        assert.deepInclude(whole.structured, { id: listed.id, status: listed.status, created_at: listed.created_at })
      }
    }))

  it.effect("list_jobs goes on with the cursor that it gave", () =>
    Effect.gen(function*() {
      const { token } = yield* arrange
      const whole = yield* callTool(token, "list_jobs", {})
      const seen: Array<string> = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const { structured } = yield* callTool(token, "list_jobs", {
          limit: 2,
          ...(cursor === undefined ? {} : { cursor })
        })
        seen.push(...structured.data.map(({ id }: { id: string }) => id))
        cursor = structured.next_cursor
      }
      assert.deepStrictEqual(seen, whole.structured.data.map(({ id }: { id: string }) => id))
    }))

  it.effect("links to frames and transcripts are read as resources, and another tenant's is as unknown as none", () =>
    Effect.gen(function*() {
      const { succeed } = yield* TestServer
      const { scene, token } = yield* arrange
      const job_id = yield* jobOf(scene.key)
      const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xd9])
      const image = {
        key: "jobs/frame",
        sha256: createHash("sha256").update(jpeg).digest("hex"),
        size_bytes: jpeg.length
      }
      yield* (yield* Blobs).put(image.key, jpeg)
      const frame = {
        id: "frm_000003",
        source_ref: "frame#000003",
        timestamp: 1.5,
        cluster: 0,
        phash: "00ff00ff00ff00ff"
      }
      yield* succeed(job_id, {
        transcript: longTranscript,
        frames: {
          visual_branch: "present",
          sampled: 4,
          kept: 1,
          frames: [{ ...frame, kept: true, width: 2, height: 2 }]
        },
        images: [{ index: 3, timestamp: 1.5, width: 2, height: 2, image }],
        result: {}
      })
      const linksOf = (name: string) =>
        Effect.map(
          request(token, "tools/call", { name, arguments: { job_id } }),
          ({ json }) => json.result.content.slice(1)
        )
      const read = (uri: string, as = token) => request(as, "resources/read", { uri }, { "x-request-id": "same" })

      const [transcript] = yield* linksOf("get_job")
      assert.deepInclude(transcript, { type: "resource_link", mimeType: "text/plain" })
      assert.match(
        (yield* read(transcript.uri)).json.result.contents[0].text,
        /^Ada: Sentence 0\.\nBob: Sentence 1\.\n/u
      )
      const [picture] = yield* linksOf("get_frames")
      assert.deepInclude(picture, { type: "resource_link", mimeType: "image/jpeg", name: "Frame at 1.5 s" })
      assert.strictEqual((yield* read(picture.uri)).json.result.contents[0].blob, jpeg.toString("base64"))
      const noFrame = yield* read(picture.uri.replace("frm_000003", "frm_000002"))
      assert.strictEqual(noFrame.json.error.data.code, "FRAME_NOT_FOUND")

      const stranger = yield* arrange
      for (const { uri } of [transcript, picture]) {
        const foreign = yield* read(uri, stranger.token)
        const unknown = yield* read(uri.replace(job_id, "job_01kaj3e5h8z9q0w1x2y3z4a5b6"), stranger.token)
        assert.strictEqual(foreign.text, unknown.text)
        assert.strictEqual(foreign.json.error.data.code, "JOB_NOT_FOUND")
      }
    }))

  it.effect("says that it has tools and resources, and nothing that it has not", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { token } = yield* arrange
      const discovered = yield* request(token, "server/discover")
      assert.deepStrictEqual(discovered.json.result.capabilities, { tools: {}, resources: {} })
      for (const protocolVersion of ["2025-11-25", "2025-06-18"]) {
        const { json } = yield* send("POST", "/mcp", {
          key: token,
          headers: { accept: "application/json, text/event-stream" },
          json: {
            jsonrpc: "2.0",
            id: 1,
            method: "initialize",
            params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }
          }
        })
        assert.deepStrictEqual(json.result.capabilities, { tools: {}, resources: {} }, protocolVersion)
      }
    }))
})
