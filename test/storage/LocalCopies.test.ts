import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, FileSystem, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { readdirSync, statSync } from "node:fs"
import { Blobs } from "../../src/storage/Blobs.ts"
import { layerBlobStore } from "../../src/storage/BlobStore.ts"
import { openLocalCopies } from "../../src/storage/LocalCopies.ts"
import { S3Server } from "../support/S3Server.ts"

type Copies = Effect.Success<ReturnType<typeof openLocalCopies>>

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** A copy of 40 bytes comes in, as one that was stored from here does. A second later there may be the next. */
const bring = Effect.fnUntraced(function*(copies: Copies, key: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* copies.partial
  yield* copies.writes(40)
  yield* fs.writeFileString(file, "x".repeat(40))
  yield* copies.keep(key, "1", file)
  yield* TestClock.adjust("1 second")
})

const keysIn = (root: string) => readdirSync(root).map((name) => name.split("@")[0]!).toSorted()

/** Somebody is given the path, and is done with it. */
const use = (copies: Copies, key: string) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(copies.find(key, "1"))
    assert.isTrue(Option.isSome(yield* Fiber.join(fiber)), key)
  })

/** Somebody is given the path, and works until the answer is carried out. */
const work = Effect.fnUntraced(function*(copies: Copies, key: string) {
  const [given, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const fiber = yield* Effect.forkChild(Effect.gen(function*() {
    assert.isTrue(Option.isSome(yield* copies.find(key, "1")))
    yield* Deferred.succeed(given, undefined)
    yield* Deferred.await(over)
  }))
  yield* Deferred.await(given)
  return Effect.andThen(Deferred.succeed(over, undefined), Fiber.join(fiber))
})

layer(NodeServices.layer)("local copies beyond their limit", (it) => {
  it.effect("go until the others fit, those first that were asked for the longest ago", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const copies = yield* openLocalCopies(root, 100)
      for (const key of ["a", "b"]) yield* bring(copies, key)
      yield* use(copies, "a")
      yield* TestClock.adjust("1 second")
      yield* bring(copies, "c")
      assert.deepStrictEqual(keysIn(root), ["a", "c"])
      yield* bring(copies, "d")
      assert.deepStrictEqual(keysIn(root), ["c", "d"])
    }))

  it.effect("stay while a fiber that was given one works on, and go when it has ended", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const copies = yield* openLocalCopies(root, 100)
      yield* bring(copies, "a")
      const end = yield* work(copies, "a")
      for (const key of ["b", "c", "d"]) yield* bring(copies, key)
      assert.deepStrictEqual(keysIn(root), ["a", "d"])
      yield* end
      yield* bring(copies, "e")
      assert.deepStrictEqual(keysIn(root), ["d", "e"])
    }))

  it.effect("stay while another process of the machine works on one, for hours, and go ten minutes after it", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const theirs = yield* openLocalCopies(root, 100)
      const ours = yield* openLocalCopies(root, 100)
      yield* bring(ours, "a")
      const end = yield* work(theirs, "a")
      const file = `${root}/${readdirSync(root)[0]!}`
      for (let minutes = 0; minutes < 60; minutes += 4) {
        const before = statSync(file).mtimeMs
        yield* TestClock.adjust("4 minutes")
        // The clock of a test stands still while files are touched.
        while (statSync(file).mtimeMs === before) yield* Effect.promise(() => new Promise(setImmediate))
      }
      for (const key of ["b", "c"]) yield* bring(ours, key)
      assert.deepStrictEqual(keysIn(root), ["a", "c"])
      yield* end
      yield* bring(ours, "d")
      assert.deepStrictEqual(keysIn(root), ["a", "d"])
      yield* TestClock.adjust("10 minutes")
      yield* bring(ours, "e")
      assert.deepStrictEqual(keysIn(root), ["d", "e"])
    }))

  it.effect("stay where there is no limit, and files that are nobody's copies are left alone", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const fs = yield* FileSystem.FileSystem
      yield* fs.makeDirectory(`${root}/jobs`)
      const copies = yield* openLocalCopies(root, 0)
      for (const key of ["a", "b", "c"]) yield* bring(copies, key)
      assert.deepStrictEqual(keysIn(root), ["a", "b", "c", "jobs"])
      yield* bring(yield* openLocalCopies(root, 1), "d")
      yield* TestClock.adjust("1 hour")
      assert.include(keysIn(root), "jobs")
    }))
})

layer(S3Server.layer.pipe(Layer.provideMerge(NodeServices.layer)))(
  "the blob store of a deployment with a bucket",
  (it) => {
    it.effect("holds copies within BLOB_S3_COPIES_BYTES, and none of an upload that it stored", () =>
      Effect.gen(function*() {
        const { connection } = yield* S3Server
        const root = yield* folder
        const env = {
          BLOB_DIR: root,
          BLOB_S3_BUCKET: "blobs",
          BLOB_S3_ENDPOINT: connection.endpoint,
          BLOB_S3_ACCESS_KEY_ID: "S3RVER",
          BLOB_S3_SECRET_ACCESS_KEY: "S3RVER",
          BLOB_S3_COPIES_BYTES: "100",
          DISK_RESERVE_BYTES: "0"
        }
        yield* Effect.gen(function*() {
          const { localPath, putStream } = yield* Blobs
          const store = (key: string) => putStream(key, Stream.make(Buffer.alloc(40)))
          yield* store("uploads/tenant/1")
          assert.deepStrictEqual(readdirSync(root), [])
          for (const key of ["one", "two"]) {
            yield* store(key)
            yield* TestClock.adjust("1 second")
          }
          assert.deepStrictEqual(keysIn(root), ["one", "two"])
          yield* localPath("uploads/tenant/1")
          assert.deepStrictEqual(keysIn(root), ["two", "uploads"])
          yield* store("three")
          assert.deepStrictEqual(keysIn(root), ["three", "uploads"])
        }).pipe(
          Effect.provide(layerBlobStore.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))))
        )
      }))

    it.effect("refuses a limit below nothing, by its name", () =>
      Effect.gen(function*() {
        const env = { BLOB_S3_COPIES_BYTES: "-1" }
        const failed = yield* Layer.build(layerBlobStore).pipe(
          Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))),
          Effect.flip
        )
        assert.include(failed.message, "BLOB_S3_COPIES_BYTES")
      }))
  }
)
