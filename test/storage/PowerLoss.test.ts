import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { keyFile } from "../../src/crypto/KeyFile.ts"
import { Blobs, layerFileSystem } from "../../src/storage/Blobs.ts"
import { layerPowerLoss } from "../support/PowerLoss.ts"

const folder = Effect.flatMap(
  FileSystem.FileSystem,
  (fs) => fs.makeTempDirectoryScoped({ prefix: "footnote-power-" })
)

const bytes = Buffer.from("bytes")

layer(NodeServices.layer, { excludeTestServices: true })("what a power cut leaves", (it) => {
  const writes = {
    "bytes that were put": (key: string) => Effect.flatMap(Blobs, ({ put }) => put(key, bytes)),
    "a stream that was put": (key: string) =>
      Effect.flatMap(Blobs, ({ putStream }) => putStream(key, Stream.make(bytes))),
    "a file that was moved in": (key: string) =>
      Effect.gen(function*() {
        const file = join(yield* folder, "file")
        writeFileSync(file, bytes)
        return yield* Effect.flatMap(Blobs, ({ putFile }) => putFile(key, file))
      })
  }
  for (const [what, write] of Object.entries(writes)) {
    it.effect(`${what}, in folders that were not there, in one that was, and in place of another`, () =>
      Effect.gen(function*() {
        const root = join(yield* folder, "made", "with", "the", "store")
        const { layer: watched, power } = yield* layerPowerLoss()
        yield* Effect.gen(function*() {
          for (const key of ["a/b/c/one", "a/b/c/two", "a/b/other/one", "a/b/c/one", "top"]) {
            yield* write(key)
            assert.isTrue(power.survives(join(root, key)), `${key}: ${power.lost().join(", ")}`)
          }
        }).pipe(Effect.provide(layerFileSystem(root).pipe(Layer.provide(watched))))
      }))
  }

  it.effect("a blob in folders that another process has made and not synced", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const { layer: watched, power } = yield* layerPowerLoss()
      const store = layerFileSystem(root).pipe(Layer.provide(watched))
      yield* Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const { put } = yield* Blobs
        yield* put("jobs/1/x", bytes)
        yield* fs.makeDirectory(join(root, "jobs/2/fetch"), { recursive: true })
        yield* put("jobs/2/fetch/x", bytes)
        assert.isTrue(power.survives(join(root, "jobs/2/fetch/x")), power.lost().join(", "))
        yield* fs.makeDirectory(join(root, "jobs/3"), { recursive: true })
        yield* put("jobs/3/fetch/0/x", bytes)
        assert.isTrue(power.survives(join(root, "jobs/3/fetch/0/x")), power.lost().join(", "))
      }).pipe(Effect.provide(Layer.merge(store, watched)))
    }))

  it.effect("a key file that was made, in a folder that was not there", () =>
    Effect.gen(function*() {
      const file = join(yield* folder, "data", "encryption.key")
      const { layer: watched, power } = yield* layerPowerLoss()
      const text = yield* Effect.provide(keyFile(file), watched)
      assert.isTrue(power.survives(file), power.lost().join(", "))
      assert.strictEqual(yield* Effect.provide(keyFile(file), watched), text)
    }))
})
