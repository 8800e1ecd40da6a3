import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { Blobs } from "../../src/storage/Blobs.ts"
import { layerS3 } from "../../src/storage/S3Blobs.ts"
import { connectionTo, S3Server } from "../support/S3Server.ts"

const Services = S3Server.layer.pipe(Layer.provideMerge(NodeServices.layer))

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

const on = Effect.fnUntraced(function*<A, E, R>(
  copies: string,
  work: Effect.Effect<A, E, R | Blobs>,
  { bucket = "blobs", to }: { readonly bucket?: string; readonly to?: number } = {}
) {
  const { port } = yield* S3Server
  return yield* Effect.provide(work, layerS3({ bucket, connection: connectionTo(to ?? port), copies }))
})

const pathOf = (key: string) => Effect.flatMap(Blobs, ({ localPath }) => localPath(key))
const write = (key: string, text: string) =>
  Effect.flatMap(Blobs, ({ putStream }) => putStream(key, Stream.make(Buffer.from(text))))

layer(Services, { excludeTestServices: true })("S3 blobs by path", (it) => {
  it.effect("are fetched once by each machine, and not at all by the one that brought them in", () =>
    Effect.gen(function*() {
      const [here, there] = [yield* folder, yield* folder]
      yield* on(here, write("jobs/1/source", "footage"))
      const { ino } = statSync(join(here, readdirSync(here)[0]!))
      assert.strictEqual(statSync(yield* on(here, pathOf("jobs/1/source"))).ino, ino)
      const fetched = yield* on(there, pathOf("jobs/1/source"))
      assert.strictEqual(readFileSync(fetched, "utf8"), "footage")
      assert.strictEqual(
        statSync(yield* on(there, pathOf("jobs/1/source"))).ino,
        statSync(fetched).ino
      )
    }))

  it.effect("are not those of an earlier version, wherever the new one was written", () =>
    Effect.gen(function*() {
      const [here, there] = [yield* folder, yield* folder]
      yield* on(here, write("jobs/2/source", "one"))
      yield* on(there, write("jobs/2/source", "two"))
      assert.strictEqual(readFileSync(yield* on(here, pathOf("jobs/2/source")), "utf8"), "two")
    }))

  it.effect("are gone from this machine after two days without use, unfinished ones too", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const here = yield* folder
      yield* on(here, write("old", "old"))
      yield* on(here, write("new", "new"))
      const old = yield* on(here, pathOf("old"))
      const part = join(here, ".part-0011223344556677")
      yield* fs.writeFileString(part, "half")
      const longAgo = statSync(old).mtimeMs / 1000 - 49 * 3600
      for (const file of [old, part]) utimesSync(file, longAgo, longAgo)
      yield* on(
        here,
        Effect.gen(function*() {
          for (const file of [old, part]) {
            yield* Effect.repeat(Effect.andThen(Effect.yieldNow, fs.exists(file)), { until: (there) => !there })
          }
          assert.strictEqual(readFileSync(yield* pathOf("old"), "utf8"), "old")
        })
      )
      assert.strictEqual(readdirSync(here).length, 2)
    }))
})

layer(Services, { excludeTestServices: true })("a store in S3 that cannot work", (it) => {
  it.effect("is not taken for an absent blob: no service, no bucket, no account", () =>
    Effect.gen(function*() {
      const { port } = yield* S3Server
      const here = yield* folder
      const get = Effect.flatMap(Blobs, ({ get }) => get("any"))
      const nobody = layerS3({ bucket: "blobs", connection: connectionTo(port, "nobody"), copies: here })
      const failures = [
        yield* Effect.flip(on(here, get, { to: 1 })),
        yield* Effect.flip(on(here, write("any", "text"), { to: 1 })),
        yield* Effect.flip(on(here, get, { bucket: "no-such-bucket" })),
        yield* Effect.flip(Effect.provide(get, nobody))
      ]
      assert.deepStrictEqual(
        failures.map((error) => error._tag === "BlobError" ? [error.missing, error.message] : error),
        [
          [false, "S3: ECONNREFUSED"],
          [false, "S3: ECONNREFUSED"],
          [false, "S3: NoSuchBucket (404)"],
          [false, "S3: InvalidAccessKeyId (403)"]
        ]
      )
      assert.deepStrictEqual(readdirSync(here), [])
    }))
})
