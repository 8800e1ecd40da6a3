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

/** What is held of one fault; they wait more than they work, so all are tried at the same time. */
const held = Effect.fnUntraced(function*(fault: Fault) {
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
        Effect.asVoid(blobs.list(key))
      ],
      Effect.flip,
      { concurrency: "unbounded" }
    )
    for (const { away, message, missing } of failures) {
      assert.strictEqual(away, "store", `${fault.kind}: ${message}`)
      assert.isFalse(missing, `${fault.kind}: ${message}`)
    }
    yield* proxy.set({ kind: "none" })
    const read = Effect.retry(blobs.get(key), { times: 5 })
    assert.deepStrictEqual(new Uint8Array(yield* read), bytes, fault.kind)
    // Nothing is half kept of what failed.
    const parts = (yield* fs.readDirectory(copies)).filter((name) => name.startsWith(".part"))
    assert.deepStrictEqual(parts, [], fault.kind)
  }).pipe(Effect.provide(context))
}, Effect.scoped)

layer(S3Server.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "a bucket behind a fault",
  (it) => {
    it.effect(
      "says of reads and writes that the store is away, within their time, and goes on when it is over, whatever the fault",
      () => Effect.forEach(faults, held, { concurrency: "unbounded", discard: true }),
      120_000
    )
  }
)
