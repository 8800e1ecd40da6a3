import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type OnnxConstant, onnxFile, type OnnxNode, type OnnxValue } from "../../../support/OnnxFile.ts"

/** The sizes of the toys, in the places where Nemotron-3-Diarization has 128, 8, 8 and 512. */
export const SORTFORMER = { bins: 128, channels: 8, subsampling: 8, width: 12 } as const
const { bins, channels, subsampling, width } = SORTFORMER
const STACKED = bins * subsampling
const OUT = channels * subsampling
/** The file beside the graph that holds its weights, as the real one's lie. */
const WEIGHTS = "model_quantized.onnx_data"

/** Numbers in [-scale, scale), the same each time. */
const random = (seed: number, count: number, scale: number): Array<number> => {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return scale * (state / 2 ** 31 - 1)
  })
}

const float = (dims: ReadonlyArray<number>, values: ReadonlyArray<number>): OnnxConstant => ({
  type: "float",
  dims,
  values
})
const int64 = (...values: ReadonlyArray<number>): OnnxConstant => ({ type: "int64", dims: [values.length], values })
const value = (name: string, dims: OnnxValue["dims"], type: OnnxValue["type"] = "float"): OnnxValue => ({
  name,
  dims,
  type
})
const op = (
  name: string,
  inputs: ReadonlyArray<string>,
  output: string,
  attributes: NonNullable<OnnxNode["attributes"]> = {}
): OnnxNode => ({ op: name, inputs, outputs: [output], attributes })

interface Weights {
  /** `[1024, width]`, and what is added to it. */
  readonly heard: ReadonlyArray<number>
  readonly offset: ReadonlyArray<number>
  /** `[width, 64]`, and what is added to it: eight moments of eight voices. */
  readonly told: ReadonlyArray<number>
  readonly bias: number
  /** How much a frame is told by those before it. */
  readonly context: number
}

/**
 * One step of a Sortformer in the layout of `onnx-community`'s export: stacked features become frames, all frames are told by
 * themselves and by all before them that the mask shows, cached ones first, so that each row of the cache and its place matter.
 */
const writeStep = (folder: string, { bias, context, heard, offset, told }: Weights) => {
  const graph = onnxFile({
    inputs: [
      value("input_features", ["batch_size", "num_frames", bins]),
      value("cached_embeds", ["batch_size", "cached_length", width]),
      value("attention_mask", ["batch_size", "step_length"], "int64")
    ],
    outputs: [
      value("logits", ["batch_size", "num_logits", channels]),
      value("chunk_embeds", ["batch_size", "chunk_length", width]),
      value("silence_embeds", [width])
    ],
    constants: {
      heard: { ...float([STACKED, width], heard), location: WEIGHTS },
      offset: float([width], offset),
      told: float([width, OUT], told),
      bias: float([OUT], Array.from({ length: OUT }, () => bias)),
      silence: float([width], random(9, width, 1)),
      stacked: int64(1, -1, STACKED),
      rows: int64(1, -1, channels),
      last: int64(2),
      along: { type: "int64", dims: [], values: [1] },
      share: float([1], [0.1]),
      context: float([1], [context])
    },
    nodes: [
      op("Reshape", ["input_features", "stacked"], "stacks"),
      op("MatMul", ["stacks", "heard"], "projected"),
      op("Add", ["projected", "offset"], "centred"),
      op("Tanh", ["centred"], "chunk_embeds"),
      op("Concat", ["cached_embeds", "chunk_embeds"], "all", { axis: 1 }),
      op("Cast", ["attention_mask"], "mask", { to: 1 }),
      op("Unsqueeze", ["mask", "last"], "shown"),
      op("Mul", ["all", "shown"], "visible"),
      op("CumSum", ["visible", "along"], "so_far"),
      op("Mul", ["so_far", "share"], "less"),
      op("Tanh", ["less"], "before"),
      op("Mul", ["before", "context"], "beside"),
      op("Add", ["visible", "beside"], "both"),
      op("MatMul", ["both", "told"], "moments"),
      op("Add", ["moments", "bias"], "scores"),
      op("Reshape", ["scores", "rows"], "logits"),
      op("Identity", ["silence"], "silence_embeds")
    ],
    metadata: {}
  })
  mkdirSync(folder, { recursive: true })
  const files = { model: join(folder, "model_quantized.onnx"), weights: join(folder, WEIGHTS) }
  writeFileSync(files.model, graph)
  writeFileSync(files.weights, Buffer.from(Float32Array.from(heard).buffer))
  return files
}

/** A Sortformer of random weights, whose voices come and go with the colour of a noise. */
export const writeRandomSortformer = (folder: string) =>
  writeStep(folder, {
    heard: random(3, STACKED * width, 0.02),
    offset: random(4, width, 0.5),
    told: random(5, width * OUT, 2),
    bias: -0.5,
    context: 0.7
  })

/** Bins of 128 around the tones of `ToyModels.ts`: what a voice of the toy below sounds like. */
const VOICES = [20, 42, 70, 99] as const
const REACH = 2

/** A Sortformer that hears each of the toys' tones as a voice of its own: a bin is at -16 in silence and above -6 in a tone. */
export const writeToneSortformer = (folder: string) =>
  writeStep(folder, {
    heard: Array.from({ length: STACKED * width }, (_, i) => {
      const [bin, frame] = [Math.floor(i / width) % bins, i % width]
      const voice = VOICES[frame]
      return voice !== undefined && Math.abs(bin - voice) <= REACH ? 0.5 / (2 * REACH + 1) / subsampling : 0
    }),
    offset: Array.from({ length: width }, (_, voice) => voice < VOICES.length ? 3 : -4),
    told: Array.from({ length: width * OUT }, (_, i) => Math.floor(i / OUT) === i % channels ? 8 : 0),
    bias: 0,
    context: 0
  })
