import { Effect, type Schema } from "effect"
import type { TenantId } from "../../src/identity/Id.ts"
import { signIn } from "./SignIn.ts"
import { TestServer } from "./TestServer.ts"

const phash = "00ff00ff00ff00ff"
const frame = (index: number, kept: boolean) => ({
  id: `frm_${String(index).padStart(6, "0")}`,
  source_ref: `frame#${String(index).padStart(6, "0")}`,
  timestamp: index,
  cluster: 0,
  phash,
  kept,
  width: 640,
  height: 360
})
const segment = {
  id: "seg#000001",
  origin: "asr",
  t_start: 1.25,
  t_end: 2.5,
  speaker: "S1",
  text: "The price is €12 — “firm”.",
  confidence: 0.9,
  words: [{ t_start: 1.25, t_end: 1.5, text: "The", confidence: 0.99 }]
}
const node = {
  id: "n1",
  kind: "claim",
  label: segment.text,
  type: null,
  t_start: 1.25,
  t_end: 2.5,
  modality: "audio",
  source_refs: [segment.id],
  mentions: 1
}
const edge = { id: "e1", source: "n1", target: "n1", relation: "says", t_start: 1.25, t_end: 2.5, source_refs: [] }

/** What a job leaves: a little of everything. */
const artifacts = {
  transcript: {
    language: "en",
    duration_seconds: 4000.5,
    text: segment.text,
    speakers: [{ id: "S1", label: "Ada", speaking_seconds: 1.25 }],
    segments: [segment],
    turns: [{ speaker: "S1", t_start: 1.25, t_end: 2.5 }],
    audio_branch: "present",
    model: "ctc-1"
  },
  frames: { visual_branch: "present", sampled: 2, kept: 1, frames: [frame(0, true), frame(1, false)] },
  vision: {
    visual_branch: "present",
    frames: [{
      frame_id: "frm_000000",
      source_ref: "frame#000000",
      timestamp: 0,
      description: "A slide with one line of text.",
      text: [{ text: "€12", box: [0.1, 0.2, 0.3, 0.4], confidence: 0.8 }],
      labels: [{ name: "slide", confidence: 0.7 }]
    }],
    model: "ocr-1"
  },
  graph: { view: "canonical", nodes: [node, { ...node, id: "n2" }], edges: [edge] },
  graph_compact: { view: "compact", nodes: [node], edges: [edge] },
  evidence: {
    spans: [{
      pointer: "/price",
      value: 12,
      origin: "extracted",
      origin_channel: "asr",
      modality: "audio",
      t_start: 1.25,
      t_end: 2.5,
      source_ref: "seg#000001",
      quote: "€12",
      media_fragment: "#t=1.25,2.5",
      node_id: "n1",
      support: "verbatim",
      confidence: 0.9,
      verified: true,
      corroborated_by: [],
      alternatives: []
    }],
    unfilled: [{ pointer: "/title", reason: "not found" }]
  },
  result: { price: 12, title: null }
}

export interface ToolScene {
  readonly tenant_id: TenantId
  readonly key: string
  readonly succeeded: string
  readonly queued: string
  readonly cancelled: string
  readonly failed: string
  readonly schema: string
  readonly webhook: string
  readonly slack: string
  readonly upload: string
}

/** A new job of whoever has the key. */
export const jobOf = (key: string) =>
  Effect.flatMap(
    TestServer,
    ({ send }) =>
      Effect.map(send("POST", "/v1/jobs", { key, json: { source_uri: "https://example.com/a.mp4" } }), ({ json }) =>
        json.id as string)
  )

/** A tenant with a job in every state that a tool can meet, a schema, and a destination of either kind. */
export const toolScene = (name: string) =>
  Effect.gen(function*() {
    const { send, sql, succeed, tenant } = yield* TestServer
    const { key, tenant_id } = yield* tenant(name)
    const post = (path: string, json: unknown) =>
      Effect.map(send("POST", path, { key, json }), (answer) => {
        if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
        return answer.json.id as string
      })
    const job = post("/v1/jobs", { source_uri: "https://example.com/talk.mp4" })
    const succeeded = yield* job
    yield* succeed(succeeded, artifacts)
    const cancelled = yield* job
    yield* send("POST", `/v1/jobs/${cancelled}/cancel`, { key })
    const failed = yield* job
    yield* sql(
      `UPDATE footnote.jobs SET status = 'failed', finished_at = now(),
        error = '{"code":"SOURCE_NOT_MEDIA","message":"No audio or video.","stage":"probe"}' WHERE id = '${failed}'`
    )
    const headers = { "content-type": "video/mp4" }
    const { json } = yield* send("POST", "/v1/uploads", { key, body: "not a video", headers })
    return {
      tenant_id,
      key,
      upload: json.id as string,
      succeeded,
      cancelled,
      failed,
      queued: yield* job,
      schema: yield* post("/v1/schemas", { name: "Price", json_schema: { type: "object" }, description: "A price" }),
      webhook: yield* post("/v1/destinations", {
        name: "hook",
        type: "webhook",
        config: { url: "https://example.com/hook" }
      }),
      slack: yield* post("/v1/destinations", {
        name: "chat",
        type: "slack",
        config: { webhook_url: "https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXX" }
      })
    } satisfies ToolScene as ToolScene
  })

/** The same with a tool client of the tenant, signed in. */
export const signedInScene = (name: string) =>
  Effect.gen(function*() {
    const scene = yield* toolScene(name)
    const { base_url } = yield* TestServer
    const { access_token } = yield* Effect.promise(() => signIn(base_url, scene.key))
    return { scene, token: access_token }
  })

/** A job of such a tenant that has succeeded with a transcript. */
export const transcribedJob = (name: string, transcript: Schema.Json) =>
  Effect.gen(function*() {
    const { scene, token } = yield* signedInScene(name)
    const { succeed } = yield* TestServer
    const job_id = yield* jobOf(scene.key)
    yield* succeed(job_id, { transcript, result: {} })
    return { job_id, token }
  })
