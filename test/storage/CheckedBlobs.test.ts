import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger, Metric, References } from "effect"
import { createHash } from "node:crypto"
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { Blobs, layerFileSystem } from "../../src/storage/Blobs.ts"
import { blobFile, readBlob } from "../../src/storage/CheckedBlobs.ts"

const InFolder = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-blobs-" }))
}))

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

layer(Layer.provideMerge(InFolder, NodeServices.layer), { excludeTestServices: true })("a blob that is read", (it) => {
  const readers = {
    bytes: (ref: { readonly key: string; readonly sha256: string }) =>
      Effect.flatMap(Blobs, (blobs) => Effect.map(readBlob(blobs, ref), (bytes) => Buffer.from(bytes).toString())),
    path: (ref: { readonly key: string; readonly sha256: string }) =>
      Effect.flatMap(Blobs, (blobs) => Effect.map(blobFile(blobs, ref), (file) => readFileSync(file, "utf8")))
  }
  for (const [how, read] of Object.entries(readers)) {
    it.effect(`by ${how} is what was written, and fails with both digests where it is not, also after a good read`, () =>
      Effect.gen(function*() {
        const { localPath, put } = yield* Blobs
        const ref = yield* put(`one/${how}`, Buffer.from("footage"))
        assert.strictEqual(yield* read(ref), "footage")
        const file = yield* localPath(ref.key)
        const { atime, mtime } = statSync(file)
        writeFileSync(file, "fontage")
        // As a disk that rots leaves them.
        utimesSync(file, atime, mtime)
        const damaged = yield* Effect.flip(read(ref))
        assert.deepInclude(damaged, {
          _tag: "BlobDamaged",
          key: ref.key,
          expected_sha256: sha256("footage"),
          found_sha256: sha256("fontage")
        })
      }))

    it.effect(`by ${how} and is not there is told as lost`, () =>
      Effect.gen(function*() {
        const damaged = yield* Effect.flip(read({ key: "never/written", sha256: sha256("") }))
        assert.deepInclude(damaged, { _tag: "BlobDamaged", found_sha256: null })
      }))
  }

  it.effect("and is damaged is logged with its key and digests, and counted", () =>
    Effect.gen(function*() {
      const lines: Array<Record<string, unknown>> = []
      const logger = Logger.make(({ fiber }) => {
        lines.push(fiber.getRef(References.CurrentLogAnnotations))
      })
      const blobs = yield* Blobs
      const { key } = yield* blobs.put("logged", Buffer.from("now"))
      yield* Effect.flip(readBlob(blobs, { key, sha256: sha256("then") })).pipe(
        Effect.annotateLogs({ job_id: "job_1" }),
        Effect.provide(Logger.layer([logger]))
      )
      assert.deepStrictEqual(lines, [{
        job_id: "job_1",
        blob: "logged",
        expected_sha256: sha256("then"),
        found_sha256: sha256("now")
      }])
      const counted = (yield* Metric.snapshot).find(({ id }) => id === "footnote_blobs_damaged_total")
      assert.deepStrictEqual(counted?.attributes, { found: "changed" })
      assert.deepInclude(counted?.state, { count: 1 })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
})
