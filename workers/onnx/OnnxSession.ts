import { readFileSync } from "node:fs"
import { InferenceSession, Tensor } from "onnxruntime-node"

/** Numbers with their shape, row-major; what a model takes and gives. `int64` data is a `BigInt64Array`. */
interface OnnxTensor {
  readonly data: Float32Array | Int32Array | BigInt64Array
  readonly dims: ReadonlyArray<number>
}

/** An opened model. Results depend on the feeds alone: the thread count is fixed and nothing is kept between runs. */
export interface OnnxSession {
  readonly inputs: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<string>
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

export interface OnnxOptions {
  /** Threads inside one operator. The same count gives the same bytes; the default is one. */
  readonly threads?: number
}

/**
 * Opens an ONNX file on the CPU provider. Throws `OnnxModelError` that names the file and says whether it could not be
 * read or could not be parsed.
 */
export const openSession = async (path: string, options: OnnxOptions = {}): Promise<OnnxSession> => {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    throw new OnnxModelError(`Model file ${path} cannot be read`, { cause })
  }
  let session: InferenceSession
  try {
    session = await InferenceSession.create(bytes, {
      executionProviders: ["cpu"],
      executionMode: "sequential",
      intraOpNumThreads: options.threads ?? 1,
      interOpNumThreads: 1,
      // Warnings about unused initialisers would go to the log of every worker.
      logSeverityLevel: 3
    })
  } catch (cause) {
    throw new OnnxModelError(`Model file ${path} (${bytes.length} bytes) is not a usable ONNX model`, { cause })
  }
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    run: async (feeds) => {
      const tensors = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, tensorOf(feed)]))
      const results = await session.run(tensors)
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

const tensorOf = ({ data, dims }: OnnxTensor): Tensor => {
  if (data instanceof Float32Array) return new Tensor("float32", data, dims)
  if (data instanceof Int32Array) return new Tensor("int32", data, dims)
  return new Tensor("int64", data, dims)
}
