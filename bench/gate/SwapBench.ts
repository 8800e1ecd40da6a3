import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { castOf } from "../../workers/extraction/candidates/Cast.ts"
import { read } from "../../workers/extraction/candidates/Reading.ts"
import type { Draft } from "../../workers/extraction/grounding/Draft.ts"
import { groundOf } from "../../workers/extraction/grounding/Ground.ts"
import type { Proposal } from "../../workers/extraction/grounding/Proposal.ts"
import { judgeDrafts, objection } from "../../workers/extraction/proposers/llm/LlmJudge.ts"
import { unitsOf } from "../../workers/extraction/proposers/llm/LlmParts.ts"
import { messagesOf } from "../../workers/extraction/proposers/llm/LlmPrompt.ts"
import { leavesByTemplate, modelGate } from "../../workers/extraction/proposers/ModelGate.ts"
import type { ProposerTask } from "../../workers/extraction/proposers/Proposer.ts"
import { type Leaf, planOf } from "../../workers/extraction/text/Plan.ts"
import { sentencesOf } from "../../workers/extraction/text/Sentences.ts"
import { makeSourceDocument } from "../../workers/extraction/text/SourceDocument.ts"
import { stem } from "../../workers/extraction/text/Tokens.ts"
import { sameValue, videoArtifacts } from "../extraction/ExtractionData.ts"
import type { FootageRecord } from "../extraction/FootageRecord.ts"
import { oracle, type OracleProposal } from "./Oracle.ts"

/** How a wrong value comes to a true quote. */
const SWAPS = ["foreign", "trap", "flipped", "other row"] as const
type Swap = typeof SWAPS[number]

/** Wrong values for one leaf, of each sort. */
const FOREIGN = 3

interface Trial {
  readonly swap: Swap | null
  readonly proposal: OracleProposal
}

const taskOf = (record: FootageRecord): ProposerTask => {
  const document = makeSourceDocument(videoArtifacts(record as never))
  const reading = read(document)
  const cast = castOf(reading)
  return {
    plan: planOf(normaliseDialect(record.schema as JsonSchema)),
    material: { reading, sentences: sentencesOf(document), cast },
    ground: groundOf(reading, cast, undefined)
  }
}

const same = (a: unknown, b: unknown): boolean => typeof a === "string" ? sameValue(a, [b]) : a === b

const swapped = (proposal: OracleProposal, { quote, refs, value }: OracleProposal): OracleProposal => ({
  ...proposal,
  value,
  quote,
  refs
})

const flipped = (proposal: OracleProposal): OracleProposal => ({ ...proposal, value: proposal.value !== true })

const plain = (text: string): string => text.trim().replaceAll(/\s+/gu, " ")

const trial = (swap: Swap | null, some: ReadonlyArray<OracleProposal>): ReadonlyArray<Trial> =>
  some.map((one) => ({ swap, proposal: one }))

/** Every right proposal of a video, and beside each the wrong ones that a mistaken model could make with true quotes. */
const trialsOf = (record: FootageRecord, task: ProposerTask): ReadonlyArray<Trial> => {
  const { passages } = task.material.reading
  const leaves = leavesByTemplate(task.plan)
  const prompt = messagesOf({ units: unitsOf(task.plan), passages }, { recordedAt: undefined }).at(-1)!.content
  const right = oracle(record)(prompt)
  const lines = new Map([...record.segments, ...record.ocr].map((line) => [line.id, plain(line.text)]))
  const truths = Map.groupBy(right, ({ path }) => path)
  const isTrue = ({ path }: OracleProposal, value: unknown): boolean =>
    truths.get(path)!.some((one) => same(one.value, value))
  return right.flatMap((proposal, at): ReadonlyArray<Trial> => {
    const type = leaves.get(proposal.path)?.type
    const others = [...right.slice(at + 1), ...right.slice(0, at)]
    const foreign = type === "boolean" || type === "enum" ?
      [] :
      others.filter((other) =>
        other.path !== proposal.path && typeof other.value === typeof proposal.value && !isTrue(proposal, other.value)
      )
    const rows = others.filter((other) =>
      other.path === proposal.path && other.item !== proposal.item && !same(other.value, proposal.value)
    )
    const pointer = proposal.path.replaceAll(/\/\*/gu, () => "/*")
    const entries = (proposal.item ?? "").match(/\d+/gu) ?? []
    let passed = 0
    const own = pointer.replaceAll("*", () => entries[passed++] ?? "*")
    const traps = record.traps.filter((trap) => trap.pointer === own).flatMap((trap): ReadonlyArray<OracleProposal> => {
      const quote = lines.get(trap.evidence[0] ?? "")
      const refs = passages.filter(({ text }) => quote !== undefined && text.includes(quote)).map(({ index }) => index)
      return quote === undefined ? [] : [{ ...proposal, value: trap.value as never, quote, refs }]
    })
    return trial(null, [proposal])
      .concat(trial("foreign", foreign.slice(0, FOREIGN).map((other) => swapped(proposal, other))))
      .concat(trial("trap", traps))
      .concat(trial("flipped", typeof proposal.value === "boolean" ? [flipped(proposal)] : []))
      .concat(trial("other row", rows.slice(0, 1).map((other) => swapped(proposal, other))))
  })
}

