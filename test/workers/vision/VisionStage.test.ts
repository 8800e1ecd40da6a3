import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { fileURLToPath } from "node:url"
import type { FrameDescription } from "../../../src/artifacts/Vision.ts"
import type { JobSpec } from "../../../src/jobs/model/JobSpec.ts"
import type { KeptImages } from "../../../src/jobs/model/StageIo.ts"
import { ModelStore } from "../../../src/model-stacks/ModelStore.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import { makeVisionStages } from "../../../workers/vision/VisionStage.ts"

const compute = ComputeProcess.layer({
  entry: fileURLToPath(new URL("../../../workers/vision/vision-compute.ts", import.meta.url))
})
const blobs = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return layerFileSystem(yield* fs.makeTempDirectoryScoped())
}))
const environment = Layer.mergeAll(compute, blobs, ModelStore.layer).pipe(Layer.provideMerge(NodeServices.layer))

const spec = { hints: {}, model_stack: "builtin" } as JobSpec

describe("the describe stage", () => {
  it.live("describes its range of the kept frames in time order, the same however the frames are divided", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const store = yield* Blobs
      const names = ["prices.jpg", "tilted.jpg", "upended.jpg"]
      const kept = yield* Effect.forEach(names, (name, i) =>
        Effect.gen(function*() {
          const bytes = yield* fs.readFile(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)))
          const image = yield* store.put(`source/${name}`, bytes)
          return { index: 10 * i, timestamp: 5 * i, width: 960, height: 540, image } satisfies KeptImages[number]
        }))
      const images = yield* store.put("source/images.json", Buffer.from(JSON.stringify(kept)))
      const { describe } = yield* makeVisionStages
      const told: Array<readonly [number, number]> = []
      const run = (from: number, to: number, blobPrefix: string) =>
        describe({
          job_id: "job_1",
          tenant_id: "ten_1",
          stage: "describe",
          index: 0,
          attempt: 0,
          spec,
          input: { images, from, to },
          blobPrefix,
          progress: (processed, total) => Effect.sync(() => void told.push([processed, total]))
        }).pipe(
          Effect.tap(({ descriptions }) => Effect.sync(() => assert.isTrue(descriptions.key.startsWith(blobPrefix)))),
          Effect.flatMap(({ descriptions }) => store.get(descriptions.key)),
          Effect.map((bytes): ReadonlyArray<FrameDescription> => JSON.parse(Buffer.from(bytes).toString("utf8")))
        )

      const whole = yield* run(0, 3, "jobs/a")
      assert.deepStrictEqual(told, [[1, 3], [2, 3], [3, 3]])
      assert.deepStrictEqual(whole.map(({ frame_id, source_ref, timestamp }) => [frame_id, source_ref, timestamp]), [
        ["frm_000000", "frame#000000", 0],
        ["frm_000010", "frame#000010", 5],
        ["frm_000020", "frame#000020", 10]
      ])
      assert.strictEqual(whole[0]!.description, "A slide titled “Prices” with 5 more lines of text in 2 columns.")
      const parts = [...(yield* run(0, 1, "jobs/b")), ...(yield* run(1, 3, "jobs/c"))]
      assert.deepStrictEqual(parts, whole)
    }).pipe(Effect.provide(environment), Effect.scoped))
})
