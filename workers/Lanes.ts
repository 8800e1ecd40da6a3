import { Effect, Layer } from "effect"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { Sealing } from "../src/crypto/Sealing.ts"
import { ModelStore } from "../src/model-stacks/ModelStore.ts"
import { intFrom } from "../src/observability/Configuration.ts"
import type { Pool } from "../src/processes/Pools.ts"
import { sweepTemporaryFolders } from "../src/processes/TemporaryFolders.ts"
import { layerTenantStorage } from "../src/usage/ledger/StorageQuota.ts"
import * as ComputeProcess from "./compute/ComputeProcess.ts"
import { Backlogged } from "./engine/Backlog.ts"
import { runDelivery, runRender, runStage } from "./engine/StageRunner.ts"
import type { WorkerPool } from "./engine/Worker.ts"
import { executionProvider, openAccelerator } from "./onnx/Accelerator.ts"
import { cpu, type Device, deviceArguments } from "./onnx/Device.ts"

/**
 * Tasks at a time on two cores, of which one tenant gets all but one: a native model call fills its process, an HTTP attempt
 * mostly waits. A tenant has at most 16 deliveries under way, so that many more are for others.
 */
const defaultSlots: { readonly [P in Pool]: number } = {
  fetch: 8,
  media: 3,
  speech: 2,
  vision: 2,
  extraction: 2,
  delivery: 32
}

/** Tasks at a time on a GPU, whose runs they share: of speech about ten slices each fill one, of vision four pictures. */
const gpuSlots = 9

/** `FETCH_SLOTS`, `MEDIA_SLOTS`, …: how many tasks of a pool this process runs at a time. */
export const slotsOf = (pool: Pool, device: Device = cpu) =>
  intFrom(
    `${pool.toUpperCase()}_SLOTS`,
    1,
    device.execution_provider === "cpu" ? defaultSlots[pool] : gpuSlots,
    `tasks of ${pool} that one worker process holds at a time; of several slots one is never the same tenant's as all others${
      pool === "speech" || pool === "vision" ? `. On a GPU the default is ${gpuSlots}` : ""
    }`
  )

/**
 * The child process in which a lane's native work runs, for as long as the worker does; a second one while tasks of two tenants
 * meet there. A GPU's tasks share its runs instead.
 */
const computeOf = (lane: string, device: Device = cpu) =>
  Layer.build(ComputeProcess.layer({
    entry: fileURLToPath(new URL(`${lane}/${lane}-compute.ts`, import.meta.url)),
    arguments: deviceArguments(device),
    processes: device.execution_provider === "cpu" ? Math.min(2, availableParallelism()) : 1
  }))

/**
 * The one lane of a process that may have its GPU: speech, or vision where speech is served elsewhere and a provider is
 * named. With `auto` vision leaves the GPU alone: most stacks describe by rules, and it would be kept from speech.
 */
export const acceleratedLane = (served: ReadonlyArray<Pool>, wish: string): Pool | undefined =>
  served.includes("speech") ? "speech" : served.includes("vision") && wish !== "auto" ? "vision" : undefined

/**
 * Makes the handlers of one pool of those that this process serves. Each lane's modules are loaded only where the lane is
 * served, so that a media worker needs no model runtime and a model worker no decoder.
 */
export const openLane = Effect.fn("openLane")(function*(pool: Pool, served: ReadonlyArray<Pool>) {
  const device = pool === acceleratedLane(served, yield* executionProvider) ? (yield* openAccelerator).device : cpu
  const slots = yield* slotsOf(pool, device)
  const { handle: run, ...more } = pool === "media"
    ? yield* openMedia
    : { handle: yield* handlerOf(pool, device, served.length === 1) }
  const handle: WorkerPool["handle"] = (task, progress) =>
    run(task, progress).pipe(
      Effect.provideService(ComputeProcess.CallOwner, task.tenant_id),
      Effect.provideService(Backlogged, task.backlogged === true)
    )
  return { pool, slots, handle, ...more } satisfies WorkerPool
})

