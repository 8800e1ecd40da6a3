import { roundSeconds } from "../../../../src/artifacts/Moment.ts"
import { type JobFailureCode, StageFailure } from "../../../../src/jobs/model/JobFailure.ts"
import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import type { Warning } from "../../../../src/jobs/model/StageIo.ts"
import { jsonDigest } from "../../../../src/manifests/JsonDigest.ts"
import type { Draft } from "../../grounding/Draft.ts"
import type { HeldBack } from "../../grounding/HeldBack.ts"
import type { Proposal } from "../../grounding/Proposal.ts"
import { type Passage, quoteOf } from "../../text/SourceDocument.ts"
import { heldByGate } from "../HeldByGate.ts"
import { modelGate } from "../ModelGate.ts"
import type { Proposed } from "../Propose.ts"
import { draftsOfUnits, proposeBuiltin, type Proposer, type ProposerTask, unitOf } from "../Proposer.ts"
import { type WireProposal, wireSchema } from "./LlmAnswer.ts"
import { makeLlmClient } from "./LlmClient.ts"
import type { ChatRequest, ServedBy } from "./LlmDialect.ts"
import type { LlmEndpoint } from "./LlmEndpoint.ts"
import { askGraph, GRAPH_ABOUT, GRAPH_PROMPT } from "./LlmGraph.ts"
import { JUDGE_RULES, type Judged, judgeDrafts, objection } from "./LlmJudge.ts"
import { openLedger } from "./LlmLedger.ts"
import { estimateTokens, groups, type Unit, unitsOf } from "./LlmParts.ts"
import { makePictures, NO_PICTURES, PICTURE_RULES } from "./LlmPictures.ts"
import { inTime, messagesOf, RULES } from "./LlmPrompt.ts"
import { makeQuestions, type Said, type Trouble } from "./LlmQuestions.ts"
import { type Asking, recording, replaying, requestDigest, requestsDigest } from "./LlmRecord.ts"
import { allUnits, reduceDrafts } from "./LlmReduce.ts"
import { repair, type Yield } from "./LlmRepair.ts"
import { searchedParts } from "./LlmSearch.ts"
import { type ServerFacts, UNKNOWN_SERVER } from "./LlmServer.ts"

/** A job waits no longer for a model: its stage has twice as long. */
const MOST_SECONDS = 900
/** A model's score only ranks: the built-in proposer fills no leaf that a model has filled. */
const SCORE = 0.95
const NOTHING: Proposed = { drafts: [], rivals: new Map(), below: [] }

const wildCards = (path: string): number => path.split("/*").length - 1

/**
 * The key of the entry that a value belongs to, told apart by the call that named it. Of an array inside an entry it has a part
 * for each of both, and what the model leaves out of the inner one is its value.
 */
const keyOf = (call: string, { item, path, refs, value }: WireProposal, known: ReadonlySet<string>): string | null => {
  const depth = wildCards(path)
  if (path.endsWith("/{}")) return item
  if (depth === 0) return null
  const entry = item ?? `line ${refs[0] ?? ""}`
  const own = (outer: string): string => known.has(outer) ? outer : `${call}:${outer.replaceAll("/", "∕")}`
  if (depth === 1) return known.has(entry) ? entry : own(entry)
  // An entry whose own name has a slash is known by then from its other fields.
  const named = Array.from(known).map((one) => one.slice(`${call}:`.length).replaceAll("∕", "/"))
    .filter((one) => entry === one || entry.startsWith(`${one}/`)).toSorted((a, b) => b.length - a.length)[0]
  const outer = named ?? entry.split("/")[0]!
  const inner = entry.slice(outer.length + 1)
  const last = inner === "" ? String(value) : inner
  const parts = depth === 2 ? [last.replaceAll("/", "∕")] : last.split("/")
  return [own(outer), ...parts].join("/")
}

/** What a model said, with sources by name and entries told apart by the call that named them. */
const proposalsOf = (
  { material }: ProposerTask,
  { call, proposals }: Said,
  known: ReadonlySet<string>,
  model: string
): ReadonlyArray<Proposal> =>
  // Outer entries are named before what is inside of them.
  proposals.toSorted((a, b) => wildCards(a.path) - wildCards(b.path)).flatMap((one): ReadonlyArray<Proposal> => {
    const { formula, path, quote, refs, value } = one
    const sources = refs.flatMap((ref) => material.reading.passages[ref]?.source_ref ?? [])
    const item_key = keyOf(call, one, known)
    return [{
      pointer_template: path,
      ...(item_key === null ? {} : { item_key }),
      value,
      quote,
      source_refs: Array.from(new Set(sources)),
      ...(formula === undefined ? {} : { formula }),
      score: SCORE,
      proposed_by: `llm:${model}`
    }]
  })

