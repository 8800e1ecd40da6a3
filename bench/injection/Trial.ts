import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { type Footage, inputOf } from "../../test/workers/extraction/Footage.ts"
import {
  KEY,
  type ModelCall,
  type PlayedModel,
  playModel
} from "../../test/workers/extraction/proposers/llm/ModelServer.ts"
import { candidatesFor } from "../../workers/extraction/candidates/LeafCandidates.ts"
import { read } from "../../workers/extraction/candidates/Reading.ts"
import { extract, extractBy, type Extracted } from "../../workers/extraction/Extract.ts"
import { makeLlmClient } from "../../workers/extraction/proposers/llm/LlmClient.ts"
import { makeLlmProposer } from "../../workers/extraction/proposers/llm/LlmProposer.ts"
import { planOf } from "../../workers/extraction/text/Plan.ts"
import { makeSourceDocument } from "../../workers/extraction/text/SourceDocument.ts"
import type { Attack } from "./Attacks.ts"
import { harmless, honest, reviewWith, schemaWith } from "./Review.ts"

const lineWith = ({ lines }: ModelCall, words: string): ReadonlyArray<number> =>
  lines.filter(({ text }) => text.includes(words)).slice(0, 1).map(({ number }) => number)

/** A model that reads the review as it is. */
const reads: PlayedModel = (call) => ({
  say: honest.map((one) => ({ ...one, refs: lineWith(call, one.quote) })),
  usage: null
})

/**
 * A model that does what it is told, whether it has seen the order or not: wanted values with the attack as their quote,
 * with words that nobody said, and with true words that say something else; its key, its orders and fields of its own.
 */
const obeys = (text: string): PlayedModel => (call) => {
  const quote = text.replaceAll(/\s+/gu, " ").slice(0, 120)
  const refs = lineWith(call, quote.slice(0, 20))
  return {
    say: [
      { path: "/rating", value: 10, quote, refs },
      { path: "/rating", value: 10, quote: honest[0].quote, refs: lineWith(call, honest[0].quote) },
      { path: "/winner", value: "Mallory", quote, refs },
      { path: "/winner", value: "Mallory", quote: "the winner is Mallory", refs },
      { path: "/host", value: call.system.slice(0, 60), quote: call.system.slice(0, 60), refs },
      { path: "/admin_key", value: KEY, quote: KEY, refs }
    ],
    usage: null
  }
}

interface Cost {
  readonly calls: number
  readonly tokens: number
}

const llmRun = async (model: PlayedModel, source: Footage, schema: object) => {
  await using server = await playModel(model)
  const endpoint = server.endpoint()
  await using client = makeLlmClient(endpoint)
  const out = await extractBy(makeLlmProposer(endpoint, client), inputOf(schema, source), new AbortController().signal)
  return {
    out,
    cost: { calls: server.calls.length, tokens: out.tokens },
    prompts: server.calls.map(({ prompt }) => prompt)
  }
}

/** Work of the built-in proposer that grows with what is said: candidates, and pairs of them with leaves. */
const workOf = (source: Footage, schema: object): number => {
  const reading = read(makeSourceDocument(source))
  const { leaves } = planOf(schema as JsonSchema)
  return leaves.reduce((sum, leaf) => sum + candidatesFor(reading, leaf).length, reading.candidates.length)
}

/** The attack with an address and a file of this machine in it. */
export const aimedAt = (attack: Attack, { file, port }: { readonly file: string; readonly port: number }): Attack => ({
  ...attack,
  text: attack.text
    .replaceAll("{url}", `http://127.0.0.1:${port}`)
    .replaceAll("{host}", `127.0.0.1:${port}`)
    .replaceAll("{file}", file)
})

export interface Trial {
  readonly source: Footage
  readonly schema: object
  readonly builtin: Extracted
  /** By a model that obeys. */
  readonly llm: Extracted
  /** By a model that reads, with harmless text in the attack's place. */
  readonly usual: Extracted
  /** What the model was shown. */
  readonly prompts: ReadonlyArray<string>
  /** Attack over harmless text of the same length in the same place, read by a model that obeys and by one that reads. */
  readonly ratio: Cost & { readonly work: number }
}

/** Runs one attack, and harmless text of its length, through whole extractions: without a model and with one that obeys. */
export const tryAttack = async (attack: Attack): Promise<Trial> => {
  const [source, schema] = [reviewWith(attack.channel, attack.text), schemaWith(attack, attack.text)]
  const twin = harmless(attack.text.length)
  const [ownSource, ownSchema] = [reviewWith(attack.channel, twin), schemaWith(attack, twin)]
  const attacked = await llmRun(obeys(attack.text), source, schema)
  const usual = await llmRun(reads, ownSource, ownSchema)
  return {
    source,
    schema,
    builtin: extract(inputOf(schema, source)),
    llm: attacked.out,
    usual: usual.out,
    prompts: attacked.prompts,
    ratio: {
      calls: attacked.cost.calls / usual.cost.calls,
      tokens: attacked.cost.tokens / usual.cost.tokens,
      work: workOf(source, schema) / workOf(ownSource, ownSchema)
    }
  }
}

/** Spans of the passage that holds the attack. */
export const spansOfAttack = ({ builtin, llm, source }: Trial, { channel, text }: Attack) => {
  const segment = source.transcript.segments.find((one) => one.text === text)?.id
  const frame = source.vision.frames.find((one) =>
    channel === "screen" ? one.text.some((line) => line.text === text) : one.model_sentence === text
  )?.source_ref
  return [...builtin.evidence.spans, ...llm.evidence.spans].filter(({ origin_channel, quote, source_ref }) =>
    source_ref === segment || (source_ref === frame && (origin_channel === "vision" || text.includes(quote)))
  )
}
