import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Tasks } from "../../src/jobs/engine/Tasks.ts"
import { removeOldRenditions } from "../../src/media/OldRenditions.ts"
import { runRender } from "../../workers/engine/StageRunner.ts"
import { runWorker } from "../../workers/engine/Worker.ts"
import { makeRenditions } from "../../workers/media/MediaStages.ts"
import { temporaryFolder } from "../support/Deployment.ts"
import { shortClip } from "../support/ShortClip.ts"
import * as Server from "../support/TestServer.ts"

const { TestServer } = Server

/** A worker for media beside the server, as a process of its own would be. */
const Worker = Layer.effectDiscard(Effect.gen(function*() {
  const handle = runRender(yield* makeRenditions())
  // It says that it serves fetches, which would be in line for media else, and takes none.
  const pools = [{ pool: "media", slots: 2, handle }, { pool: "fetch", slots: 0, handle }] as const
  yield* Effect.forkScoped(runWorker({ pools, drain_seconds: 0 }))
})).pipe(Layer.provide(Tasks.layer))

/** A succeeded job of a tenant of its own over four seconds of a lecture. */
const succeeded = Effect.gen(function*() {
  const { send, sql, succeed, tenant } = yield* TestServer
  const owner = yield* tenant("owner")
  const json = { source_uri: "https://example.com/a/lecture.mov", title: "Orbits" }
  const { id } = (yield* send("POST", "/v1/jobs", { key: owner.key, json })).json
  const source = readFileSync(yield* shortClip(yield* temporaryFolder, 4))
  yield* succeed(id, { source })
  yield* sql(
    `UPDATE footnote.jobs SET source = '{"container":"mp4","video":"h264","duration_seconds":4}' WHERE id = '${id}'`
  )
  return { id: id as string, path: `/v1/jobs/${id}`, ...owner }
})

const isIso = (bytes: string) => bytes.slice(4, 8) === "ftyp"