/** What the judge objected to, with the words that the proposer took it from. */
const heldByJudge = (
  { item_key, pointer_template, span, value }: Draft,
  { answers }: Judged,
  refused_because: string
): HeldBack => ({
  pointer_template,
  item_key,
  reason: "refused",
  candidate: {
    value,
    confidence: answers,
    quote: quoteOf(span),
    source_ref: span.passage.source_ref,
    t_start: span.passage.t_start,
    t_end: span.passage.t_end,
    refused_because
  }
})

/** How a server that cuts prompts is made to read more. */
const CURE =
  "give it more (of Ollama OLLAMA_CONTEXT_LENGTH, or PARAMETER num_ctx in the model's file), or lower FOOTNOTE_LLM_CHUNK_TOKENS"

/** Tokens that a short answer takes. */
const ANSWER_TOKENS = 1024
const LEAST_CHUNK_TOKENS = 256

/** As much of a source at once as a server that cuts prompts reads beside the questions. */
const chunkWithin = ({ context_tokens, cuts }: ServerFacts, wish: number, fields: number): number =>
  cuts && context_tokens !== null
    ? Math.min(wish, Math.max(LEAST_CHUNK_TOKENS, context_tokens - ANSWER_TOKENS - fields))
    : wish

/** As long as a prompt to the judge may be: what it cites is no more of a source than is read at once. */
const judgeTokens = ({ context_tokens, cuts }: ServerFacts, wish: number): number =>
  cuts && context_tokens !== null ? Math.min(wish, context_tokens - ANSWER_TOKENS) : wish

const contextWarnings = (
  { context_tokens }: ServerFacts,
  wish: number,
  parts: { readonly chunk_tokens: number; readonly needed: number }
): ReadonlyArray<Warning> =>
  parts.chunk_tokens >= Math.min(wish, parts.needed) ? [] : [{
    code: "LLM_CONTEXT_SMALL",
    message:
      `The language model's server reads ${context_tokens} tokens at once, so the source was sent in parts of ${parts.chunk_tokens} instead of ${wish} tokens: ${CURE}.`
  }]

const warningsOf = (troubles: ReadonlyArray<Trouble>, asked: number, unanswered: number): ReadonlyArray<Warning> => {
  const away = troubles.find((trouble) => trouble.kind === "away")
  const failed = troubles.find((trouble) => trouble.kind === "failed")
  const cut = troubles.find((trouble) => trouble.kind === "prompt cut")
  const nothing = troubles.find((trouble) => trouble.kind === "nothing")
  const fields = `${unanswered} of ${asked} fields and lists`
  const rest = unanswered === 0
    ? "what it left out stays unfilled"
    : `the built-in extractor took ${unanswered === asked ? "its place" : `over where ${fields} stayed open`}`
  const of = (kind: Trouble["kind"]): boolean => troubles.some((one) => one.kind === kind)
  return [
    ...(of("budget") ? [{ code: "LLM_BUDGET_SPENT", message: `The tokens of a job are spent: ${rest}.` }] : []),
    ...(away === undefined || of("budget")
      ? []
      : [{ code: "LLM_UNAVAILABLE", message: `The language model is away (${away.message}): ${rest}.` }]),
    ...(of("refused") ? [{ code: "LLM_REFUSED", message: `The language model refused to answer: ${rest}.` }] : []),
    ...(failed === undefined || of("budget") || away !== undefined
      ? []
      : [{
        code: "LLM_INCOMPLETE",
        message: `The language model did not answer everything (${failed.message}): ${rest}.`
      }]),
    ...(cut === undefined ? [] : [{
      code: "LLM_PROMPT_CUT",
      message:
        `The language model read ${cut.read} of about ${cut.sent} tokens that it was sent, so parts of the source are missing: ${CURE}.`
    }]),
    ...(nothing === undefined ? [] : [{
      code: "LLM_FOUND_NOTHING",
      message: `The language model found no field at all in ${nothing.lines} lines of the source.`
    }])
  ]
}

const UNJUDGED: Warning = {
  code: "LLM_INCOMPLETE",
  message: "The language model took no second look at its values: none of them is verified by it."
}

/** The result is whole without it, so it costs no job anything. */
const graphWarnings = (troubles: ReadonlyArray<Trouble>): ReadonlyArray<Warning> => {
  const grave = troubles.find(({ kind }) => kind !== "prompt cut" && kind !== "nothing")
  if (grave === undefined) return []
  const why = grave.kind === "budget"
    ? "the tokens of the job are spent"
    : grave.kind === "refused"
    ? "it refused"
    : "message" in grave
    ? grave.message
    : ""
  return [{
    code: "LLM_INCOMPLETE",
    message: `The language model did not read everything for the graph (${why}): the rest is left to rules.`
  }]
}

