import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { Blobs } from "../../src/storage/Blobs.ts"
import { breadth } from "../support/Breadth.ts"
import { signIn } from "../support/SignIn.ts"
import * as Server from "../support/TestServer.ts"
import { callTool } from "../support/ToolClient.ts"
import { toolScene } from "../support/ToolScene.ts"

const { TestServer } = Server

/** What names an artifact in the error, where its blob lies, and how it is read. */
const artifacts = {
  result: { blob: "result", path: "", tool: "get_job" },
  transcript: { blob: "transcript", path: "/transcript", tool: "get_transcript" },
  frames: { blob: "frames", path: "/frames", tool: "get_frames" },
  vision: { blob: "vision", path: "/vision", tool: "get_vision" },
  graph: { blob: "graph", path: "/graph?view=canonical", tool: undefined },
  graph_compact: { blob: "graph_compact", path: "/graph", tool: "get_graph" },
  evidence: { blob: "evidence", path: "/evidence", tool: "get_evidence" },
  manifest: { blob: "subjects", path: "/manifest", tool: undefined },
  frm_000000: { blob: "picture", path: "/frames/frm_000000/image", tool: undefined }
} as const

const picture = Buffer.from([0xff, 0xd8, 0xff, 0xd9])

/** A succeeded job of everything that can be read of one. */
const scene = Effect.gen(function*() {
  const { sql, succeed } = yield* TestServer
  const own = yield* toolScene("own")
  const job = own.succeeded
  const blobs = yield* Blobs
  const image = yield* blobs.put(`jobs/${job}/extract/0/0/picture`, picture)
  yield* sql(`DELETE FROM footnote.artifacts WHERE job_id = '${job}' AND kind IN ('images', 'subjects')`)
  yield* succeed(job, {
    images: [{ index: 0, timestamp: 0, width: 1, height: 1, image }],
    subjects: [{ name: "result.json", digest: { jcs_sha256: createHash("sha256").digest("hex") } }]
  })
  yield* sql(
    `INSERT INTO footnote.manifests (job_id, predicate) VALUES ('${job}', '{"warnings":[]}') ON CONFLICT DO NOTHING`
  )
  return { ...own, job }
})

const wounds = {
  "other bytes of the same length": (key: string) =>
    Effect.gen(function*() {
      const blobs = yield* Blobs
      const bytes = Buffer.from(yield* blobs.get(key))
      // Still JSON, and still in form: a digit or a letter of a text.
      const at = bytes.length >> 1
      bytes[at] = bytes[at]! ^ 1
      yield* blobs.put(key, bytes)
    }),
  "nothing any more": (key: string) => Effect.flatMap(Blobs, ({ removeAll }) => removeAll(key))
}

layer(Server.layer, { excludeTestServices: true })("500 ARTIFACT_DAMAGED", (it) => {
  for (const [what, wound] of Object.entries(wounds)) {
    for (const [name, { blob, path, tool }] of breadth(Object.entries(artifacts))) {
      it.effect(`for a ${name} with ${what}, named with what to do, and every other artifact is served`, () =>
        Effect.gen(function*() {
          const { base_url, send } = yield* TestServer
          const { job, key } = yield* scene
          const read = (path: string) =>
            send("GET", `/v1/jobs/${job}${path}`, { key, headers: { "x-request-id": "same" } })
          for (const one of Object.values(artifacts)) assert.strictEqual((yield* read(one.path)).status, 200, one.path)
          yield* wound(`jobs/${job}/extract/0/0/${blob}`)
          const answer = yield* read(path)
          assert.strictEqual(answer.status, 500, answer.text)
          assert.strictEqual(answer.json.error.code, "ARTIFACT_DAMAGED")
          assert.strictEqual(answer.json.error.details[0].path, name)
          assert.include(answer.json.error.message, name)
          assert.include(answer.json.error.message, `POST /v1/jobs/${job}/retry`)
          for (const [other, one] of Object.entries(artifacts)) {
            if (other !== name) assert.strictEqual((yield* read(one.path)).status, 200, other)
          }
          if (tool === undefined) return
          const token = (yield* Effect.promise(() => signIn(base_url, key))).access_token
          const called = yield* callTool(token, tool, { job_id: job }, { "x-request-id": "same" })
          assert.isTrue(called.isError)
          assert.strictEqual(called.text, answer.text)
        }))
    }
  }

  it.effect("does not stop the list of jobs, nor the job's events and schema", () =>
    Effect.gen(function*() {
      const { send } = yield* TestServer
      const { job, key } = yield* scene
      yield* wounds["nothing any more"](`jobs/${job}/extract/0/0/result`)
      for (const path of ["/v1/jobs", `/v1/jobs/${job}/schema`, `/v1/jobs/${job}/deliveries`]) {
        assert.strictEqual((yield* send("GET", path, { key })).status, 200, path)
      }
    }))
})
