import { accessSync, constants, readFileSync, statSync } from "node:fs"
import { env, InferenceSession, Tensor } from "onnxruntime-node"
import type { ExecutionProvider } from "../../src/jobs/model/Provenance.ts"
import { modelBeingOpened, runningModel } from "../compute/CallSpans.ts"
import { cpu, type Device } from "./Device.ts"

// From 1.30 on its Linux library tells its maker about every session: it leaves a number for this machine and a log in the
// temporary folder and asks for mobile.events.data.microsoft.com. Read when the first session is opened, not at loading.
process.env["ORT_DISABLE_TELEMETRY"] = "1"

/** Numbers with their shape, row-major; what a model takes and gives. `int64` data is a `BigInt64Array`, `bool` a `Uint8Array` of 0 and 1. */
export interface OnnxTensor {
  readonly data: Float32Array | Int32Array | BigInt64Array | Uint8Array
  readonly dims: ReadonlyArray<number>
}

/**
 * An opened model. On the CPU results depend on the feeds alone: the thread count is fixed and nothing is kept between
 * runs. A GPU may round differently from one driver, or one batch, to the next.
 */
export interface OnnxSession {
  readonly inputs: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<string>
  /** Of an input, with a name for each length that is free. Undefined where there is no such input. */
  readonly shapeOf: (input: string) => ReadonlyArray<number | string> | undefined
  /** Where it runs, which is the CPU also for a model that another device cannot run as a whole. */
  readonly execution_provider: ExecutionProvider
  /** Runs the model once, by input name, and gives every output by name. It blocks the process until it is done. */
  readonly run: (feeds: Readonly<Record<string, OnnxTensor>>) => Promise<Readonly<Record<string, OnnxTensor>>>
  /** Frees the native memory. The session cannot be used afterwards. */
  readonly dispose: () => Promise<void>
}

/** A model file is absent or broken. Retrying on the same files cannot help; `cause` tells which it was. */
export class OnnxModelError extends Error {
  readonly code = "MODEL_UNAVAILABLE"
  readonly retryable = false
}

/**
 * A GPU answers nothing any more, as after an error that CUDA keeps for the rest of the process. Another process may do
 * better, so the one that threw it ends.
 */
export class DeviceLostError extends Error {
  readonly code = "MODEL_UNAVAILABLE"
  readonly retryable = true
  readonly ends_process = true
}

export interface OnnxOptions {
  /** Threads inside one operator. The same count gives the same bytes; the default is one. */
  readonly threads?: number
  /** The default is the CPU. A device that is not there is an `OnnxModelError`: it has been probed before. */
  readonly device?: Device
}

/**
 * Opens an ONNX file. Throws `OnnxModelError` that names the file and says whether it could not be read or could not be
 * opened on its device.
 */
export const openSession = async (path: string, options: OnnxOptions = {}): Promise<OnnxSession> => {
  const asked = options.device ?? cpu
  let device: Device
  let size_bytes: number
  try {
    accessSync(path, constants.R_OK)
    size_bytes = statSync(path).size
    device = asked.execution_provider !== "cpu" && runsOnCpuOnly(readFileSync(path)) ? cpu : asked
  } catch (cause) {
    throw new OnnxModelError(`Model file ${path} cannot be read`, { cause })
  }
  try {
    // By its path: given as bytes, a model of 302 MB took 723 MB while it was opened, and 385 MB so. Weights in a file of their
    // own, as those beyond 2 GB are, are found from the path alone.
    return await openModel(path, { ...options, device })
  } catch (cause) {
    const where = device.execution_provider === "cpu" ? "" : ` on ${device.execution_provider}: ${messageOf(cause)}`
    throw new OnnxModelError(`Model file ${path} (${size_bytes} bytes) is not a usable ONNX model${where}`, { cause })
  }
}

/**
 * Operators of graphs that are quantised at run time. The GPU providers leave them, and with them the copies to and fro,
 * to the CPU, where the whole graph is better off. Names of operators stand in the file as plain text.
 */
const quantisedAtRunTime = ["DynamicQuantizeLinear", "ConvInteger", "MatMulInteger"]
export const runsOnCpuOnly = (model: Buffer): boolean => quantisedAtRunTime.some((operator) => model.includes(operator))

/** With `strict`, a model that the GPU cannot run as a whole is refused instead of being shared with the CPU. */
export const openModel = async (
  model: Uint8Array | string,
  { device = cpu, strict = false, threads = 1 }: OnnxOptions & { readonly strict?: boolean }
): Promise<OnnxSession> => {
  // What a refusal says is in the error; in the log it would look like a fault.
  if (strict) env.logLevel = "fatal"
  const settings = {
    executionProviders: providersOf(device, strict),
    executionMode: "sequential",
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Warnings about unused initialisers would go to the log of every worker.
    logSeverityLevel: 3,
    ...(strict && device.execution_provider !== "cpu" ? { extra: { session: { disable_cpu_ep_fallback: "1" } } } : {})
  } satisfies InferenceSession.SessionOptions
  const session = typeof model === "string"
    ? await InferenceSession.create(model, settings)
    : await InferenceSession.create(model, settings)
  const opened = modelBeingOpened()
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    shapeOf: (input) => {
      const found = session.inputMetadata.find(({ name }) => name === input)
      return found?.isTensor === true ? found.shape : undefined
    },
    execution_provider: device.execution_provider,
    run: async (feeds) => {
      const tensors = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, tensorOf(feed)]))
      const batch_size = Object.values(feeds)[0]?.dims[0] ?? 1
      const results = await runningModel(opened, batch_size, () => session.run(tensors))
      return Object.fromEntries(
        Object.entries(results).map(([name, result]) => [
          name,
          { data: result.data as OnnxTensor["data"], dims: result.dims }
        ])
      )
    },
    dispose: () => session.release()
  }
}

/** A device as ONNX Runtime names it, with the CPU for what it cannot run unless `strict`. */
export const providersOf = ({ device_id, execution_provider }: Device, strict = false) => {
  if (execution_provider === "cpu") return ["cpu"]
  const accelerated = execution_provider === "cuda"
    ? { name: "cuda" as const, deviceId: device_id }
    : { name: "webgpu" as const }
  return strict ? [accelerated] : [accelerated, "cpu"]
}

const messageOf = (error: unknown) => error instanceof Error ? error.message : String(error)

const tensorOf = ({ data, dims }: OnnxTensor): Tensor => {
  if (data instanceof Float32Array) return new Tensor("float32", data, dims)
  if (data instanceof Int32Array) return new Tensor("int32", data, dims)
  if (data instanceof Uint8Array) return new Tensor("bool", data, dims)
  return new Tensor("int64", data, dims)
}
