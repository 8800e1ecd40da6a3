import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ResolvedModel } from "../../../../../src/model-stacks/ResolvedStack.ts"
import { type OnnxConstant, onnxFile, type OnnxNode } from "../../../../support/OnnxFile.ts"

/**
 * An encoder in the layout of BERT's question answering, small enough to be written for a test. It knows three questions by
 * one word each, and the words that begin and end their answers; for any other question, or where no answer stands in the
 * text, no answer is likelier.
 */
const KNOWS = [
  { word: "host", begins: ["dana", "omar"], ends: ["whitfield", "reyes"] },
  { word: "guests", begins: ["nine", "fourteen"], ends: ["nine", "fourteen"] },
  { word: "topics", begins: ["tides", "currents"], ends: ["tides", "currents"] }
] as const

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] as const
const words = Array.from(
  new Set(["what", "is", "the", ...KNOWS.flatMap(({ begins, ends, word }) => [word, ...begins, ...ends])])
)
const vocabulary = [...SPECIAL, ...words, ...words.map((word) => `##${word}`), ",", ".", "'", "?"]
const idOf = (token: string) => vocabulary.indexOf(token)

const tokenizer = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: SPECIAL.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true
  })),
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } }
    ],
    pair: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
      { Sequence: { id: "B", type_id: 1 } },
      { SpecialToken: { id: "[SEP]", type_id: 1 } }
    ],
    special_tokens: Object.fromEntries(
      ["[CLS]", "[SEP]"].map((token) => [token, { id: token, ids: [idOf(token)], tokens: [token] }])
    )
  },
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id]))
  }
}

const settings = { tokenizer_class: "BertTokenizer", do_lower_case: true, model_max_length: 512 }

/** Per token of the vocabulary, 1 for each question that it belongs to. */
const table = (belongs: (question: (typeof KNOWS)[number]) => ReadonlyArray<string>): OnnxConstant => ({
  type: "float",
  dims: [vocabulary.length, KNOWS.length],
  values: vocabulary.flatMap((token) => KNOWS.map((question) => belongs(question).includes(token) ? 1 : 0))
})

const int64 = (...values: ReadonlyArray<number>): OnnxConstant => ({ type: "int64", dims: [values.length], values })

/** Logits `[1, length]`: 12 for what begins (or ends) an answer to the question that is asked, 6 for no answer, else 0. */
const scores = (kind: "start" | "end"): ReadonlyArray<OnnxNode> => [
  { op: "Gather", inputs: [kind, "input_ids"], outputs: [`${kind}_words`] },
  { op: "Mul", inputs: [`${kind}_words`, "asked"], outputs: [`${kind}_fits`] },
  { op: "ReduceSum", inputs: [`${kind}_fits`, "two"], outputs: [`${kind}_count`], attributes: { keepdims: 0 } },
  { op: "Mul", inputs: [`${kind}_count`, "text"], outputs: [`${kind}_there`] },
  { op: "Mul", inputs: [`${kind}_there`, "twelve"], outputs: [`${kind}_scaled`] },
  { op: "Add", inputs: [`${kind}_scaled`, "nothing"], outputs: [`${kind}_logits`] }
]

const network = (outputs: readonly [string, string] = ["start_logits", "end_logits"]) =>
  onnxFile({
    inputs: ["input_ids", "attention_mask", "token_type_ids"].map((name) => ({
      name,
      type: "int64",
      dims: ["B", "T"]
    })),
    outputs: outputs.map((name) => ({ name, type: "float", dims: ["B", "T"] })),
    constants: {
      question: table(({ word }) => [word]),
      start: table(({ begins }) => begins),
      end: table(({ ends }) => ends),
      none: { type: "float", dims: [vocabulary.length], values: vocabulary.map((token) => token === "[CLS]" ? 6 : 0) },
      twelve: { type: "float", dims: [1], values: [12] },
      one: { type: "float", dims: [1], values: [1] },
      first: int64(1),
      two: int64(2)
    },
    nodes: [
      { op: "Cast", inputs: ["token_type_ids"], outputs: ["text"], attributes: { to: 1 } },
      { op: "Sub", inputs: ["one", "text"], outputs: ["head"] },
      { op: "Unsqueeze", inputs: ["head", "two"], outputs: ["heads"] },
      { op: "Gather", inputs: ["question", "input_ids"], outputs: ["question_words"] },
      { op: "Mul", inputs: ["question_words", "heads"], outputs: ["question_heads"] },
      { op: "ReduceSum", inputs: ["question_heads", "first"], outputs: ["asked"], attributes: { keepdims: 1 } },
      { op: "Gather", inputs: ["none", "input_ids"], outputs: ["nothing"] },
      ...scores("start"),
      ...scores("end"),
      ...outputs.flatMap((name, at): ReadonlyArray<OnnxNode> => {
        const own = ["start_logits", "end_logits"][at]!
        return name === own ? [] : [{ op: "Identity", inputs: [own], outputs: [name] }]
      })
    ],
    metadata: {}
  })

/** The model's files by the names that a hub has for them. */
export const toyQaFiles = (outputs?: readonly [string, string]): Readonly<Record<string, Buffer>> => ({
  "onnx/model.onnx": network(outputs),
  "tokenizer.json": Buffer.from(JSON.stringify(tokenizer)),
  "tokenizer_config.json": Buffer.from(JSON.stringify(settings))
})

export const toyTokenizer = [tokenizer, settings] as const
export const toyWords: ReadonlyArray<string> = words

/** Writes the model into a folder and gives it as a stack would. */
export const writeToyQa = (
  folder: string,
  options: { readonly outputs?: readonly [string, string]; readonly max_tokens?: number; readonly driver?: string } = {}
): ResolvedModel => {
  mkdirSync(join(folder, "onnx"), { recursive: true })
  for (const [path, bytes] of Object.entries(toyQaFiles(options.outputs))) writeFileSync(join(folder, path), bytes)
  return {
    driver: options.driver ?? "extractive",
    name: "toy-qa",
    files: {
      model: join(folder, "onnx/model.onnx"),
      tokenizer: join(folder, "tokenizer.json"),
      tokenizer_config: join(folder, "tokenizer_config.json")
    },
    sha256: {},
    options: options.max_tokens === undefined ? {} : { max_tokens: options.max_tokens }
  }
}
