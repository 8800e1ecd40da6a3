import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Scope } from "effect"
import { fileURLToPath } from "node:url"
import { chooseDevice, openAccelerator, probeDevice, showsGpu } from "../../../workers/onnx/Accelerator.ts"
import { cpu, deviceArguments, deviceOfProcess } from "../../../workers/onnx/Device.ts"
import { gpuName, holdGpu } from "../../../workers/onnx/GpuLock.ts"
import { runsOnCpuOnly } from "../../../workers/onnx/OnnxSession.ts"

const without =
  (...absent: ReadonlyArray<string>) => ({ execution_provider }: { readonly execution_provider: string }) =>
    Effect.succeed(absent.includes(execution_provider) ? `no ${execution_provider}` : null)
const withEnvironment = (env: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

describe("chooseDevice", () => {
  it.effect("takes CUDA before WebGPU before the CPU, and keeps why a better one was not taken", () =>
    Effect.gen(function*() {
      const wish = { wish: "auto", device_id: 1 } as const
      assert.deepStrictEqual(yield* chooseDevice(wish, without()), {
        device: { execution_provider: "cuda", device_id: 1 },
        refused: []
      })
      assert.deepStrictEqual(yield* chooseDevice(wish, without("cuda")), {
        device: { execution_provider: "webgpu", device_id: 0 },
        refused: [{ execution_provider: "cuda", reason: "no cuda" }]
      })
      assert.deepStrictEqual(yield* chooseDevice(wish, without("cuda", "webgpu")), {
        device: cpu,
        refused: [
          { execution_provider: "cuda", reason: "no cuda" },
          { execution_provider: "webgpu", reason: "no webgpu" }
        ]
      })
    }))

  it.effect("probes nothing where the CPU is asked for", () =>
    Effect.gen(function*() {
      const choice = yield* chooseDevice({ wish: "cpu", device_id: 0 }, () => Effect.die("probed"))
      assert.deepStrictEqual(choice, { device: cpu, refused: [] })
    }))

  it.effect("fails, naming the variable and the reason, where a provider asked for by name cannot be had", () =>
    Effect.gen(function*() {
      const failed = yield* Effect.flip(chooseDevice({ wish: "cuda", device_id: 0 }, without("cuda")))
      assert.include(failed.message, "FOOTNOTE_EXECUTION_PROVIDER is cuda")
      assert.include(failed.message, "no cuda")
    }))
})

describe("openAccelerator", () => {
  it.live("opens the CPU where it is asked for", () =>
    Effect.gen(function*() {
      const { device } = yield* openAccelerator
      assert.deepStrictEqual(device, cpu)
    }).pipe(Effect.scoped, withEnvironment({ FOOTNOTE_EXECUTION_PROVIDER: "cpu" })))

  it.live("refuses a provider that does not exist and a device below 0 by the variable's name", () =>
    Effect.gen(function*() {
      for (
        const [variable, value] of [["FOOTNOTE_EXECUTION_PROVIDER", "metal"], ["FOOTNOTE_GPU_DEVICE", "-1"]] as const
      ) {
        const failed = yield* Effect.flip(openAccelerator.pipe(Effect.scoped, withEnvironment({ [variable]: value })))
        assert.include(String(failed.message), variable)
      }
    }))
})

describe("probeDevice", () => {
  it.live("finds nothing against the CPU", () =>
    Effect.gen(function*() {
      assert.isNull(yield* probeDevice(cpu))
    }))

  it.live("says in words why CUDA cannot be used, or finds that it can, and survives either", () =>
    Effect.gen(function*() {
      const refusal = yield* probeDevice({ execution_provider: "cuda", device_id: 0 })
      if (refusal !== null) assert.match(refusal, /\w+ \w+/u)
    }))

  it.live("takes a driver that kills the process for a refusal", () =>
    Effect.gen(function*() {
      const entry = fileURLToPath(new URL("fixture-probe.ts", import.meta.url))
      assert.include(yield* probeDevice({ execution_provider: "webgpu", device_id: 0 }, entry), "SIGSEGV")
    }))
})

describe("showsGpu", () => {
  it("knows NVIDIA's device files, WSL's and the render nodes, and takes no display or control node for a GPU", () => {
    assert.isTrue(showsGpu("cuda", ["null", "nvidia0"]))
    assert.isTrue(showsGpu("cuda", ["dxg"]))
    assert.isTrue(showsGpu("webgpu", ["card0", "renderD128"]))
    assert.isFalse(showsGpu("cuda", ["nvidiactl", "nvidia-uvm", "renderD128"]))
    assert.isFalse(showsGpu("webgpu", ["nvidiactl", "card0", "fb0"]))
  })
})

describe("holdGpu", () => {
  it.live("gives a GPU to one holder at a time, and to the next one when the first is done", () =>
    Effect.gen(function*() {
      const name = `test-${process.pid}`
      const first = yield* Scope.make()
      assert.isTrue(yield* Scope.provide(holdGpu(name), first))
      assert.isFalse(yield* Effect.scoped(holdGpu(name)))
      assert.isTrue(yield* Effect.scoped(holdGpu(`${name}-other`)))
      yield* Scope.close(first, Exit.void)
      assert.isTrue(yield* Effect.scoped(holdGpu(name)))
    }))

  it("names a GPU as the machine does where only some are visible", () => {
    assert.strictEqual(gpuName(1, {}), "1")
    assert.strictEqual(gpuName(1, { CUDA_VISIBLE_DEVICES: "2,5" }), "5")
    assert.strictEqual(gpuName(0, { NVIDIA_VISIBLE_DEVICES: "GPU-a1" }), "GPU-a1")
    assert.strictEqual(gpuName(0, { NVIDIA_VISIBLE_DEVICES: "all" }), "0")
  })
})

describe("Device", () => {
  it("reaches a child process by its arguments, and is the CPU where none came", () => {
    for (const device of [cpu, { execution_provider: "cuda", device_id: 3 }] as const) {
      assert.deepStrictEqual(deviceOfProcess(["node", "child.ts", ...deviceArguments(device)]), device)
    }
    assert.deepStrictEqual(deviceOfProcess(["node", "child.ts"]), cpu)
    assert.deepStrictEqual(deviceOfProcess(["node", "child.ts", "--watch"]), cpu)
  })
})

describe("runsOnCpuOnly", () => {
  it("knows a graph that is quantised at run time by its operators", () => {
    assert.isTrue(runsOnCpuOnly(Buffer.from("\u0022\u0014DynamicQuantizeLinear")))
    assert.isFalse(runsOnCpuOnly(Buffer.from("\u0022\u0006MatMul")))
  })
})