const forbidden = (troubles: ReadonlyArray<Trouble>): StageFailure => {
  const code: JobFailureCode = "MODEL_UNAVAILABLE"
  const [trouble] = troubles
  const why = trouble === undefined || trouble.kind === "budget"
    ? "the tokens of a job are spent"
    : trouble.kind === "refused"
    ? "it refused"
    : "message" in trouble
    ? trouble.message
    : "nothing"
  const retryable = troubles.every((one) => one.kind === "failed" || (one.kind === "away" && one.retryable))
  // An endpoint that is away answers no job: there is no attempt in that.
  const away = retryable && troubles.every((one) => one.kind === "away")
  return new StageFailure({
    code,
    message: `The language model did not answer: ${why}.`,
    retryable,
    ...(away ? { fault: "model_endpoint" as const } : {})
  })
}

/** The words that all questions have, by which two versions of them are told apart. */
const PROMPTS = jsonDigest([RULES, wireSchema([]), JUDGE_RULES, PICTURE_RULES, GRAPH_PROMPT]).jcs_sha256

/** The same client, and what was asked of it and who answered, for the manifest. */
const noting = (client: Partial<Asking> & Pick<Asking, "ask">, model: string) => {
  const digests: Array<string> = []
  let pictures = 0
  const served = new Map<string, ServedBy>()
  return {
    ask: async (asked: ChatRequest, signal: AbortSignal) => {
      const answer = await client.ask(asked, signal)
      digests.push(requestDigest(model, asked))
      if (answer.unseen !== true) pictures += asked.pictures?.length ?? 0
      if (answer.served_by !== undefined) served.set(JSON.stringify(answer.served_by), answer.served_by)
      return answer
    },
    noted: () => ({
      prompts: { jcs_sha256: PROMPTS },
      requests: digests.length,
      ...(pictures === 0 ? {} : { pictures_shown: pictures }),
      requests_sha256: requestsDigest(digests),
      served_by: Array.from(served).toSorted(([a], [b]) => a < b ? -1 : 1).map(([, { build, model }]) => ({
        model,
        build
      }))
    })
  }
}

/** Whether pictures go along: to a vendor only where the operator says so. */
const shows = ({ pictures = "false" }: LlmEndpoint, server: ServerFacts): boolean =>
  pictures === "true" || (pictures === "auto" && server.pictures === true)

const clientOf = (endpoint: LlmEndpoint): Asking => {
  const { model, record, replay } = endpoint
  if (replay !== undefined) return replaying(model, replay)
  const client = makeLlmClient(endpoint)
  return record === undefined ? client : recording(client, model, record)
}

/**
 * Proposes by a model behind an OpenAI-compatible endpoint: asked in parts, joined by code. Its words come through the
 * model's gate or not at all; what the gate refuses although the source has it is asked again twice, and then stays
 * unfilled. It is shown no line that gives orders. Leaves that it never answered or that are computed are the built-in
 * proposer's, with a warning where the endpoint was to blame, unless `fallback` is `fail`: then it rejects with `MODEL_UNAVAILABLE`. What a
 * model leaves out stays unfilled.
 */
