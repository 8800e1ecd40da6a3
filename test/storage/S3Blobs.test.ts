import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Blobs } from "../../src/storage/Blobs.ts"
import { blobFile } from "../../src/storage/CheckedBlobs.ts"
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

  it.effect("are fetched again where this machine's copy is damaged, and damaged only where the bucket's bytes are", () =>
    Effect.gen(function*() {
      const here = yield* folder
      const ref = yield* on(here, write("jobs/3/source", "footage"))
      const checked = Effect.flatMap(Blobs, (blobs) => blobFile(blobs, ref))
      const copy = yield* on(here, pathOf(ref.key))
      const { atime, mtime } = statSync(copy)
      writeFileSync(copy, "fontage")
      // As a disk that rots leaves them.
      utimesSync(copy, atime, mtime)
      assert.strictEqual(readFileSync(yield* on(here, checked), "utf8"), "footage")
      const overwritten = yield* on(here, write(ref.key, "fontage"))
      const damaged = yield* Effect.flip(on(here, checked))
      assert.deepInclude(damaged, { _tag: "BlobDamaged", found_sha256: overwritten.sha256 })
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

/** A listing in two pages, as S3 gives it; the server of the other tests cannot make a second one. */
const pages = (token: string | null) =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>blobs</Name><Prefix>jobs/1/</Prefix>${
    token === null
      ? "<IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c=</NextContinuationToken>"
      : "<IsTruncated>false</IsTruncated>"
  }<Contents><Key>jobs/1/${
    token === null ? "first" : "last"
  }</Key><LastModified>2026-01-02T03:04:05.678Z</LastModified></Contents>
  </ListBucketResult>`

layer(NodeServices.layer, { excludeTestServices: true })("a listing of S3", (it) => {
  it.effect("goes on to its last page", () =>
    Effect.gen(function*() {
      const asked: Array<string | null> = []
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createServer(({ url = "" }, response) => {
            const token = new URL(url, "http://localhost").searchParams.get("continuation-token")
            asked.push(token)
            response.writeHead(200, { "content-type": "application/xml" }).end(pages(token))
          })
        ),
        (server) =>
          Effect.sync(() => {
            server.closeAllConnections()
            server.close()
          })
      )
      yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
      const connection = connectionTo((server.address() as AddressInfo).port)
      const list = Effect.flatMap(Blobs, (blobs) => blobs.list("jobs/1"))
      const found = yield* Effect.provide(list, layerS3({ bucket: "blobs", connection, copies: yield* folder }))
      assert.deepStrictEqual(found.map(({ key, modified }) => [key, modified.toISOString()]), [
        ["jobs/1/first", "2026-01-02T03:04:05.678Z"],
        ["jobs/1/last", "2026-01-02T03:04:05.678Z"]
      ])
      assert.deepStrictEqual(asked, [null, "a+b/c="])
    }))
})
