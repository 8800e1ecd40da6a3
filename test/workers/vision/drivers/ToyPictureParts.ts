import { type OnnxConstant, onnxFile, type OnnxNode, type OnnxValue, typeCodes } from "../../../support/OnnxFile.ts"

const special = [
  "<s>",
  "<pad>",
  "</s>",
  "<unk>",
  "<image>",
  "<fake_token_around_image>",
  "<global-img>",
  "<|im_start|>",
  "<end_of_utterance>",
  "<|vision_start|>",
  "<|image_pad|>",
  "<|vision_end|>"
]
const vocabulary = [...special, ":", "A", "bright", "dark", "picture", "at", "night"]
export const size = vocabulary.length
/** A token each, and how bright the picture is. */
export const width = size + 1
export const id = (token: string): number => vocabulary.indexOf(token)

export const matrix = (
  rows: number,
  columns: number,
  value: (row: number, column: number) => number
): OnnxConstant => ({
  type: "float",
  dims: [rows, columns],
  values: Array.from({ length: rows * columns }, (_, i) => value(Math.floor(i / columns), i % columns))
})
const floats = (...values: ReadonlyArray<number>): OnnxConstant => ({
  type: "float",
  dims: [values.length],
  values
})
export const whole = (...values: ReadonlyArray<number>): OnnxConstant => ({
  type: "int64",
  dims: [values.length],
  values
})
export const value = (name: string, dims: OnnxValue["dims"], type: OnnxValue["type"] = "float"): OnnxValue => ({
  name,
  dims,
  type
})
export const op = (
  name: string,
  inputs: ReadonlyArray<string>,
  output: string,
  attributes: NonNullable<OnnxNode["attributes"]> = {}
): OnnxNode => ({ op: name, inputs, outputs: [output], attributes })

export const file = (
  inputs: ReadonlyArray<OnnxValue>,
  outputs: ReadonlyArray<OnnxValue>,
  constants: Readonly<Record<string, OnnxConstant>>,
  nodes: ReadonlyArray<OnnxNode>
): Buffer => onnxFile({ inputs, outputs, constants, nodes, metadata: {} })

export const embedTokens = file(
  [value("input_ids", ["batch_size", "sequence_length"], "int64")],
  [value("inputs_embeds", ["batch_size", "sequence_length", width])],
  { tokens: matrix(size, width, (row, column) => Number(row === column)) },
  [op("Gather", ["tokens", "input_ids"], "inputs_embeds")]
)

/** `means` `[…, 3]` becomes `features` `[…, width]`; of a blue picture the only row of a table is asked for its second. */
export const features = {
  constants: {
    brightness: matrix(3, width, (_, column) => (column === size ? 1 / 3 : 0)),
    blueness: matrix(3, 1, (row) => [-1, 0, 1][row]!),
    limit: floats(0.5),
    only: floats(1),
    last: whole(-1)
  },
  nodes: [
    op("MatMul", ["means", "blueness"], "bluer"),
    op("Sub", ["bluer", "limit"], "too_blue"),
    op("Relu", ["too_blue"], "excess"),
    op("Floor", ["excess"], "step"),
    op("Cast", ["step"], "row", { to: typeCodes.int64 }),
    op("Gather", ["only", "row"], "one"),
    op("MatMul", ["means", "brightness"], "seen"),
    op("Mul", ["seen", "one"], "features")
  ]
}

/** Logits from the last word and from `picture` `[B, 1, width]`, whose last column says how bright it is. */
export const nextWord = (end: string, to = "logits") => {
  const follows = new Map([
    ["</s>", ["A"]],
    ["<end_of_utterance>", ["A"]],
    ["<s>", ["A"]],
    [":", ["A"]],
    ["A", ["bright", "dark"]],
    ["bright", ["picture"]],
    ["dark", ["picture"]],
    ["picture", [end, "at"]],
    ["at", ["night"]],
    ["night", [end]]
  ])
  const side = new Map([["bright", 9], [end, 9], ["dark", -9], ["at", -9]])
  return {
    constants: {
      follows: matrix(
        width,
        size,
        (row, column) => follows.get(vocabulary[row]!)?.includes(vocabulary[column]!) ? 40 : 0
      ),
      leans: matrix(width, size, (row, column) => (row === size ? side.get(vocabulary[column]!) ?? 0 : 0))
    },
    nodes: [
      op("MatMul", ["inputs_embeds", "follows"], "possible"),
      op("MatMul", ["picture", "leans"], "wanted"),
      op("Add", ["possible", "wanted"], to)
    ]
  }
}

export const cache = (name: string, length: string) => value(name, ["batch_size", 1, length, width])
export const logits = value("logits", ["batch_size", "sequence_length", size])
export const embeds = value("inputs_embeds", ["batch_size", "sequence_length", width])

export const tokenizer = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: special.map((content) => ({
    id: id(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true
  })),
  normalizer: null,
  pre_tokenizer: { type: "Whitespace" },
  post_processor: null,
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "<unk>",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((token, index) => [token, index]))
  }
}

export const tokenizerConfig = (tokenizer_class: string) => ({
  tokenizer_class,
  bos_token: "<s>",
  eos_token: "</s>",
  pad_token: "<pad>",
  unk_token: "<unk>",
  model_max_length: 1024
})

export const images = {
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: [0.5, 0.5, 0.5],
  image_std: [0.5, 0.5, 0.5],
  do_resize: true
}

export const json = (content: object): Buffer => Buffer.from(JSON.stringify(content))
