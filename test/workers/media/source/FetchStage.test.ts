import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readlinkSync } from "node:fs"
import { open } from "node:fs/promises"
import { makeAddressPolicy } from "../../../../src/egress/AddressPolicy.ts"
import type { StageInput } from "../../../../src/jobs/model/StageIo.ts"
import { UploadLookup } from "../../../../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../../../../src/storage/Blobs.ts"
import { withReserve } from "../../../../src/storage/DiskReserve.ts"
import { defaultLimits } from "../../../../workers/media/ffmpeg/MediaLimits.ts"
import { makeFetch } from "../../../../workers/media/source/FetchStage.ts"

/** A store whose disk is always low for new work. */
const Services = Layer.mergeAll(
  Layer.unwrap(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    return withReserve(layerFileSystem(folder), folder, Number.MAX_SAFE_INTEGER)
  })),
  Layer.succeed(UploadLookup, { find: () => Effect.succeedNone })
).pipe(Layer.provideMerge(NodeServices.layer))

const openFiles = (end: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(end)
    } catch {
      return false
    }
  }).length

/** Opening is done by threads in the order in which it is asked for. */
const openedBefore = async () => {
  for (let i = 0; i < 8; i++) await (await open("/proc/self/stat")).close()
}

layer(Services, { excludeTestServices: true })("fetch while the disk is low", (it) => {
  it.effect("leaves no file open that it could not copy", () =>
    Effect.gen(function*() {
      const fetch = yield* makeFetch(makeAddressPolicy(), Option.none(), defaultLimits)
      const bytes = Buffer.alloc(5000, 7)
      yield* (yield* Blobs).put("jobs/old/source", bytes)
      const sha256 = createHash("sha256").update(bytes).digest("hex")
      const kept_source = { key: "jobs/old/source", size_bytes: bytes.length, sha256 }
      const cases: ReadonlyArray<readonly [string, StageInput<"fetch">]> = [
        ["/samples/lecture.mp4", { source_uri: "sample://lecture" }],
        ["/jobs/old/source", { source_uri: "https://example.com/a.mp4", kept_source }]
      ]
      for (const [file, input] of cases) {
        const before = openFiles(file)
        for (let attempt = 0; attempt < 20; attempt++) {
          const failure = yield* Effect.flip(fetch({
            job_id: "job_a",
            tenant_id: "ten_a",
            stage: "fetch",
            index: 0,
            attempt,
            spec: undefined as never,
            blobPrefix: "jobs/job_a/fetch/0/0",
            progress: () => Effect.void,
            input
          }))
          assert.include(failure.message, "Disk low")
        }
        yield* Effect.promise(openedBefore)
        assert.isAtMost(openFiles(file), before, file)
      }
    }))
})
