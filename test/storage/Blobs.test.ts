import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber, FileSystem, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type BlobError, Blobs, layerFileSystem } from "../../src/storage/Blobs.ts"
import { layerS3 } from "../../src/storage/S3Blobs.ts"
import { S3Server } from "../support/S3Server.ts"

const InFolder = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-blobs-" }))
}))

const InS3 = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { connection } = yield* S3Server
  const copies = yield* fs.makeTempDirectoryScoped({ prefix: "footnote-blobs-" })
  return layerS3({ bucket: "blobs", connection, copies })
})).pipe(Layer.provide(S3Server.layer))

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Written in place: `Uint8Array.from` takes a second for 18 MB. */
const noise = (size: number, seed = 1): Buffer => {
  const bytes = Buffer.allocUnsafe(size)
  for (let i = 0; i < size; i++) bytes[i] = ((i + seed) * 2_654_435_761) >>> 13
  return bytes
}

const pieces = (bytes: Buffer, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

const absent = Effect.fnUntraced(function*(key: string) {
  const { get, localPath } = yield* Blobs
  assert.isTrue((yield* Effect.flip(get(key))).missing, key)
  assert.isTrue((yield* Effect.flip(localPath(key))).missing, key)
})

const holds = Effect.fnUntraced(function*(key: string, bytes: Buffer) {
  const { get, localPath } = yield* Blobs
  assert.isTrue(bytes.equals(yield* get(key)), key)
  assert.isTrue(bytes.equals(readFileSync(yield* localPath(key))), key)
})

class Broken extends Error {
  readonly _tag = "Broken"
}

const stores = [
  ["a folder", Layer.orDie(InFolder)],
  ["S3", Layer.orDie(InS3)]
] as const

for (const [where, store] of stores) {
  layer(Layer.provideMerge(store, NodeServices.layer), { excludeTestServices: true })(
    `blobs in ${where}`,
    (it) => {
      it.effect("give back exactly what was put, by bytes and by path, with its size and hash", () =>
        Effect.gen(function*() {
          const { put } = yield* Blobs
          for (const [key, size] of [["empty", 0], ["a/one", 1], ["a/b/c-d_e.json", 70_000]] as const) {
            const bytes = noise(size)
            assert.deepStrictEqual(yield* put(key, bytes), { key, size_bytes: size, sha256: sha256(bytes) })
            yield* holds(key, bytes)
          }
        }))

      it.effect("take a stream of any length and cut, of none and of many megabytes", () =>
        Effect.gen(function*() {
          const { putStream } = yield* Blobs
          // The last is stored in three parts.
          for (
            const [key, size, chunk] of [["s/none", 0, 1], ["s/odd", 100_001, 997], ["s/large", 18e6, 65_536]] as const
          ) {
            const bytes = noise(size)
            const ref = yield* putStream(key, Stream.fromIterable(pieces(bytes, chunk)))
            assert.deepStrictEqual(ref, { key, size_bytes: size, sha256: sha256(bytes) })
            yield* holds(key, bytes)
          }
        }))

      it.effect("give any piece, and less or nothing where the blob ends", () =>
        Effect.gen(function*() {
          const { getRange, put } = yield* Blobs
          const bytes = noise(100_000)
          yield* put("piece", bytes)
          for (
            const [from, length] of [[0, 16], [70_000, 20_000], [99_990, 48], [99_999, 1], [100_000, 10], [
              5e6,
              10
            ]] as const
          ) {
            const piece = yield* getRange("piece", from, length)
            assert.deepStrictEqual(Buffer.from(piece), Buffer.from(bytes.subarray(from, from + length)), `${from}`)
          }
          const error = yield* Effect.flip(getRange("absent", 0, 1))
          assert.isTrue(error.missing)
        }))

      it.effect("move a file in", () =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const { putFile } = yield* Blobs
          const file = join(yield* fs.makeTempDirectoryScoped(), "made")
          const bytes = noise(300_000)
          writeFileSync(file, bytes)
          assert.deepStrictEqual(yield* putFile("moved/in", file), {
            key: "moved/in",
            size_bytes: bytes.length,
            sha256: sha256(bytes)
          })
          yield* holds("moved/in", bytes)
          assert.isFalse(yield* fs.exists(file))
        }))

      it.effect("list all that lies below a folder and nothing beside it, with when it was written", () =>
        Effect.gen(function*() {
          const { list, put, putStream, removeAll } = yield* Blobs
          assert.deepStrictEqual(yield* list("listed"), [])
          const many = Array.from({ length: 30 }, (_, at) => `listed/many/${at}`)
          yield* Effect.forEach(many, (key) => put(key, noise(1)), { concurrency: 8, discard: true })
          yield* put("listed/a/b/c", noise(3))
          yield* put("listed-not", noise(1))
          const begun = yield* Deferred.make<void>()
          const endless = Stream.concat(
            Stream.make(noise(10)),
            Stream.fromEffect(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
          )
          const writing = yield* Effect.forkChild(putStream("listed/a/late", endless))
          yield* Deferred.await(begun)
          const found = yield* list("listed")
          assert.sameMembers(found.map(({ key }) => key), [...many, "listed/a/b/c"])
          const { modified } = found.find(({ key }) => key === "listed/a/b/c")!
          assert.isBelow(Math.abs((yield* Clock.currentTimeMillis) - modified.getTime()), 3_600_000)
          yield* Fiber.interrupt(writing)
          yield* removeAll("listed/many")
          assert.deepStrictEqual((yield* list("listed")).map(({ key }) => key), ["listed/a/b/c"])
        }))

      it.effect("pass a stream's own failure through, and keep nothing of it", () =>
        Effect.gen(function*() {
          const { put, putStream } = yield* Blobs
          const breaking = Stream.concat(Stream.fromIterable(pieces(noise(20e6), 1e6)), Stream.fail(new Broken()))
          assert.instanceOf(yield* Effect.flip(putStream("broken/new", breaking)), Broken)
          yield* absent("broken/new")
          yield* put("broken/old", noise(10))
          yield* Effect.flip(putStream("broken/old", breaking))
          yield* holds("broken/old", noise(10))
        }))

      it.effect("keep nothing of a write that was interrupted", () =>
        Effect.gen(function*() {
          const { putStream } = yield* Blobs
          const begun = yield* Deferred.make<void>()
          const endless = Stream.concat(
            Stream.make(noise(1e6)),
            Stream.fromEffect(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
          )
          const writing = yield* Effect.forkChild(putStream("interrupted", endless))
          yield* Deferred.await(begun)
          yield* Fiber.interrupt(writing)
          assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(writing)))
          yield* absent("interrupted")
        }))

      it.effect("show the new bytes of a key that is written again, by path too", () =>
        Effect.gen(function*() {
          const { put, putStream } = yield* Blobs
          yield* put("again", noise(5000, 1))
          yield* holds("again", noise(5000, 1))
          yield* put("again", noise(5000, 2))
          yield* holds("again", noise(5000, 2))
          yield* putStream("again", Stream.make(noise(7000, 3)))
          yield* holds("again", noise(7000, 3))
        }))

      it.effect("give every concurrent reader of a path whole bytes", () =>
        Effect.gen(function*() {
          const { localPath, put } = yield* Blobs
          yield* put("shared", noise(3e6))
          const read = Effect.map(localPath("shared"), (file) => sha256(readFileSync(file)))
          const seen = yield* Effect.all(Array.from({ length: 8 }, () => read), { concurrency: 8 })
          assert.deepStrictEqual(new Set(seen), new Set([sha256(noise(3e6))]))
        }))

      it.effect("tell an absent blob from a broken store", () => absent("never/written"))

      it.effect("remove a key and all below it, its neighbours not, and nothing twice is fine", () =>
        Effect.gen(function*() {
          const { localPath, put, removeAll } = yield* Blobs
          const below = Array.from({ length: 12 }, (_, i) => `jobs/1/frames/${i}`)
          for (const key of [...below, "jobs/1/x", "jobs/10/x", "jobs/2"]) yield* put(key, noise(9))
          const copy = yield* localPath("jobs/1/x")
          yield* removeAll("jobs/1")
          yield* removeAll("jobs/2")
          yield* removeAll("jobs/2")
          for (const key of [...below, "jobs/1/x", "jobs/2"]) yield* absent(key)
          yield* holds("jobs/10/x", noise(9))
          assert.throws(() => readFileSync(copy), /ENOENT/u)
        }))

      it.effect("refuse every key that could point elsewhere, in every call", () =>
        Effect.gen(function*() {
          const blobs = yield* Blobs
          for (
            const key of ["", "/etc/passwd", "../up", "a/../b", "a//b", "a/", ".hidden", "a/.part", "a b", "a@b", "ä"]
          ) {
            const calls: ReadonlyArray<Effect.Effect<void, BlobError>> = [
              Effect.asVoid(blobs.put(key, noise(1))),
              Effect.asVoid(blobs.putStream(key, Stream.make(noise(1)))),
              Effect.asVoid(blobs.putFile(key, "/nowhere")),
              Effect.asVoid(blobs.get(key)),
              Effect.asVoid(blobs.localPath(key)),
              blobs.removeAll(key)
            ]
            for (const call of calls) assert.isFalse((yield* Effect.flip(call)).missing, key)
          }
        }))
    }
  )
}

layer(NodeServices.layer, { excludeTestServices: true })("a folder of blobs", (it) => {
  it.effect("loses what a killed writer left unfinished two days later, and nothing of a living one", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "footnote-blobs-" })
      const left = join(folder, ".partial", "left")
      const written = join(folder, ".partial", "written")
      mkdirSync(join(folder, ".partial"))
      for (const [file, hours] of [[left, 49], [written, 47]] as const) {
        writeFileSync(file, "bytes")
        const then = (yield* Clock.currentTimeMillis) / 1000 - hours * 3600
        utimesSync(file, then, then)
      }
      yield* Effect.repeat(fs.exists(left), { until: (there) => !there }).pipe(Effect.provide(layerFileSystem(folder)))
      assert.isTrue(yield* fs.exists(written))
    }))
})