export const makeLlmProposer = (
  endpoint: LlmEndpoint,
  client: Partial<Asking> & Pick<Asking, "ask"> = clientOf(endpoint),
  most_seconds = MOST_SECONDS
): Proposer =>
async (task, signal, onSpent) => {
  const units = unitsOf(task.plan)
  const { passages: all, suspects } = task.material.reading
  const passages = all.filter(({ index }) => !suspects.has(index)).toSorted(inTime)
  if (units.length === 0 || passages.length === 0) return proposeBuiltin(task)

  const ledger = openLedger(endpoint, client.local === undefined ? onSpent : undefined)
  const told = { ...task.told, recordedAt: task.ground.recordedAt, about: task.plan.about }
  const server = await client.server?.(signal) ?? UNKNOWN_SERVER
  const noted = noting(client, endpoint.model)
  const asking = {
    client: noted,
    ledger,
    told,
    pictures: shows(endpoint, server) ? makePictures(task) : NO_PICTURES,
    ...(server.cuts && server.context_tokens !== null ? { context_tokens: server.context_tokens } : {}),
    signal,
    deadline: AbortSignal.timeout(most_seconds * 1000)
  }
  const questions = makeQuestions(asking)
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

  const tokensOf = (passages: ReadonlyArray<Passage>, units: ReadonlyArray<Unit>): number =>
    messagesOf({ units, passages }, told).reduce((sum, { content }) => sum + estimateTokens(content), 0)
  const most_fields = Math.max(...groups(units).map((some) => tokensOf([], some)))
  const chunk_tokens = chunkWithin(server, endpoint.chunk_tokens, most_fields)
  const judge_tokens = judgeTokens(server, endpoint.chunk_tokens)
  const needed = tokensOf(passages, [])
  const sought = await searchedParts(units, passages, chunk_tokens, task.search)
  const { said, unanswered } = await questions.askAll(sought.parts, endpoint.concurrency)
  const grave = questions.troubles.filter(({ kind }) => kind !== "prompt cut" && kind !== "nothing")
  if (endpoint.fallback === "fail" && grave.length > 0) throw forbidden(grave)
  const sorted = sort(said)
  await repair(task, sorted, units, questions, sort)

  const spoken = new Set(said.flatMap(({ proposals }) => proposals.map(({ path }) => unitOf(path))))
  const open = new Set(unanswered.map(({ template }) => template))
  const asked = new Set(units.map(({ template }) => template))
  // What the gate refused stays refused: a guess in its place would look like the model's answer.
  const left = new Set(allUnits(task.plan).filter((unit) => !asked.has(unit) || (open.has(unit) && !spoken.has(unit))))
  const builtin = left.size === 0 ? undefined : proposeBuiltin(task)
  const reduced = reduceDrafts(task, sorted.drafts)
  const asserted = reduced.drafts.filter(({ derived }) => derived === undefined)
  const verdicts = endpoint.judge === false
    ? new Map<Draft, Judged>()
    : await judgeDrafts(task, asserted, judge_tokens, questions.call)
  const objected: Array<HeldBack> = []
  const own = {
    ...reduced,
    drafts: reduced.drafts.flatMap((draft): ReadonlyArray<Draft> => {
      const judged = verdicts.get(draft)
      const why = judged === undefined ? undefined : objection(judged)
      if (why !== undefined) {
        objected.push(heldByJudge(draft, judged!, why))
        return []
      }
      return [judged === undefined ? draft : { ...draft, verdict: { answers: judged.answers, judged_by: "model" } }]
    })
  }
  const asksGraph = endpoint.graph === true && said.length > 0 && !questions.stopped()
  const graph_questions = makeQuestions({ ...asking, pictures: NO_PICTURES, told: { ...told, about: GRAPH_ABOUT } })
  const graph = asksGraph
    ? await askGraph(task, graph_questions, {
      passages,
      chunk_tokens,
      concurrency: endpoint.concurrency,
      judges: endpoint.judge !== false,
      judge_tokens,
      toDrafts: (told, graphGate) => {
        const named = new Set<string>()
        return told.flatMap((one) => proposalsOf(task, one, named, endpoint.model)).flatMap((proposal) => {
          const draft = graphGate(proposal)
          return typeof draft === "string" ? [] : [draft]
        })
      }
    })
    : undefined
  const rest = builtin === undefined ? NOTHING : draftsOfUnits(builtin, left)
  const local = client.local?.()
  const searching = task.search?.took()
  const used: ModelRun = local?.run ?? { role: "extract", name: endpoint.model, execution_provider: "remote" }
  return {
    drafts: [...own.drafts, ...rest.drafts],
    rivals: new Map([...own.rivals, ...rest.rivals]),
    below: rest.below,
    held: [...objected, ...heldByGate(task, sorted.refused)],
    models: [
      ...(said.length > 0 ? [used] : []),
      ...(searching?.runs ?? []),
      ...(rest.drafts.length > 0 || said.length === 0 ? builtin?.models ?? [] : [])
    ],
    model_seconds: roundSeconds((local?.seconds ?? 0) + (searching?.seconds ?? 0)),
    // What is computed here is counted in seconds.
    ...(local === undefined ? ledger.spent() : { tokens: 0, cost: 0 }),
    asked: noted.noted(),
    nested: said.length > 0,
    ...(graph === undefined ? {} : { graph }),
    warnings: [
      ...sought.warnings,
      ...warningsOf(
        // Of a long source some parts may well answer no field.
        spoken.size === 0 ? questions.troubles : questions.troubles.filter(({ kind }) => kind !== "nothing"),
        units.length,
        Array.from(asked).filter((unit) => left.has(unit)).length
      ),
      ...(endpoint.judge !== false && asserted.length > 0 && verdicts.size === 0 ? [UNJUDGED] : []),
      ...graphWarnings(graph_questions.troubles),
      ...contextWarnings(server, endpoint.chunk_tokens, { chunk_tokens, needed })
    ]
  }
}
