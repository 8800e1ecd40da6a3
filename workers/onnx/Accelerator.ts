import { Config, Effect, Layer } from "effect"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { ExecutionProvider } from "../../src/jobs/model/Provenance.ts"
import { configInvalid, intFrom } from "../../src/observability/Configuration.ts"
import { oneOf, setting } from "../../src/observability/Setting.ts"
import { Compute } from "../compute/Compute.ts"
import * as ComputeProcess from "../compute/ComputeProcess.ts"
import { cpu, type Device } from "./Device.ts"
import { gpuName, holdGpu } from "./GpuLock.ts"
import { probeCalls } from "./ProbeCalls.ts"

type Gpu = Exclude<ExecutionProvider, "cpu">

/** `FOOTNOTE_EXECUTION_PROVIDER`: what the models of a process are wanted to run on. */
export const executionProvider = setting("FOOTNOTE_EXECUTION_PROVIDER", oneOf("auto", "cpu", "cuda", "webgpu"), {
  otherwise: "auto",
  meaning:
    "where the recogniser runs (in a worker without speech: the describer); one that is named must be usable, `auto` "
    + "takes the best and logs why"
})

/** `FOOTNOTE_EXECUTION_PROVIDER` and `FOOTNOTE_GPU_DEVICE`. */
export const acceleratorConfig = Config.all({
  wish: executionProvider,
  device_id: intFrom("FOOTNOTE_GPU_DEVICE", 0, 0, "which GPU CUDA uses; one worker process per GPU")
})

/** Why a device cannot be used, in words; null when it can. */
type Refusal = string | null

interface DeviceChoice {
  readonly device: Device
  /** What was tried first and why it was not taken. */
  readonly refused: ReadonlyArray<{ readonly execution_provider: Gpu; readonly reason: string }>
}

/**
 * The first of CUDA and WebGPU that `refusal` has nothing against, else the CPU. A provider asked for by name is taken or
 * the choice fails: whoever pays for a GPU must not find out by the bill that it idles.
 */
export const chooseDevice = Effect.fnUntraced(function*<R>(
  { device_id, wish }: { readonly wish: "auto" | ExecutionProvider; readonly device_id: number },
  refusal: (device: Device & { readonly execution_provider: Gpu }) => Effect.Effect<Refusal, never, R>
) {
  const refused: Array<DeviceChoice["refused"][number]> = []
  const candidates: ReadonlyArray<Gpu> = wish === "auto" ? ["cuda", "webgpu"] : wish === "cpu" ? [] : [wish]
  for (const execution_provider of candidates) {
    const device = { execution_provider, device_id: execution_provider === "cuda" ? device_id : 0 }
    const reason = yield* refusal(device)
    if (reason === null) return { device, refused } satisfies DeviceChoice
    if (wish !== "auto") {
      return yield* Effect.fail(
        configInvalid(`FOOTNOTE_EXECUTION_PROVIDER is ${wish}, which cannot be used here: ${reason}`)
      )
    }
    refused.push({ execution_provider, reason })
  }
  return { device: cpu, refused } satisfies DeviceChoice
})

/** The device files that a provider's driver brings. Without one, WebGPU would be Vulkan computed on the CPU. */
const deviceFiles: { readonly [G in Gpu]: RegExp } = {
  cuda: /^(nvidia\d+|dxg)$/u,
  webgpu: /^(nvidia\d+|dxg|renderD\d+)$/u
}

/** Whether the machine shows a GPU for a provider, by the names in `/dev` and `/dev/dri`. Cheap, and says nothing of drivers. */
export const showsGpu = (gpu: Gpu, names: ReadonlyArray<string>): boolean =>
  names.some((name) => deviceFiles[gpu].test(name))

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Creating a CUDA context takes seconds, compiling its kernels for a new GPU up to a minute. */
const probeLimit = "2 minutes"
const probeEntry = fileURLToPath(new URL("probe-compute.ts", import.meta.url))

/**
 * Runs a model of one operator on the device, in a process of its own: a driver that ends the process instead of failing
 * is an answer too.
 */
export const probeDevice = (device: Device, entry: string = probeEntry): Effect.Effect<Refusal> =>
  Effect.gen(function*() {
    const context = yield* Layer.build(ComputeProcess.layer({ entry }))
    const { call } = yield* Effect.provide(Compute, context)
    const { refusal } = yield* call(probeCalls.probe, device)
    return refusal
  }).pipe(
    Effect.scoped,
    Effect.catchTag("StageFailure", ({ message }) => Effect.succeed(message)),
    Effect.timeoutOrElse({ duration: probeLimit, orElse: () => Effect.succeed(`No answer within ${probeLimit}`) }),
    // A native check says where in its source it stands and what was false; what that means comes after.
    Effect.map((reason) => reason?.replaceAll(/\s+/gu, " ").replace(/^.* was false\. /u, "").trim() ?? null)
  )

/**
 * The device of this process's model lane, chosen once: by `FOOTNOTE_EXECUTION_PROVIDER`, by a run of a small model, and
 * held against other workers of the machine until the scope closes. Falls back from `auto` to the CPU and says why in the
 * log, once; fails with a `ConfigError` where a provider was asked for by name and cannot be had.
 */
export const openAccelerator = Effect.gen(function*() {
  const config = yield* acceleratorConfig
  const names = [...namesIn("/dev"), ...namesIn("/dev/dri")]
  const choice = yield* chooseDevice(config, (device) =>
    Effect.gen(function*() {
      const { device_id, execution_provider } = device
      if (config.wish === "auto" && process.platform === "linux" && !showsGpu(execution_provider, names)) {
        return "This machine shows no such device"
      }
      const refusal = yield* probeDevice(device)
      if (refusal !== null) return refusal
      const name = gpuName(device_id)
      return (yield* holdGpu(name))
        ? null
        : `Another process on this machine holds GPU ${name}; one process runs per GPU, see FOOTNOTE_GPU_DEVICE`
    }))
  const { device, refused } = choice
  const why = refused.map(({ execution_provider, reason }) => `not on ${execution_provider}: ${reason}`)
  yield* Effect.logInfo(
    `Models run on ${device.execution_provider}${why.map((text) => `; ${text}`).join("")}`
  )
  return choice
}).pipe(Effect.withSpan("openAccelerator"))
