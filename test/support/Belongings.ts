import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { Call, TestTenant } from "./TestServer.ts"
import { TestServer } from "./TestServer.ts"

/** What an id of the API can name, by its prefix. */
export type Kind = "job" | "bat" | "upl" | "sch" | "key" | "dst" | "dlv" | "exp" | "rev"

export interface Belongings {
  readonly tenant: TestTenant
  /** Things that are there, of every state that a route treats in its own way. */
  readonly ids: Readonly<Record<Kind, ReadonlyArray<string>>>
  /** Things that were there; a delivery cannot be deleted, and a revoked key is still listed. */
  readonly gone: Readonly<Partial<Record<Kind, string>>>
}

const source_uri = "https://example.com/talk.mp4"
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 128, 255, 13, 10, 0xff, 0xd9])
export const webhook = { name: "w", type: "webhook", config: { url: "https://example.com/hook" } }

/** Everything that a succeeded job can leave. */
const artifactsOf = (job_id: string) => ({
  transcript: {
    language: null,
    duration_seconds: 1,
    text: "",
    speakers: [],
    segments: [],
    turns: [],
    audio_branch: "absent",
    model: "none"
  },
  frames: {
    visual_branch: "present",
    sampled: 1,
    kept: 1,
    frames: [{
      id: "frm_000000",
      source_ref: "frame#000000",
      timestamp: 0,
      cluster: 0,
      phash: "00ff00ff00ff00ff",
      kept: true,
      width: 640,
      height: 360
    }]
  },
  vision: { visual_branch: "present", frames: [], model: "ocr-1" },
  graph: { view: "canonical", nodes: [], edges: [] },
  graph_compact: { view: "compact", nodes: [], edges: [] },
  evidence: { spans: [], unfilled: [] },
  result: { of: job_id },
  subjects: [{ name: "result.json", digest: { jcs_sha256: "a".repeat(64) } }],
  images: [{
    index: 0,
    timestamp: 0,
    width: 640,
    height: 360,
    image: {
      key: `jobs/${job_id}/extract/0/0/source`,
      size_bytes: jpeg.length,
      sha256: createHash("sha256").update(jpeg).digest("hex")
    }
  }]
})

const predicate = JSON.stringify({
  source: { size_bytes: 4, digest: { sha256: "b".repeat(64) } },
  models: [],
  warnings: []
})

const facts = {
  container: "mp4",
  duration_seconds: 1,
  width: 640,
  height: 360,
  frame_rate: 25,
  audio: null,
  video: "h264",
  size_bytes: jpeg.length,
  sha256: "b".repeat(64)
}

/** One of everything that a tenant can have, made as a tenant makes it, and one more of each that is deleted again. */
export const belongings = Effect.fn("belongings")(function*(name: string) {
  const { send, sql, succeed, tenant } = yield* TestServer
  const owner = yield* tenant(name)
  const make = (path: string, call: Call) =>
    Effect.map(send("POST", path, { key: owner.key, ...call }), ({ json, status, text }) => {
      if (status >= 300) throw new Error(`${path}: ${text}`)
      return json.id as string
    })
  const remove = (path: string) => send("DELETE", path, { key: owner.key })
  const job = make("/v1/jobs", { json: { source_uri, webhook_url: "https://example.com/hook" } })
  const cancelled = Effect.tap(job, (id) => make(`/v1/jobs/${id}/cancel`, {}))
  const upload = make("/v1/uploads", { body: "x", headers: { "content-type": "video/mp4" } })
  const unfinished = make("/v1/uploads", { headers: { "tus-resumable": "1.0.0", "upload-length": "4" } })
  const schema = make("/v1/schemas", { json: { name: "s", json_schema: { type: "object" } } })
  const key = make("/v1/api-keys", { json: { name: "k" } })
  const exported = make("/v1/exports", { json: {} })
  const destination = make("/v1/destinations", { json: webhook })

  const succeeded = yield* make("/v1/jobs", { json: { source_uri } })
  yield* succeed(succeeded, { source: jpeg })
  yield* succeed(succeeded, artifactsOf(succeeded))
  yield* sql(`UPDATE footnote.jobs SET source = '${JSON.stringify(facts)}' WHERE id = '${succeeded}'`)
  yield* sql(`INSERT INTO footnote.manifests VALUES ('${succeeded}', '${predicate}')`)

  const review = `rev_${succeeded.slice(4)}`
  yield* sql(`INSERT INTO footnote.reviews (id, tenant_id, job_id, revision, decisions)
    VALUES ('${review}', '${owner.tenant_id}', '${succeeded}', 1, '[]')`)

  const batch = make("/v1/jobs/batch", { json: { jobs: [{ source_uri }] } })

  const dst = [yield* destination]
  const sch = [yield* schema]
  const queued = make("/v1/jobs", { json: { source_uri, schema_id: sch[0], webhook_url: "https://example.com/hook" } })
  const gone = {
    job: yield* cancelled,
    upl: yield* upload,
    sch: yield* schema,
    dst: yield* destination,
    exp: yield* exported
  }
  for (
    const [id, path] of [
      [gone.job, "jobs"],
      [gone.upl, "uploads"],
      [gone.sch, "schemas"],
      [gone.dst, "destinations"],
      [gone.exp, "exports"]
    ]
  ) {
    yield* remove(`/v1/${path}/${id}`)
  }
  return {
    tenant: owner,
    ids: {
      job: [yield* queued, yield* cancelled, succeeded],
      bat: [yield* batch],
      upl: [yield* upload, yield* unfinished],
      sch,
      key: [yield* key],
      exp: [yield* exported],
      dst,
      rev: [review],
      dlv: [yield* make(`/v1/jobs/${succeeded}/deliveries`, { json: { destination_id: dst[0] } })]
    },
    gone
  } satisfies Belongings as Belongings
})
