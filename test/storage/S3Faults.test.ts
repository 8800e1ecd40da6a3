import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { Blobs } from "../../src/storage/Blobs.ts"
import { layerS3, S3Patience } from "../../src/storage/S3Blobs.ts"
import { type Fault, faultyProxy, slowDown } from "../support/FaultyProxy.ts"
import { connectionTo, S3Server } from "../support/S3Server.ts"

/** A fifth of what the service has, so that silence is met in seconds; its own are the defaults beside them. */
const patience = { call_seconds: 4, pace_seconds: 3, connect_ms: 1000, idle_ms: 1600 }

const faults: ReadonlyArray<Fault> = [
  { kind: "answered", bytes: slowDown },
  { kind: "reset" },
  { kind: "half-closed" },
  { kind: "silent" },
  { kind: "dripping", millis: 200 },
  { kind: "delayed", millis: 12_000 }
]

layer(S3Server.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "a bucket behind a fault",
  (it) => {
    for (const fault of faults) {
      it.effect(
        `${fault.kind}: reads and writes say that the store is away, within their time, and go on when it is over`,
        () =>
          Effect.gen(function*() {
            const { port } = yield* S3Server
            const fs = yield* FileSystem.FileSystem
            const proxy = yield* faultyProxy({ host: "127.0.0.1", port })
            const copies = yield* fs.makeTempDirectoryScoped()
            const connection = connectionTo(proxy.port)
            const context = yield* Layer.build(
              layerS3({ bucket: "blobs", connection, copies }).pipe(Layer.provide(Layer.succeed(S3Patience, patience)))
            )
            yield* Effect.gen(function*() {
              const blobs = yield* Blobs
              const key = `faults/${fault.kind}`
              const bytes = new TextEncoder().encode("footage".repeat(1000))
              yield* blobs.put(key, bytes)
              yield* proxy.set(fault)
              const failures = yield* Effect.forEach(
                [
                  Effect.asVoid(blobs.get(key)),
                  Effect.asVoid(blobs.put(`${key}-2`, bytes)),
                  Effect.asVoid(blobs.putStream(`${key}-3`, Stream.make(bytes))),
                  Effect.asVoid(blobs.localPath(key)),
                  Effect.asVoid(blobs.list("faults"))
                ],
                Effect.flip,
                { concurrency: "unbounded" }
              )
              for (const { away, message, missing } of failures) {
                assert.strictEqual(away, "store", message)
                assert.isFalse(missing, message)
              }
              yield* proxy.set({ kind: "none" })
              const read = Effect.retry(blobs.get(key), { times: 5 })
              assert.deepStrictEqual(new Uint8Array(yield* read), bytes)
              // Nothing is half kept of what failed.
              assert.deepStrictEqual((yield* fs.readDirectory(copies)).filter((name) => name.startsWith(".part")), [])
            }).pipe(Effect.provide(context))
          }).pipe(Effect.scoped),
        120_000
      )
    }
  }
)
