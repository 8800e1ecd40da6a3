import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { makeAddressPolicy } from "../../../src/egress/AddressPolicy.ts"
import { UploadLookup } from "../../../src/sources/UploadLookup.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import { defaultLimits } from "../../../workers/media/ffmpeg/MediaLimits.ts"
import { makeFetch } from "../../../workers/media/source/FetchStage.ts"

const Services = Layer.mergeAll(
  Layer.unwrap(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    return layerFileSystem(yield* fs.makeTempDirectoryScoped())
  })),
  Layer.succeed(UploadLookup, { find: () => Effect.succeedNone })
).pipe(Layer.provideMerge(NodeServices.layer))

layer(Services, { excludeTestServices: true })("fetch of a sample", (it) => {
  it.effect("brings the very bytes of the committed file into the job's own folder, for whatever tenant", () =>
    Effect.gen(function*() {
      const fetch = yield* makeFetch(makeAddressPolicy(), Option.none(), defaultLimits)
      const { get } = yield* Blobs
      for (const name of ["lecture", "product-demo"]) {
        const { source } = yield* fetch({
          job_id: "job_a",
          tenant_id: "ten_a",
          stage: "fetch",
          index: 0,
          attempt: 0,
          spec: undefined as never,
          blobPrefix: `jobs/job_${name}/fetch/0/0`,
          progress: () => Effect.void,
          input: { source_uri: `sample://${name}` }
        })
        const bytes = readFileSync(new URL(`../../../samples/${name}.mp4`, import.meta.url))
        assert.deepStrictEqual(source, {
          key: `jobs/job_${name}/fetch/0/0/source`,
          size_bytes: bytes.length,
          sha256: createHash("sha256").update(bytes).digest("hex")
        })
        assert.isTrue(bytes.equals(yield* get(source.key)))
      }
    }))
})
