import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ResolvedModel } from "../../../../../src/model-stacks/ResolvedStack.ts"
import { onnxFile } from "../../../../support/OnnxFile.ts"

const SPECIAL = ["<unk>", "<end>"] as const
const WIDTH = 64

/** Words as the toy's tokenizer divides them. */
const toyWordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\w+|[^\w\s]/gu) ?? []

const past = (name: string) => ({ name, type: "float", dims: ["B", 2, "P", 4] }) as const

/** A row of random numbers per word, the same each time. */
const tableOf = (vocabulary: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<number>> => {
  let state = 7
  return vocabulary.map((_, id) =>
    Array.from({ length: WIDTH }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      // What every text has in it says nothing of any.
      return id < SPECIAL.length ? 0 : state / 2 ** 31 - 1
    })
  )
}

export interface ToySearch {
  readonly model: ResolvedModel
  /** What a text's vector is, worked out without the network: the sum of its words' rows, of length 1. */
  readonly reference: (text: string) => ReadonlyArray<number>
}

/**
 * A decoder in the layout of exports with a cache, small enough to be written for a test: the state of a token is the sum of
 * random rows of all words up to it, so that the last token's, which ends each text, is the text's words in any order.
 */
export const writeToySearch = (
  folder: string,
  texts: ReadonlyArray<string>,
  options: Readonly<Record<string, string | number>> = {},
  output = "last_hidden_state"
): ToySearch => {
  const vocabulary = [...SPECIAL, ...new Set(texts.flatMap(toyWordsOf))]
  const table = tableOf(vocabulary)
  const network = onnxFile({
    inputs: [
      ...["input_ids", "attention_mask", "position_ids"].map((name) => ({
        name,
        type: "int64" as const,
        dims: ["B", "T"]
      })),
      past("past_key_values.0.key"),
      past("past_key_values.0.value")
    ],
    outputs: [{ name: output, type: "float", dims: ["B", "T", WIDTH] }],
    constants: {
      table: { type: "float", dims: [vocabulary.length, WIDTH], values: table.flat() },
      tokens: { type: "int64", dims: [], values: [1] }
    },
    nodes: [
      { op: "Gather", inputs: ["table", "input_ids"], outputs: ["rows"] },
      { op: "CumSum", inputs: ["rows", "tokens"], outputs: [output] },
      ...["attention_mask", "position_ids", "past_key_values.0.key", "past_key_values.0.value"].map((name) => ({
        op: "Identity",
        inputs: [name],
        outputs: [`unused_${name}`]
      }))
    ],
    metadata: {}
  })
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
      single: [{ Sequence: { id: "A", type_id: 0 } }, { SpecialToken: { id: "<end>", type_id: 0 } }],
      pair: [],
      special_tokens: { "<end>": { id: "<end>", ids: [1], tokens: ["<end>"] } }
    },
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "<unk>",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id]))
    }
  }
  mkdirSync(folder, { recursive: true })
  const files = { model: join(folder, "model.onnx"), tokenizer: join(folder, "tokenizer.json") }
  writeFileSync(files.model, network)
  writeFileSync(files.tokenizer, JSON.stringify(tokenizer))
  const ids = new Map(vocabulary.map((word, id) => [word, id]))
  return {
    model: {
      driver: "text-embedding",
      name: "toy-search",
      files,
      sha256: {},
      options: { pooling: "last", kv_heads: 2, head_dim: 4, ...options }
    },
    reference: (text) => {
      const rows = toyWordsOf(text).map((word) => table[ids.get(word) ?? 0]!)
      const sum = Array.from({ length: WIDTH }, (_, i) => rows.reduce((total, row) => total + row[i]!, 0))
      const length = Math.sqrt(sum.reduce((total, one) => total + one * one, 0)) || 1
      return sum.map((one) => one / length)
    }
  }
}
