import { type JobFailureCode, StageFailure } from "../../../../src/jobs/model/JobFailure.ts"
import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import type { Warning } from "../../../../src/jobs/model/StageIo.ts"
import type { Proposal } from "../../grounding/Proposal.ts"
import { heldByGate } from "../HeldByGate.ts"
import { modelGate } from "../ModelGate.ts"
import { draftsOfUnits, proposeBuiltin, type Proposer, type ProposerTask, unitOf } from "../Proposer.ts"
import { type LlmClient, makeLlmClient } from "./LlmClient.ts"
import type { LlmEndpoint } from "./LlmEndpoint.ts"
import { openLedger } from "./LlmLedger.ts"
import { partsOf, unitsOf } from "./LlmParts.ts"
import { makeQuestions, type Said, type Trouble } from "./LlmQuestions.ts"
import { allUnits, reduceDrafts } from "./LlmReduce.ts"
import { repair, type Yield } from "./LlmRepair.ts"

/** A job waits no longer for a model: its stage has twice as long. */
const MOST_SECONDS = 900
/** A model's score only ranks: the built-in proposer fills no leaf that a model has filled. */
const SCORE = 0.95
/** What a model said, with sources by name and entries told apart by the call that named them. */
const proposalsOf = (
  { material }: ProposerTask,
  { call, proposals }: Said,
  known: ReadonlySet<string>,
  model: string
): ReadonlyArray<Proposal> =>
  proposals.map(({ item, path, quote, refs, value }): Proposal => {
    const sources = refs.flatMap((ref) => material.reading.passages[ref]?.source_ref ?? [])
    const entry = path.includes("/*/") ? item ?? `line ${refs[0] ?? ""}` : path.endsWith("/{}") ? item : null
    const item_key = entry === null || path.endsWith("/{}") || known.has(entry) ? entry : `${call}:${entry}`
    return {
      pointer_template: path,
      ...(item_key === null ? {} : { item_key }),
      value,
      quote,
      source_refs: Array.from(new Set(sources)),
      score: SCORE,
      proposed_by: `llm:${model}`
    }
  })

const warningsOf = (troubles: ReadonlyArray<Trouble>, asked: number, unanswered: number): ReadonlyArray<Warning> => {
  const away = troubles.find((trouble) => trouble.kind === "away")
  const failed = troubles.find((trouble) => trouble.kind === "failed")
  const fields = `${unanswered} of ${asked} fields and lists`
  const rest = `the built-in extractor took ${unanswered === asked ? "its place" : `over where ${fields} stayed open`}`
  if (troubles.some(({ kind }) => kind === "budget")) {
    return [{ code: "LLM_BUDGET_SPENT", message: `The tokens of a job are spent: ${rest}.` }]
  }
  if (away !== undefined) {
    return [{ code: "LLM_UNAVAILABLE", message: `The language model is away (${away.message}): ${rest}.` }]
  }
  return failed === undefined
    ? []
    : [{
      code: "LLM_INCOMPLETE",
      message: `The language model did not answer everything (${failed.message}): ${rest}.`
    }]
}

const forbidden = (troubles: ReadonlyArray<Trouble>): StageFailure => {
  const code: JobFailureCode = "MODEL_UNAVAILABLE"
  const [trouble] = troubles
  const why = trouble === undefined || trouble.kind === "budget" ? "the tokens of a job are spent" : trouble.message
  const retryable = troubles.every((one) => one.kind !== "budget" && (one.kind === "failed" || one.retryable))
  // An endpoint that is away answers no job: there is no attempt in that.
  const away = retryable && troubles.every((one) => one.kind === "away")
  return new StageFailure({
    code,
    message: `The language model did not answer: ${why}.`,
    retryable,
    ...(away ? { fault: "model_endpoint" as const } : {})
  })
}

/**
 * Proposes by a model behind an OpenAI-compatible endpoint: asked in parts, joined by code. Its words come through the
 * model's gate or not at all; what the gate refuses although the source has it is asked again twice. It is shown no line
 * that gives orders. Leaves that it failed at, that it never answered or that are computed are the built-in proposer's, with
 * a warning where the endpoint was to blame, unless `fallback` is `fail`: then it rejects with `MODEL_UNAVAILABLE`. What a
 * model leaves out stays unfilled.
 */
export const makeLlmProposer = (
  endpoint: LlmEndpoint,
  client: Pick<LlmClient, "ask"> = makeLlmClient(endpoint),
  most_seconds = MOST_SECONDS
): Proposer =>
async (task, signal, onSpent) => {
  const builtin = proposeBuiltin(task)
  const units = unitsOf(task.plan)
  const { passages: all, suspects } = task.material.reading
  const passages = all.filter(({ index }) => !suspects.has(index))
  if (units.length === 0 || passages.length === 0) return builtin

  const ledger = openLedger(endpoint, onSpent)
  const questions = makeQuestions({
    client,
    ledger,
    recordedAt: task.ground.recordedAt,
    signal,
    deadline: AbortSignal.timeout(most_seconds * 1000)
  })
  const gate = modelGate(task)
  const known = new Set<string>()
  const sort = (said: ReadonlyArray<Said>): Yield => {
    const out: Yield = { drafts: [], refused: [] }
    for (const proposal of said.flatMap((one) => proposalsOf(task, one, known, endpoint.model))) {
      const judged = gate(proposal)
      if (typeof judged === "string") out.refused.push({ proposal, refusal: judged })
      else out.drafts.push(judged)
      if (proposal.item_key !== undefined) known.add(proposal.item_key)
    }
    return out
  }

  const { said, unanswered } = await questions.askAll(
    partsOf(units, passages, endpoint.chunk_tokens),
    endpoint.concurrency
  )
  if (endpoint.fallback === "fail" && questions.troubles.length > 0) throw forbidden(questions.troubles)
  const sorted = sort(said)
  await repair(task, sorted, units, questions, sort)

  const filled = new Set(sorted.drafts.map(({ pointer_template }) => unitOf(pointer_template)))
  const tried = new Set(sorted.refused.map(({ proposal }) => unitOf(proposal.pointer_template)))
  const open = new Set(unanswered.map(({ template }) => template))
  const asked = new Set(units.map(({ template }) => template))
  const left = new Set(
    allUnits(task.plan).filter((unit) => !asked.has(unit) || (!filled.has(unit) && (tried.has(unit) || open.has(unit))))
  )
  const own = reduceDrafts(task, sorted.drafts)
  const rest = draftsOfUnits(builtin, left)
  const used: ModelRun = { role: "extract", name: endpoint.model, execution_provider: "remote" }
  return {
    drafts: [...own.drafts, ...rest.drafts],
    rivals: new Map([...own.rivals, ...rest.rivals]),
    below: rest.below,
    held: heldByGate(task, sorted.refused),
    models: [
      ...(said.length > 0 ? [used] : []),
      ...(rest.drafts.length > 0 || said.length === 0 ? builtin.models : [])
    ],
    model_seconds: 0,
    ...ledger.spent(),
    warnings: warningsOf(questions.troubles, units.length, Array.from(asked).filter((unit) => left.has(unit)).length)
  }
}
