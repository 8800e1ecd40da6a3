import { Tokenizer } from "@huggingface/tokenizers"
import { readFile } from "node:fs/promises"
import type { ExecutionProvider } from "../../../../src/jobs/model/Provenance.ts"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { OnnxModelError, openSession } from "../../../onnx/OnnxSession.ts"
import type { Passage, Span } from "../../text/SourceDocument.ts"
import { type Piece, stretches, tokensBy } from "./QaTokens.ts"

/** What a model points at: where its answer stands, and how sure it is. */
export interface QaAnswer {
  readonly span: Span
  /** By how much its logits exceed those of having no answer. */
  readonly margin: number
  /** Probability of the first token times that of the last, among all tokens and no answer. */
  readonly probability: number
}

/** An encoder that was trained to point at answers (Rajpurkar, P. et al., 2018: SQuAD 2.0). */
export interface QaModel extends AsyncDisposable {
  readonly name: string
  readonly execution_provider: ExecutionProvider
  /** The best answer in each stretch of passages that the model can see at once, those without one left out. */
  readonly answer: (
    question: string,
    passages: ReadonlyArray<Passage>,
    signal: AbortSignal
  ) => Promise<ReadonlyArray<QaAnswer>>
}

const MOST_QUESTION_TOKENS = 64
const MOST_ANSWER_PIECES = 30
/** Answers need words around them. */
const FEWEST_CONTEXT_TOKENS = 16
const fileOf = ({ files, name }: ResolvedModel, key: string): string => {
  const file = files[key]
  if (file === undefined) throw new OnnxModelError(`The model ${name} lacks the file ${key}`)
  return file
}

const tokenizerOf = async (model: ResolvedModel): Promise<Tokenizer> => {
  const [tokenizer, config] = [fileOf(model, "tokenizer"), fileOf(model, "tokenizer_config")]
  try {
    const [rules, settings] = await Promise.all(
      [tokenizer, config].map(async (path) => JSON.parse(await readFile(path, "utf8")))
    )
    return new Tokenizer(rules, settings)
  } catch (cause) {
    throw new OnnxModelError(`The tokenizer of ${model.name} cannot be used`, { cause })
  }
}

const softmax = (logits: Float32Array): Float64Array => {
  const highest = logits.reduce((most, one) => Math.max(most, one), -Infinity)
  const powers = Float64Array.from(logits, (logit) => Math.exp(logit - highest))
  const sum = powers.reduce((total, one) => total + one, 0)
  return powers.map((power) => power / sum)
}

/**
 * Opens an extractive model: an ONNX encoder with `start_logits` and `end_logits`, and its `tokenizer.json`. Throws
 * `OnnxModelError` where a file is missing, broken or of another layout.
 */
export const openQaModel = async (model: ResolvedModel): Promise<QaModel> => {
  if (model.driver !== "extractive") {
    throw new OnnxModelError(`The model ${model.name} wants the driver ${model.driver}, which is none for questions`)
  }
  const tokenizer = await tokenizerOf(model)
  const session = await openSession(fileOf(model, "model"))
  const typed = session.inputs.includes("token_type_ids")
  for (const name of ["start_logits", "end_logits"]) {
    if (!session.outputs.includes(name)) throw new OnnxModelError(`The model ${model.name} has no output ${name}`)
  }
  const { encode, layout: { after, before, between }, piecesOf } = tokensBy(tokenizer)
  const most = typeof model.options["max_tokens"] === "number" ? model.options["max_tokens"] : 384

  const run = async (question: ReadonlyArray<number>, pieces: ReadonlyArray<Piece>): Promise<QaAnswer | undefined> => {
    const head = [...before, ...question, ...between]
    const ids = [...head, ...pieces.flatMap((piece) => piece.ids), ...after]
    const dims = [1, ids.length]
    const feed = (values: ReadonlyArray<number>) => ({ data: BigInt64Array.from(values, BigInt), dims })
    const results = await session.run({
      input_ids: feed(ids),
      attention_mask: feed(ids.map(() => 1)),
      ...(typed ? { token_type_ids: feed(ids.map((_, at) => at < head.length ? 0 : 1)) } : {})
    })
    const [starts, ends] = [results["start_logits"]!.data, results["end_logits"]!.data] as [Float32Array, Float32Array]
    const first: Array<number> = []
    let at = head.length
    for (const piece of pieces) {
      first.push(at)
      at += piece.ids.length
    }
    let best: { readonly from: number; readonly to: number; readonly logit: number } | undefined
    for (let from = 0; from < pieces.length; from++) {
      for (let to = from; to < Math.min(pieces.length, from + MOST_ANSWER_PIECES); to++) {
        if (pieces[to]!.passage !== pieces[from]!.passage) break
        const logit = starts[first[from]!]! + ends[first[to]! + pieces[to]!.ids.length - 1]!
        if (best === undefined || logit > best.logit) best = { from, to, logit }
      }
    }
    if (best === undefined) return undefined
    const [head0, tail] = [first[best.from]!, first[best.to]! + pieces[best.to]!.ids.length - 1]
    const { passage } = pieces[best.from]!
    return {
      span: { passage, from: pieces[best.from]!.from, to: pieces[best.to]!.to },
      margin: best.logit - (starts[0]! + ends[0]!),
      probability: softmax(starts)[head0]! * softmax(ends)[tail]!
    }
  }

  return {
    name: model.sha256["model"] === undefined ? model.name : `${model.name}@${model.sha256["model"].slice(0, 12)}`,
    execution_provider: session.execution_provider,
    answer: async (text, passages, signal) => {
      const question = encode(text).slice(0, MOST_QUESTION_TOKENS)
      const room = most - before.length - question.length - between.length - after.length
      if (room < FEWEST_CONTEXT_TOKENS) throw new OnnxModelError(`The model ${model.name} sees too little at once`)
      const answers: Array<QaAnswer> = []
      for (const stretch of stretches(passages.map(piecesOf), room)) {
        signal.throwIfAborted()
        const found = await run(question, stretch)
        if (found !== undefined && found.margin > 0) answers.push(found)
      }
      return answers
    },
    [Symbol.asyncDispose]: () => session.dispose()
  }
}
