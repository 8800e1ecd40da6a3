import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SAMPLE_RATE } from "../../../../workers/speech/dsp/FeatureExtractor.ts"
import { type OnnxConstant, onnxFile, type OnnxNode, type OnnxValue } from "../../../support/OnnxFile.ts"

const tokens = ["\u2581a", "\u2581foot", "note", "\u2581in", "s", ".", "\u2581time"] as const
/** The sizes of the toy, in the places where Parakeet has 128, 2, 640 and 8192. */
export const TDT = { tokens, bins: 128, layers: 2, width: 6, blank: tokens.length } as const
const HIDDEN = 8
const DURATIONS = 5
const OUT = tokens.length + 1 + DURATIONS

/** Numbers in [-1, 1), the same each time. */
const random = (seed: number, count: number, scale = 1): Array<number> => {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return scale * (state / 2 ** 31 - 1)
  })
}

/** Noise whose colour changes ten times a second: something else to hear in every frame. */
export const noise = (seconds: number): Float32Array => {
  const values = random(11, seconds * SAMPLE_RATE, 0.3)
  let last = 0
  return Float32Array.from(values, (one, n) => {
    const slow = (Math.floor(n / 1600) * 37 % 19) / 20
    last = slow * last + (1 - slow) * one
    return last
  })
}

const float = (dims: ReadonlyArray<number>, seed: number, scale = 1): OnnxConstant => ({
  type: "float",
  dims,
  values: random(seed, dims.reduce((product, dim) => product * dim, 1), scale)
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
  attributes?: OnnxNode["attributes"]
): OnnxNode => ({ op: name, inputs, outputs: [output], ...(attributes === undefined ? {} : { attributes }) })

/**
 * A token-and-duration transducer with random weights, in the layout of `onnx-asr`'s exports: an encoder of one frame in eight,
 * and a network in which the last token moves both states and states, token and frame together give tokens and durations.
 */
export const writeToyTdt = (folder: string) => {
  const encoder = onnxFile({
    inputs: [value("audio_signal", ["B", TDT.bins, "T"]), value("length", ["B"], "int64")],
    outputs: [value("outputs", ["B", HIDDEN, "T8"]), value("encoded_lengths", ["B"], "int64")],
    constants: { weights: float([HIDDEN, TDT.bins, 8], 1, 0.3), seven: int64(7), eight: int64(8) },
    nodes: [
      op("Conv", ["audio_signal", "weights"], "columns", { kernel_shape: [8], strides: [8], pads: [0, 7] }),
      op("Tanh", ["columns"], "outputs"),
      op("Add", ["length", "seven"], "padded"),
      op("Div", ["padded", "eight"], "encoded_lengths")
    ],
    metadata: {}
  })
  const state = (name: string) => value(name, [TDT.layers, "B", TDT.width])
  const decoder = onnxFile({
    inputs: [
      value("encoder_outputs", ["B", HIDDEN, "T"]),
      value("targets", ["B", "U"], "int32"),
      value("target_length", ["B"], "int32"),
      state("input_states_1"),
      state("input_states_2")
    ],
    outputs: [
      value("outputs", ["B", 1, 1, OUT]),
      value("prednet_lengths", ["B"], "int32"),
      state("output_states_1"),
      state("output_states_2")
    ],
    constants: {
      words: float([TDT.blank + 1, TDT.width], 2),
      heard: float([HIDDEN, OUT], 3, 2),
      known: float([TDT.width, OUT], 4, 1.5),
      half: { type: "float", dims: [1], values: [0.5] },
      first: int64(0),
      shape: int64(1, 1, 1, OUT),
      row: int64(1, HIDDEN)
    },
    nodes: [
      op("Gather", ["words", "targets"], "word"),
      op("Mul", ["input_states_1", "half"], "kept"),
      op("Add", ["kept", "word"], "moved"),
      op("Tanh", ["moved"], "output_states_1"),
      op("Add", ["input_states_2", "output_states_1"], "both"),
      op("Tanh", ["both"], "output_states_2"),
      op("ReduceMean", ["output_states_2"], "memory", { axes: [0], keepdims: 0 }),
      op("MatMul", ["memory", "known"], "from_words"),
      op("Reshape", ["encoder_outputs", "row"], "frame"),
      op("MatMul", ["frame", "heard"], "from_sound"),
      op("Add", ["from_sound", "from_words"], "logits"),
      op("Reshape", ["logits", "shape"], "outputs"),
      op("Identity", ["target_length"], "prednet_lengths"),
      op("Identity", ["first"], "unused")
    ],
    metadata: {}
  })
  mkdirSync(folder, { recursive: true })
  const files = {
    encoder: join(folder, "encoder-model.onnx"),
    decoder: join(folder, "decoder_joint-model.onnx"),
    tokens: join(folder, "vocab.txt")
  }
  writeFileSync(files.encoder, encoder)
  writeFileSync(files.decoder, decoder)
  writeFileSync(files.tokens, [...tokens, "<blk>"].map((token, id) => `${token} ${id}\n`).join(""))
  return files
}
