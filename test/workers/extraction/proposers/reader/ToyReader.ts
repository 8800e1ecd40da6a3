import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ResolvedModel } from "../../../../../src/model-stacks/ResolvedStack.ts"
import { ggufFile, type GgufTensor } from "../../../../support/GgufFile.ts"

const SPECIAL = ["<unk>", "<s>", "</s>"] as const
const NORMAL = 1
const UNKNOWN = 2
const CONTROL = 3
const BYTE = 6
/** A multiple of the heads, and at least as many as there are tokens: each token has an axis of its own. */
const WIDTH = 512
const HEADS = 4
const HIDDEN = 32
const END = 2

const hex = (byte: number): string => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`
const letters = Array.from({ length: 95 }, (_, at) => at === 0 ? "\u2581" : String.fromCharCode(32 + at))
const base = [...SPECIAL, ...Array.from({ length: 256 }, (_, byte) => hex(byte)), ...letters]

const zeros = (...dims: ReadonlyArray<number>): GgufTensor => ({
  dims,
  values: new Float32Array(dims.reduce((product, dim) => product * dim, 1))
})
const ones = (dim: number): GgufTensor => ({ dims: [dim], values: new Float32Array(dim).fill(1) })

/** Numbers in [-1, 1), the same each time. */
const noise = (seed: number, ...dims: ReadonlyArray<number>): GgufTensor => {
  const tensor = zeros(...dims)
  let state = seed
  for (let at = 0; at < tensor.values.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    tensor.values[at] = state / 2 ** 31 - 1
  }
  return tensor
}

const CONTEXT = 4096

/**
 * A language model of Llama's layout (one block), small enough to be written for a test. With an answer, its weights are
 * a table of which token follows which: whatever it is asked it gives the pieces of the answer, one token each, and
 * ends, or says the last of them for ever. Without one its weights are random.
 */
const toyLlama = (answer: ReadonlyArray<string> | null, forever: boolean): Buffer => {
  const tokens = [...base, ...(answer ?? [])]
  const embedding = zeros(WIDTH, tokens.length)
  for (let token = 0; token < tokens.length; token++) embedding.values[token * WIDTH + token] = 1
  const table = zeros(WIDTH, tokens.length)
  const likes = (after: number, token: number) => void (table.values[token * WIDTH + after] = 1)
  for (let token = 0; token < base.length; token++) likes(token, base.length)
  for (const at of (answer ?? []).keys()) {
    const last = at + 1 === answer!.length
    likes(base.length + at, last ? (forever ? base.length + at : END) : base.length + at + 1)
  }
  const weights = (seed: number, ...dims: ReadonlyArray<number>) =>
    answer === null ? noise(seed, ...dims) : zeros(...dims)
  return ggufFile({
    "general.architecture": { string: "llama" },
    "general.name": { string: "toy-reader" },
    "llama.vocab_size": { uint32: tokens.length },
    "llama.context_length": { uint32: CONTEXT },
    "llama.embedding_length": { uint32: WIDTH },
    "llama.block_count": { uint32: 1 },
    "llama.feed_forward_length": { uint32: HIDDEN },
    "llama.attention.head_count": { uint32: HEADS },
    "llama.attention.head_count_kv": { uint32: HEADS },
    "llama.attention.layer_norm_rms_epsilon": { float32: 1e-5 },
    "llama.rope.dimension_count": { uint32: WIDTH / HEADS },
    "tokenizer.ggml.model": { string: "llama" },
    "tokenizer.ggml.tokens": { strings: tokens.map((token) => token.replaceAll(" ", "\u2581")) },
    "tokenizer.ggml.scores": { floats: tokens.map((_, at) => -at) },
    "tokenizer.ggml.token_type": {
      ints: tokens.map((_, at) => at === 0 ? UNKNOWN : at < 3 ? CONTROL : at < 259 ? BYTE : NORMAL)
    },
    "tokenizer.ggml.unknown_token_id": { uint32: 0 },
    "tokenizer.ggml.bos_token_id": { uint32: 1 },
    "tokenizer.ggml.eos_token_id": { uint32: END },
    "tokenizer.ggml.add_bos_token": { bool: true },
    "tokenizer.ggml.add_space_prefix": { bool: false },
    "tokenizer.chat_template": {
      string:
        "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '</s>' }}{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"
    }
  }, {
    "token_embd.weight": embedding,
    "blk.0.attn_norm.weight": ones(WIDTH),
    "blk.0.attn_q.weight": weights(1, WIDTH, WIDTH),
    "blk.0.attn_k.weight": weights(2, WIDTH, WIDTH),
    "blk.0.attn_v.weight": weights(3, WIDTH, WIDTH),
    "blk.0.attn_output.weight": weights(4, WIDTH, WIDTH),
    "blk.0.ffn_norm.weight": ones(WIDTH),
    "blk.0.ffn_gate.weight": weights(5, WIDTH, HIDDEN),
    "blk.0.ffn_up.weight": weights(6, WIDTH, HIDDEN),
    "blk.0.ffn_down.weight": weights(7, HIDDEN, WIDTH),
    "output_norm.weight": ones(WIDTH),
    "output.weight": answer === null ? noise(8, WIDTH, tokens.length) : table
  })
}

/** Writes the model into a folder and gives it as a stack would. */
export const writeToyReader = (
  folder: string,
  answer: ReadonlyArray<string> | null,
  { forever = false, ...options }: {
    readonly forever?: boolean
    readonly threads?: number
    readonly context_tokens?: number
  } = {}
): ResolvedModel => {
  mkdirSync(folder, { recursive: true })
  const bytes = toyLlama(answer, forever)
  const model = join(folder, `${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.gguf`)
  writeFileSync(model, bytes)
  return {
    driver: "llama",
    name: "toy-reader",
    files: { model },
    sha256: {},
    options: { context_tokens: CONTEXT, threads: 1, ...options }
  }
}