/** The media lane, and what nothing on this machine keeps a decoder from. */
const openMedia = Effect.gen(function*() {
  const { findMediaTools } = yield* Effect.promise(() => import("./media/ffmpeg/Ffmpeg.ts"))
  const { makeMediaStages, makeRenditions } = yield* Effect.promise(() => import("./media/MediaStages.ts"))
  const { UploadLookupLayer } = yield* Effect.promise(() => import("../src/sources/Uploads.ts"))
  const left = sweepTemporaryFolders()
  if (left > 0) yield* Effect.logInfo(`Removed ${left} temporary folders of workers that were killed`)
  const tools = yield* findMediaTools
  const { makeOpenSource } = yield* Effect.promise(() => import("./media/source/OpenSource.ts"))
  const openSource = yield* makeOpenSource
  const stages = yield* makeMediaStages({}, tools).pipe(Effect.provide([UploadLookupLayer, layerTenantStorage]))
  const [stage, render] = [
    runStage({ ...stages, fetch: openSource(stages.fetch) }),
    runRender(yield* Effect.provide(makeRenditions({}, tools), layerTenantStorage))
  ]
  const handle: WorkerPool["handle"] = (task, progress) =>
    task.stage === "render" ? render(task, progress) : stage(task, progress)
  return { handle, warnings: tools.warnings }
})

const handlerOf = Effect.fnUntraced(function*(pool: Exclude<Pool, "media">, device: Device, alone: boolean) {
  switch (pool) {
    case "fetch": {
      const { makeFetchStages } = yield* Effect.promise(() => import("./media/MediaStages.ts"))
      const { UploadLookupLayer } = yield* Effect.promise(() => import("../src/sources/Uploads.ts"))
      const { makeOpenSource } = yield* Effect.promise(() => import("./media/source/OpenSource.ts"))
      const openSource = yield* makeOpenSource
      const { fetch } = yield* makeFetchStages().pipe(Effect.provide([UploadLookupLayer, layerTenantStorage]))
      return runStage({ fetch: openSource(fetch) })
    }
    case "speech": {
      const { makeSpeechStages } = yield* Effect.promise(() => import("./speech/SpeechStage.ts"))
      const compute = yield* computeOf("speech", device)
      return runStage(yield* makeSpeechStages.pipe(Effect.provide(compute), Effect.provide(ModelStore.layer)))
    }
    case "vision": {
      const { makeVisionStages } = yield* Effect.promise(() => import("./vision/VisionStage.ts"))
      const compute = yield* computeOf("vision", device)
      return runStage(yield* makeVisionStages.pipe(Effect.provide(compute), Effect.provide(ModelStore.layer)))
    }
    case "extraction": {
      const { makeExtractionStages } = yield* Effect.promise(() => import("./extraction/ExtractionStage.ts"))
      const compute = yield* computeOf("extraction")
      const { layerTenantModels } = yield* Effect.promise(() => import("./extraction/TenantModel.ts"))
      const { openCharges } = yield* Effect.promise(() => import("./extraction/ExtractionCharges.ts"))
      return runStage(
        yield* makeExtractionStages.pipe(
          Effect.provide(compute),
          Effect.provide([ModelStore.layer, layerTenantModels(alone)])
        ),
        yield* openCharges
      )
    }
    case "delivery": {
      const { makeDelivery } = yield* Effect.promise(() => import("./delivery/DeliveryStage.ts"))
      const { Connectors } = yield* Effect.promise(() => import("../src/deliveries/connectors/Connectors.ts"))
      const { DestinationHealth } = yield* Effect.promise(() =>
        import("../src/deliveries/destinations/DestinationHealth.ts")
      )
      // Built for as long as the worker lives: the way out keeps its connections.
      const services = yield* Layer.build(
        DestinationHealth.layer.pipe(Layer.provideMerge(Layer.merge(Connectors.layer, Sealing.layer)))
      )
      return runDelivery(yield* Effect.provide(makeDelivery, services))
    }
  }
})
