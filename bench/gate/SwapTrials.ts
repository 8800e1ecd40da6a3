import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { registryOf } from "../../workers/extraction/candidates/EntityRegistry.ts"
import { read } from "../../workers/extraction/candidates/Reading.ts"
import type { Draft } from "../../workers/extraction/grounding/Draft.ts"
import { groundDraft, groundingOf } from "../../workers/extraction/grounding/Grounding.ts"
import type { Proposal } from "../../workers/extraction/grounding/Proposal.ts"
import { proposalContext } from "../../workers/extraction/judge/ProposalFeatures.ts"
import { unitsOf } from "../../workers/extraction/proposers/llm/LlmParts.ts"
import { messagesOf } from "../../workers/extraction/proposers/llm/LlmPrompt.ts"
import { leavesByTemplate, modelGate } from "../../workers/extraction/proposers/ModelGate.ts"
import type { ProposerTask } from "../../workers/extraction/proposers/Proposer.ts"
import { planOf } from "../../workers/extraction/text/Plan.ts"
import { sentencesOf } from "../../workers/extraction/text/Sentences.ts"
import { makeSourceDocument } from "../../workers/extraction/text/SourceDocument.ts"
import { sameValue, videoArtifacts } from "../extraction/ExtractionData.ts"
import type { FootageRecord } from "../extraction/FootageRecord.ts"
import { oracle, type OracleProposal } from "./Oracle.ts"

/** How a wrong value comes to a true quote. */
export const SWAPS = ["foreign", "trap", "flipped", "other row"] as const
export type Swap = typeof SWAPS[number]

/** Wrong values for one leaf, of each sort. */
const FOREIGN = 3

interface Trial {
  readonly swap: Swap | null
  readonly proposal: OracleProposal
}

const taskOf = (record: FootageRecord): ProposerTask => {
  const document = makeSourceDocument(videoArtifacts(record))
  const reading = read(document)
  const registry = registryOf(reading)
  return {
    plan: planOf(normaliseDialect(record.schema as JsonSchema)),
    material: { reading, sentences: sentencesOf(document), registry },
    ground: groundingOf(reading, registry)
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

/** A trial that was put to the gate. */
export interface PlayedTrial {
  /** Null where the value is right. */
  readonly swap: Swap | null
  /** Null where the gate did not take it. */
  readonly draft: Draft | null
  /** What the judge by rules is told of it, in the order of `PROPOSAL_FEATURES`. */
  readonly features: ReadonlyArray<number> | null
}

/**
 * Puts every right proposal of a video to the gate, and beside each the wrong ones that a mistaken model could make with true
 * quotes. Each wrong one is judged among the right ones: it is the only mistake of its answer.
 */
export const playTrials = (
  record: FootageRecord
): { readonly task: ProposerTask; readonly played: ReadonlyArray<PlayedTrial> } => {
  const task = taskOf(record)
  const gate = modelGate(task)
  const { reading, sentences } = task.material
  const grounded = trialsOf(record, task).map(({ proposal, swap }) => {
    const { item, path, quote, refs, value } = proposal
    const asked: Proposal = {
      pointer_template: path,
      ...(item === null ? {} : { item_key: item }),
      value,
      quote,
      source_refs: refs.flatMap((ref) => reading.passages[ref]?.source_ref ?? []),
      score: 1,
      proposed_by: "llm:oracle"
    }
    const draft = gate(asked)
    const found = typeof draft === "string" ? undefined : groundDraft(draft, [], task.ground)
    return { swap, draft: typeof draft === "string" || found === undefined ? null : draft, found }
  })
  const all = grounded.flatMap(({ found }) => found ?? [])
  const right = grounded.flatMap(({ found, swap }) => swap === null ? found ?? [] : [])
  const context = proposalContext(reading, sentences, task.plan, all, right)
  const played = grounded.map(({ draft, found, swap }): PlayedTrial => ({
    swap,
    draft,
    features: found === undefined ? null : context.of(found)
  }))
  return { task, played }
}
