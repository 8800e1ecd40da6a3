import { Config, Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { Sealing } from "../src/crypto/Sealing.ts"
import { ModelStore } from "../src/model-stacks/ModelStore.ts"
import type { Pool } from "../src/queue/Pools.ts"
import * as ComputeProcess from "./compute/ComputeProcess.ts"
import { openAccelerator } from "./onnx/Accelerator.ts"
import { cpu, type Device, deviceArguments } from "./onnx/Device.ts"
import { runDelivery, runStage } from "./StageRunner.ts"
import type { WorkerPool } from "./Worker.ts"

/** Tasks at a time on two cores: a native model call fills its process, an HTTP attempt mostly waits. */
const defaultSlots: { readonly [P in Pool]: number } = { media: 2, speech: 1, vision: 1, extraction: 1, delivery: 8 }

/** Speech tasks at a time on a GPU: their chunks share its runs, and about ten slices each fill one. */
const gpuSlots = 8

/** `MEDIA_SLOTS`, `SPEECH_SLOTS`, …: how many tasks of a pool this process runs at a time. */
const slotsOf = (pool: Pool, device: Device) =>
  Config.Int(`${pool.toUpperCase()}_SLOTS`).pipe(
    Config.withDefault(device.execution_provider === "cpu" ? defaultSlots[pool] : gpuSlots)
  )

/** The child process in which a lane's native work runs, for as long as the worker does. */
const computeOf = (lane: string, device: Device = cpu) =>
  Layer.build(ComputeProcess.layer({
    entry: fileURLToPath(new URL(`${lane}/${lane}-compute.ts`, import.meta.url)),
    arguments: deviceArguments(device)
  }))

/**
 * Makes the handlers of one pool. Each lane's modules are loaded only where the lane is served, so that a media worker
 * needs no model runtime and a model worker no decoder.
 */
export const openLane = Effect.fn("openLane")(function*(pool: Pool) {
  // Speech alone is worth a GPU so far; one lane per GPU is also one process per GPU.
  const device = pool === "speech" ? (yield* openAccelerator).device : cpu
  const slots = yield* slotsOf(pool, device)
  return { pool, slots, handle: yield* handlerOf(pool, device) } satisfies WorkerPool
})

const handlerOf = Effect.fnUntraced(function*(pool: Pool, device: Device) {
  switch (pool) {
    case "media": {
      const { makeMediaStages } = yield* Effect.promise(() => import("./media/MediaStages.ts"))
      const { UploadLookupLayer } = yield* Effect.promise(() => import("../src/sources/Uploads.ts"))
      return runStage(yield* makeMediaStages().pipe(Effect.provide(UploadLookupLayer)))
    }
    case "speech": {
      const { makeSpeechStages } = yield* Effect.promise(() => import("./speech/SpeechStage.ts"))
      const compute = yield* computeOf("speech", device)
      return runStage(yield* makeSpeechStages.pipe(Effect.provide(compute), Effect.provide(ModelStore.layer)))
    }
    case "vision": {
      const { makeVisionStages } = yield* Effect.promise(() => import("./vision/VisionStage.ts"))
      return runStage(yield* Effect.provide(makeVisionStages, yield* computeOf("vision")))
    }
    case "extraction": {
      const { makeExtractionStages } = yield* Effect.promise(() => import("./extraction/ExtractionStage.ts"))
      return runStage(yield* Effect.provide(makeExtractionStages, yield* computeOf("extraction")))
    }
    case "delivery": {
      const { makeDelivery } = yield* Effect.promise(() => import("./delivery/DeliveryStage.ts"))
      return runDelivery(yield* Effect.provide(makeDelivery, Sealing.layer))
    }
  }
})
