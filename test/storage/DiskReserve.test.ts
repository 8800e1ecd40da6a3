import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Blobs from "../../src/storage/Blobs.ts"
import { FreeBytes, withReserve } from "../../src/storage/DiskReserve.ts"
import { layerOver, TestServer } from "../support/TestServer.ts"

const reserve = 1000

/** Blobs on a disk with as many free bytes as the state says. */
const onDisk = (folder: string, disk: { free: number }) =>
  withReserve(Blobs.layerFileSystem(folder), folder, reserve).pipe(
    Layer.provide(Layer.succeed(FreeBytes)(async () => disk.free)),
    Layer.provide(NodeServices.layer)
  )

describe("less free on the disk than the reserve", () => {
  it.live("503 SERVICE_UNAVAILABLE for uploads and submissions, with when to come again; reads go on, and so does all when there is room", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const disk = { free: reserve - 1 }
      const { send, succeed, tenant } = Context.get(
        yield* Layer.build(layerOver(onDisk(yield* fs.makeTempDirectoryScoped(), disk))),
        TestServer
      )
      const { key } = yield* tenant("a")
      const job = { source_uri: "https://example.com/a.mp4" }
      const newWork = [
        send("POST", "/v1/uploads", { key, body: new Uint8Array(64), headers: { "content-type": "video/mp4" } }),
        send("POST", "/v1/uploads", { key, headers: { "tus-resumable": "1.0.0", "upload-length": "64" } }),
        send("POST", "/v1/jobs", { key, json: job, headers: { "idempotency-key": "one" } }),
        send("POST", "/v1/jobs/batch", { key, json: { jobs: [job] } })
      ]
      for (const work of newWork) {
        const { headers, json, status, text } = yield* work
        assert.strictEqual(status, 503, text)
        assert.strictEqual(json.error.code, "SERVICE_UNAVAILABLE")
        assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/u)
      }
      assert.deepStrictEqual((yield* send("GET", "/v1/jobs", { key })).json.data, [])
      disk.free = reserve
      const made: Array<string> = []
      for (const work of newWork) {
        const { json, status, text } = yield* work
        assert.include([200, 201], status, text)
        made.push(json?.id)
      }
      disk.free = 0
      // What ends work under way is still written, and what was made under a key is still told.
      yield* succeed(made[2]!, { result: { a: 1 } })
      const read = yield* send("GET", `/v1/jobs/${made[2]!}`, { key })
      assert.deepStrictEqual(read.json.result, { a: 1 })
      const again = yield* send("POST", "/v1/jobs", { key, json: job, headers: { "idempotency-key": "one" } })
      assert.strictEqual(again.headers["idempotent-replayed"], "true")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("ends a stream under way within a second of it, leaves nothing of it, and takes small writes", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const disk = { free: reserve }
      yield* Effect.gen(function*() {
        const blobs = yield* Blobs.Blobs
        const chunks = Stream.fromIterable([1, 2, 3]).pipe(
          Stream.tap((at) => at === 2 ? Effect.sync(() => void (disk.free = 0)) : TestClock.adjust("2 seconds")),
          Stream.map(() => new Uint8Array(10)),
          Stream.rechunk(1)
        )
        const error = yield* Effect.flip(blobs.putStream("a/stream", chunks))
        assert.strictEqual(error.away, "disk")
        assert.strictEqual((yield* Effect.flip(blobs.getRange("a/stream", 0, 1))).missing, true)
        assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/.partial`), [])
        assert.strictEqual((yield* blobs.put("a/result.json", new Uint8Array(4))).size_bytes, 4)
      }).pipe(Effect.provide(onDisk(folder, disk)))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
