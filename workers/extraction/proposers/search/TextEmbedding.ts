import { Tokenizer } from "@huggingface/tokenizers"
import { readFile } from "node:fs/promises"
import type { ExecutionProvider } from "../../../../src/jobs/model/Provenance.ts"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { makeBatcher } from "../../../onnx/Batcher.ts"
import { fileOf, noDriver, versionOf } from "../../../onnx/ModelFiles.ts"
import { OnnxModelError, type OnnxTensor, openSession } from "../../../onnx/OnnxSession.ts"

interface Caller {
  readonly signal: AbortSignal
  /** Runs are shared out fairly between tenants. */
  readonly tenant_id?: string | undefined
}

/** A network by which texts of like meaning have like directions. Vectors are of length 1. */
export interface TextEmbedding extends AsyncDisposable {
  readonly name: string
  readonly execution_provider: ExecutionProvider
  /** The direction of what is sought. Rejects with the signal's reason when it is aborted, after the run at hand. */
  readonly query: (text: string, caller: Caller) => Promise<Float32Array>
  /** The direction of a text that may be what is sought. */
  readonly passage: (text: string, caller: Caller) => Promise<Float32Array>
}

interface Text {
  readonly tenant_id: string
  readonly length: number
  readonly ids: ReadonlyArray<number>
}

const MOST_TOKENS = 512
const poolings = ["last", "mean", "first"] as const
type Pooling = typeof poolings[number]

const numberOr = (value: unknown, otherwise: number): number => typeof value === "number" ? value : otherwise
const textOr = (value: unknown): string => typeof value === "string" ? value : ""

const tokenizerOf = async (model: ResolvedModel): Promise<Tokenizer> => {
  const settings = model.files["tokenizer_config"]
  try {
    return new Tokenizer(
      JSON.parse(await readFile(fileOf(model, "tokenizer"), "utf8")),
      settings === undefined ? {} : JSON.parse(await readFile(settings, "utf8"))
    )
  } catch (cause) {
    throw new OnnxModelError(`The tokenizer of ${model.name} cannot be used`, { cause })
  }
}

/** One vector of the states `[1, tokens, width]` of all tokens, of length 1. */
const pooled = ({ data, dims }: OnnxTensor, pooling: Pooling): Float32Array => {
  const [, tokens, width] = dims as readonly [number, number, number]
  const states = data as Float32Array
  const [from, to] = pooling === "mean" ? [0, tokens] : pooling === "first" ? [0, 1] : [tokens - 1, tokens]
  const out = new Float32Array(width)
  for (let at = from; at < to; at++) {
    for (let i = 0; i < width; i++) out[i]! += states[at * width + i]!
  }
  const length = Math.sqrt(out.reduce((sum, one) => sum + one * one, 0)) || 1
  return out.map((one) => one / length)
}

export const similarity = (a: Float32Array, b: Float32Array): number => a.reduce((sum, one, i) => sum + one * b[i]!, 0)

/**
 * Opens an encoder or a decoder that gives a state per token (`last_hidden_state`), one text a run on the processor, with the
 * vector of the last token, of the first, or of all, by the option `pooling`. What a decoder calls `past_key_values` is fed
 * empty, by the options `kv_heads` and `head_dim`. Throws `OnnxModelError` where a file is missing, broken or of another layout.
 */
export const openTextEmbedding = async (model: ResolvedModel): Promise<TextEmbedding> => {
  if (model.driver !== "text-embedding") throw noDriver("searching", model)
  const tokenizer = await tokenizerOf(model)
  const session = await openSession(fileOf(model, "model"))
  if (!session.outputs.includes("last_hidden_state")) {
    await session.dispose()
    throw new OnnxModelError(`The model ${model.name} has no output last_hidden_state`)
  }
  const { head_dim, kv_heads, max_tokens, passage_prefix, query_prefix } = model.options
  const pooling = poolings.find((one) => one === model.options["pooling"]) ?? "last"
  const past: OnnxTensor = {
    data: new Float32Array(0),
    dims: [1, numberOr(kv_heads, 1), 0, numberOr(head_dim, 1)]
  }
  const most = numberOr(max_tokens, MOST_TOKENS)

  const run = async ({ ids }: Text): Promise<Float32Array> => {
    const feed = (values: ReadonlyArray<number>): OnnxTensor => ({
      data: BigInt64Array.from(values, BigInt),
      dims: [1, ids.length]
    })
    const feeds = Object.fromEntries(session.inputs.map((name): [string, OnnxTensor] => {
      if (name === "input_ids") return [name, feed(ids)]
      if (name === "attention_mask") return [name, feed(ids.map(() => 1))]
      if (name === "position_ids") return [name, feed(ids.map((_, at) => at))]
      if (name === "token_type_ids") return [name, feed(ids.map(() => 0))]
      if (name.startsWith("past_key_values")) return [name, past]
      throw new OnnxModelError(`The model ${model.name} has an input ${name} that is not known`)
    }))
    return pooled((await session.run(feeds))["last_hidden_state"]!, pooling)
  }
  const turns = makeBatcher<Text, Float32Array>(
    { items: 1, frames: 1, pad: (length) => length },
    async ({ items: [text] }) => [await run(text!)]
  )

  /** A text that is too long loses its middle, not what a tokenizer puts at its ends. */
  const cut = (ids: ReadonlyArray<number>): ReadonlyArray<number> =>
    ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1)!]
  const embed = (prefix: unknown) => (text: string, { signal, tenant_id = "" }: Caller) => {
    const { ids } = tokenizer.encode(`${textOr(prefix)}${text}`)
    return turns.submit({ tenant_id, length: 1, ids: cut(ids) }, signal)
  }
  return {
    name: await versionOf(model, "model"),
    execution_provider: session.execution_provider,
    query: embed(query_prefix),
    passage: embed(passage_prefix),
    [Symbol.asyncDispose]: () => session.dispose()
  }
}
