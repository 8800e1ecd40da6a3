import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, PlatformError, Sink } from "effect"
import * as Blobs from "../../src/storage/Blobs.ts"
import { diskFault } from "../../src/storage/DiskFault.ts"
import { layerOver, TestServer } from "../support/TestServer.ts"

const refusal = (code: string) =>
  PlatformError.systemError({
    _tag: "Unknown",
    module: "FileSystem",
    method: "write",
    cause: Object.assign(new Error(`${code}: no space left on device, write`), { code })
  })

/** A file system that takes no bytes while `full` names the system's error. */
const filling = (state: { full: string | undefined }) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) =>
      FileSystem.FileSystem.of({
        ...fs,
        sink: (...args) =>
          state.full === undefined ? fs.sink(...args) : Sink.forEach(() => Effect.fail(refusal(state.full!))),
        writeFile: (...args) =>
          Effect.suspend(() => state.full === undefined ? fs.writeFile(...args) : Effect.fail(refusal(state.full)))
      }))
  ).pipe(Layer.provideMerge(NodeServices.layer))

describe("a full disk", () => {
  for (const code of ["ENOSPC", "EDQUOT"]) {
    it.live(
      `(${code}) refuses an upload with 503 and when to come again, keeps nothing of it, and takes it when there is room`,
      () =>
        Effect.gen(function*() {
          const state: { full: string | undefined } = { full: undefined }
          const fs = yield* FileSystem.FileSystem
          const folder = yield* fs.makeTempDirectoryScoped()
          const blobs = Blobs.layerFileSystem(folder).pipe(Layer.provide(filling(state)))
          const context = yield* Layer.build(layerOver(blobs))
          const { send, tenant } = Context.get(context, TestServer)
          const { key } = yield* tenant("a")
          const upload = send("POST", "/v1/uploads", {
            key,
            body: new Uint8Array(2048),
            headers: { "content-type": "video/mp4" }
          })
          const kept = Effect.map(fs.readDirectory(folder, { recursive: true }), (names) =>
            names.filter((name) => name.includes("upl_") || name.startsWith(".partial/")))
          state.full = code
          const refused = yield* upload
          assert.strictEqual(refused.status, 503, refused.text)
          assert.strictEqual(refused.json.error.code, "SERVICE_UNAVAILABLE")
          assert.match(refused.headers["retry-after"] ?? "", /^[1-9]\d*$/u)
          assert.deepStrictEqual(yield* kept, [])
          state.full = undefined
          assert.strictEqual((yield* upload).status, 201)
        }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
      60_000
    )
  }

  it("is told from a disk that is away and from what is no fault of the disk", () => {
    assert.strictEqual(diskFault(Object.assign(new Error(), { code: "ENOSPC" })), "disk")
    assert.strictEqual(
      diskFault(new Error("wrapped", { cause: Object.assign(new Error(), { code: "EDQUOT" }) })),
      "disk"
    )
    assert.strictEqual(diskFault(Object.assign(new Error(), { code: "EIO" })), "store")
    for (
      const other of [new Error("ENOSPC"), Object.assign(new Error(), { code: "ENOENT" }), undefined, null, "ENOSPC"]
    ) {
      assert.isUndefined(diskFault(other))
    }
  })
})