layer(Server.layer.pipe((server) => Layer.provideMerge(Worker, server)), {
  excludeTestServices: true,
  timeout: 120_000
})(
  "what is made of a job's source to be looked at",
  (it) => {
    it.effect("a preview is made once, told of while it is made, and played in ranges and by a link", () =>
      Effect.gen(function*() {
        const { base_url, send, sql } = yield* TestServer
        const { id, key, path } = yield* succeeded
        const absent = yield* send("GET", `${path}/preview`, { key })
        assert.deepStrictEqual(absent.json, {
          status: "absent",
          fraction: 0,
          url: null,
          message: null,
          source: { url: `${path}/media`, content_type: "video/mp4", kept_until: null }
        })
        assert.strictEqual(
          (yield* send("GET", `${path}/preview/media`, { key })).json.error.code,
          "RENDITION_NOT_READY"
        )
        const asked = yield* send("POST", `${path}/preview`, { key })
        assert.oneOf(asked.status, [200, 202])
        const states = yield* Effect.map(send("GET", `${path}/preview`, { key }), ({ json }) => json).pipe(
          Effect.repeat({ until: ({ status }) => status !== "queued" && status !== "running" })
        )
        assert.deepStrictEqual([states.status, states.fraction, states.url], ["ready", 1, `${path}/preview/media`])
        assert.strictEqual((yield* send("POST", `${path}/preview`, { key })).status, 200)
        const played = yield* send("GET", `${path}/preview/media`, { key, headers: { range: "bytes=0-11" } })
        assert.strictEqual(played.status, 206)
        assert.isTrue(isIso(played.text))
        assert.strictEqual(played.headers["content-type"], "video/mp4")
        assert.strictEqual(played.headers["content-disposition"], "inline; filename=\"lecture.mp4\"")
        const link = yield* send("POST", `${path}/media-links`, { key, json: { rendition: "preview" } })
        const linked = yield* send("GET", link.json.url.slice(base_url.length), { headers: { range: "bytes=0-11" } })
        assert.strictEqual(linked.status, 206)
        // It is counted as what the tenant keeps, and goes with the job.
        const size = Number(played.headers["content-range"]!.split("/")[1])
        yield* sql(`DO $$ BEGIN ASSERT (SELECT stored_bytes >= ${size} FROM footnote.jobs WHERE id = '${id}'); END $$`)
        assert.strictEqual((yield* send("DELETE", path, { key })).status, 200)
        assert.strictEqual((yield* send("GET", link.json.url.slice(base_url.length))).status, 404)
        yield* sql(`DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM footnote.renditions WHERE job_id = '${id}'); END $$`)
      }))

    it.effect("a clip and the frame of a moment are made while the request waits, and kept for the next", () =>
      Effect.gen(function*() {
        const { send } = yield* TestServer
        const { key, path } = yield* succeeded
        // A busy machine may take longer than a request waits; it goes on meanwhile, and 503 asks to come again.
        const looked = (part: string) =>
          Effect.repeat(send("GET", `${path}/${part}`, { key }), { while: ({ status }) => status === 503 })
        const clip = yield* looked("clips?t_start=1&t_end=2.5")
        assert.strictEqual(clip.status, 200)
        assert.isTrue(isIso(clip.text))
        const again = yield* looked("clips?t_start=1.0001&t_end=2.5&format=mp4")
        assert.strictEqual(again.headers["etag"], clip.headers["etag"])
        const gif = yield* looked("clips?t_start=1&t_end=1.5&format=gif")
        assert.isTrue(gif.text.startsWith("GIF8"))
        assert.strictEqual(gif.headers["content-type"], "image/gif")
        const frame = yield* looked("frames/at?t=2.25")
        assert.strictEqual(frame.status, 200)
        assert.deepInclude(frame.headers, {
          "content-type": "image/jpeg",
          "x-frame-timestamp": "2.25",
          "x-frame-origin": "source"
        })
        for (
          const [query, parameter] of [
            ["t_start=2&t_end=2", "t_end"],
            ["t_start=0&t_end=61", "t_end"],
            ["t_start=5&t_end=6", "t_start"],
            ["t_start=-1&t_end=6", "t_start"],
            ["t_start=0&t_end=NaN", "t_end"],
            // None of these is a number as JSON writes it, and an empty text is not the begin.
            ["t_start=&t_end=1", "t_start"],
            ["t_start=0x1&t_end=2", "t_start"],
            ["t_start=%201&t_end=2", "t_start"]
          ]
        ) {
          const refused = yield* send("GET", `${path}/clips?${query}`, { key })
          assert.deepStrictEqual(
            refused.json.error.details?.map(({ path }: { path: string }) => path),
            [parameter],
            query
          )
        }
      }))

    it.effect("a source that cannot be shown fails with its reason, and the kept frame stands in for the picture", () =>
      Effect.gen(function*() {
        const { send, succeed, tenant } = yield* TestServer
        const { key } = yield* tenant("owner")
        const json = { source_uri: "https://example.com/a.mp4" }
        const { id } = (yield* send("POST", "/v1/jobs", { key, json })).json
        const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xd9])
        const sha256 = createHash("sha256").update(jpeg).digest("hex")
        const image = { key: `jobs/${id}/extract/0/0/subjects`, size_bytes: jpeg.length, sha256 }
        const images = [0, 5, 30].map((timestamp, index) => ({ index, timestamp, width: 2, height: 2, image }))
        yield* succeed(id, { source: Buffer.from("no media at all, whatever its name says"), subjects: jpeg, images })
        const failed = yield* send("GET", `/v1/jobs/${id}/clips?t_start=0&t_end=1`, { key })
        assert.strictEqual(failed.json.error.code, "RENDITION_FAILED")
        assert.include(failed.json.error.message, "not an audio or video file")
        const frame = yield* send("GET", `/v1/jobs/${id}/frames/at?t=9`, { key })
        assert.strictEqual(frame.status, 200)
        assert.deepInclude(frame.headers, { "x-frame-timestamp": "5", "x-frame-origin": "kept" })
      }))

    it.effect("a clip goes after a day, and everything of an upload once that is deleted; their bytes count no more", () =>
      Effect.gen(function*() {
        const { send, sql } = yield* TestServer
        const { id, key, path } = yield* succeeded
        const clip = `${path}/clips?t_start=1&t_end=1.5`
        const first = yield* send("GET", clip, { key })
        yield* send("GET", `${path}/frames/at?t=1`, { key })
        assert.strictEqual(yield* removeOldRenditions, 0)
        yield* sql(`UPDATE footnote.renditions SET finished_at = now() - interval '25 hours'
          WHERE job_id = '${id}' AND name LIKE 'clip%'`)
        assert.strictEqual(yield* removeOldRenditions, 1)
        assert.strictEqual((yield* send("GET", clip, { key })).headers["etag"], first.headers["etag"])
        yield* sql(
          `UPDATE footnote.artifacts SET key = 'uploads/ten_x/upl_gone' WHERE job_id = '${id}' AND kind = 'source'`
        )
        assert.strictEqual((yield* send("GET", clip, { key })).json.error.code, "SOURCE_ERASED")
        assert.strictEqual(yield* removeOldRenditions, 2)
        yield* sql(`DO $$ BEGIN ASSERT (SELECT stored_bytes = 0 FROM footnote.jobs WHERE id = '${id}'); END $$`)
      }))

    it.effect("429 RATE_LIMITED where as many things of a tenant wait as may, whatever another one has", () =>
      Effect.gen(function*() {
        const { send, sql } = yield* TestServer
        const [mine, other] = [yield* succeeded, yield* succeeded]
        yield* sql(`INSERT INTO footnote.renditions (tenant_id, job_id, name, turn)
          SELECT '${mine.tenant_id}', '${mine.id}', 'x' || n, n FROM generate_series(1, 8) n`)
        const refused = yield* send("GET", `${mine.path}/frames/at?t=1`, { key: mine.key })
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers["retry-after"], "5")
        assert.strictEqual((yield* send("GET", `${other.path}/frames/at?t=1`, { key: other.key })).status, 200)
      }))
  }
)