/** How much of a field's own words the cited lines and those beside them have. */
const tieOf = (leaf: Leaf, stems: ReadonlySet<string>): number => {
  let [own, all] = [0, 0]
  for (const [term, weight] of leaf.terms) {
    all += weight
    if (stems.has(term)) own += weight
  }
  return all === 0 ? 0 : own / all
}

/** What rules say of a draft without a model: how much better its lines are tied to its field than to any other of its type. */
const ruleScore = (draft: Draft, { material, plan }: ProposerTask): number => {
  const stems = new Set<string>()
  for (const { passage } of [draft.span, ...(draft.citations ?? []).map(({ span }) => span)]) {
    for (const near of [material.reading.passages[passage.index - 1], passage]) {
      if (near?.modality === passage.modality) { for (const { norm } of near.tokens) stems.add(stem(norm)) }
    }
  }
  const others = Array.from(leavesByTemplate(plan).values()).filter(({ template, type }) =>
    template !== draft.leaf.template && type === draft.leaf.type
  )
  return tieOf(draft.leaf, stems) - Math.max(0, ...others.map((other) => tieOf(other, stems)))
}

interface Outcome {
  readonly swap: Swap | null
  /** Null where the gate did not take it. */
  readonly score: number | null
  readonly draft: Draft | null
}

const three = (value: number): number => Math.round(value * 1000) / 1000
const share = (some: ReadonlyArray<Outcome>, taken: (one: Outcome) => boolean): number | null =>
  some.length === 0 ? null : three(some.filter(taken).length / some.length)

/** Rates by sort of wrong value, where a draft is taken. */
const ratesOf = (outcomes: ReadonlyArray<Outcome>, taken: (one: Outcome) => boolean) => ({
  true_accepts: share(outcomes.filter(({ swap }) => swap === null), taken),
  false_accepts: share(outcomes.filter(({ swap }) => swap !== null), taken),
  by_swap: Object.fromEntries(
    SWAPS.map((sort) => [sort, share(outcomes.filter(({ swap }) => swap === sort), taken)])
  )
})

/** Numbers from 0 to 1 that are the same every time (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

const ERRORS = [0.02, 0.05, 0.1]

/**
 * What wrong values with true quotes come through: by the gate alone, by rules beside it at 95 % of the right ones, and by a
 * judge in a call of its own that is itself wrong in so many of a hundred cases.
 */
export const swapBench = async (records: ReadonlyArray<FootageRecord>) => {
  const all: Array<Outcome> = []
  const judged = new Map<number, { readonly kept: Set<Outcome> }>(ERRORS.map((error) => [error, { kept: new Set() }]))
  const draw = random(20)
  for (const record of records) {
    const task = taskOf(record)
    const gate = modelGate(task)
    const { passages } = task.material.reading
    const outcomes = trialsOf(record, task).map(({ proposal, swap }): Outcome => {
      const { item, path, quote, refs, value } = proposal
      const asked: Proposal = {
        pointer_template: path,
        ...(item === null ? {} : { item_key: item }),
        value,
        quote,
        source_refs: refs.flatMap((ref) => passages[ref]?.source_ref ?? []),
        score: 1,
        proposed_by: "llm:oracle"
      }
      const draft = gate(asked)
      return typeof draft === "string"
        ? { swap, score: null, draft: null }
        : { swap, score: ruleScore(draft, task), draft }
    })
    all.push(...outcomes)
    const taken = outcomes.filter(({ draft }) => draft !== null)
    for (const [error, { kept }] of judged) {
      let asked = 0
      const verdicts = await judgeDrafts(task, taken.map(({ draft }) => draft!), async ({ messages }) => {
        const claims = Array.from(messages.at(-1)!.content.matchAll(/^Claim (\d+)$/gmu), ([, number]) => Number(number))
        const text = JSON.stringify({
          verdicts: claims.map((claim) => {
            const right = taken[asked++]!.swap === null
            const says = draw() < error ? !right : right
            return { claim, verdict: says ? "supports" : "other field", score: says ? 0.9 : 0.1 }
          })
        })
        return { text, finish: "stop", input_tokens: 1, output_tokens: 1 }
      })
      for (const outcome of taken) {
        const verdict = verdicts.get(outcome.draft!)
        if (verdict === undefined || objection(verdict) === undefined) kept.add(outcome)
      }
    }
  }
  const scores = all.filter(({ swap }) => swap === null).map(({ score }) => score ?? -Infinity).toSorted((a, b) =>
    b - a
  )
  const least = scores[Math.ceil(scores.length * 0.95) - 1] ?? -Infinity
  return {
    trials: all.length,
    gate: ratesOf(all, ({ score }) => score !== null),
    rules: ratesOf(all, ({ score }) => score !== null && score >= least),
    judges: Object.fromEntries(
      Array.from(judged, ([error, { kept }]) => [`${error * 100} %`, ratesOf(all, (one) => kept.has(one))])
    )
  }
}
