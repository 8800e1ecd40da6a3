import type { Schema } from "effect"
import { countsOf, type Evidence, type EvidenceCounts, type EvidenceSpan } from "../../src/artifacts/Evidence.ts"
import { frameId, type Frames } from "../../src/artifacts/Frames.ts"
import type { Graph } from "../../src/artifacts/Graph.ts"
import type { Transcript } from "../../src/artifacts/Transcript.ts"
import type { Vision } from "../../src/artifacts/Vision.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { JobHints, JobSpec } from "../../src/jobs/model/JobSpec.ts"
import type { Precision } from "../../src/jobs/model/Precision.ts"
import type { SourceFacts, Warning } from "../../src/jobs/model/StageIo.ts"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { resultValidator } from "../../src/schemas/json-schema/ResultValidator.ts"
import { registryOf } from "./candidates/EntityRegistry.ts"
import { read, type Reading } from "./candidates/Reading.ts"
import { groundDraft, type GroundedDraft, groundingOf } from "./grounding/Grounding.ts"
import { type HeldBack, heldBack, refused } from "./grounding/HeldBack.ts"
import { withoutLoneMoments, withoutNameless, withoutOuter } from "./grounding/LoneMoments.ts"
import { withoutSharedWords } from "./grounding/SharedWords.ts"
import { judgeByRules, judgeProposal, toldVerdict, type Verdict } from "./judge/Judge.ts"
import { type JudgeContext, judgeContext } from "./judge/JudgeFeatures.ts"
import { proposalContext } from "./judge/ProposalFeatures.ts"
import { heldFromStrict, isTalk, isVerified, sureOf } from "./judge/Strict.ts"
import { untied } from "./judge/Ties.ts"
import type { Trees } from "./judge/Trees.ts"
import { soughtType } from "./lexicon/NameTypes.ts"
import { isTyped } from "./lists/entries/EntryValues.ts"
import { isKnownKind } from "./lists/kinds/ListKinds.ts"
import { isInnerText } from "./lists/records/InnerTexts.ts"
import { SEEN_THINGS } from "./objects/ObjectFields.ts"
import { thingsSeen } from "./objects/SeenThings.ts"
import { beyondPlan, planWithin } from "./PlannedWork.ts"
import { leavesByTemplate } from "./proposers/ModelGate.ts"
import {
  type Effort,
  type KeptPicture,
  type OnSpent,
  proposeBuiltin,
  type Proposer,
  type ProposerAnswer,
  type ProposerTask
} from "./proposers/Proposer.ts"
import { resultConfidence } from "./ranking/Confidence.ts"
import { assemble, type Assembled, SchemaUnsatisfiable } from "./result/Assemble.ts"
import { defaultSpan } from "./result/DefaultSpan.ts"
import { buildGraph } from "./result/Graph.ts"
import { type CitedValue, pathIn } from "./result/ResultEntries.ts"
import { tellUnfilled } from "./result/Unfilled.ts"
import { leavesOf } from "./text/InstanceLeaves.ts"
import type { List } from "./text/Plan.ts"
import { sentencesOf } from "./text/Sentences.ts"
import { makeSourceDocument, sourceConfidence, type Span } from "./text/SourceDocument.ts"
import { isMostlyUnclear, isUnclear, unclearSpeech } from "./text/UnclearSpeech.ts"

export interface ExtractInput {
  readonly json_schema: JsonSchema
  readonly transcript: Transcript
  readonly frames: Frames
  readonly vision: Vision
  readonly facts: SourceFacts
  readonly hints: JobHints
  readonly on_missing: JobSpec["on_missing"]
  readonly precision: Precision
  /** How to read this footage, in the caller's words: for proposers and judges that read words. */
  readonly instructions?: string | undefined
  readonly tenant_id?: string | undefined
  /** Pictures of kept frames, for proposers that look at them. */
  readonly pictures?: ReadonlyArray<KeptPicture> | undefined
}

export interface Extracted {
  readonly result: Schema.Json
  readonly evidence: Evidence
  readonly graph: Graph
  readonly graph_compact: Graph
  readonly result_confidence: number | null
  readonly counts: EvidenceCounts
  readonly warnings: ReadonlyArray<Warning>
}

const failed = (message: string) => new StageFailure({ code: "EXTRACTION_FAILED", message, retryable: false })

const assembled = (schema: JsonSchema, grounded: ReadonlyArray<GroundedDraft>, precision: Precision): Assembled => {
  try {
    return assemble(schema, grounded, { whole: precision === "strict" })
  } catch (error) {
    throw error instanceof SchemaUnsatisfiable ? failed("No value fits the schema.") : error
  }
}

/** Leaves that stand in the result although nothing was found for them: nulls and placeholders that the schema demands. */
const missingLeaves = ({ result, unfilled }: Assembled): ReadonlyArray<string> => {
  const present = new Set(Array.from(leavesOf(result), (leaf) => leaf.pointer))
  return unfilled.filter((pointer) => present.has(pointer))
}

/** A word, a number of two digits, or a price. */
const LEGIBLE =
  /\p{L}{3}|\p{N}{2}|\p{Sc} ?\p{N}|\p{N} ?\p{Sc}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u

/** Mean probability below which what was read on a frame may be texture: nonsense off foliage and roofs had 0.65 to 0.74. */
const LEGIBLE_CONFIDENCE = 0.8

/** Whether anything was read: stray characters of one frame, or those read with doubt, are what a reader makes of texture. */
const hasText = ({ frames }: ExtractInput["vision"]): boolean => {
  const read = new Map<string, number>()
  for (const { text } of frames) {
    const sure = text.filter(({ confidence }) => confidence >= LEGIBLE_CONFIDENCE)
    for (const line of new Set(sure.map((one) => one.text))) {
      const times = (read.get(line) ?? 0) + 1
      if (times > 1 || LEGIBLE.test(line)) return true
      read.set(line, times)
    }
  }
  return false
}

const warningsOf = (
  { transcript, vision }: ExtractInput,
  { document: { language }, passages, suspects }: Reading
): ReadonlyArray<Warning> => {
  const silent = transcript.segments.length === 0
  const blank = !hasText(vision)
  const suspect = passages.filter(({ index }) => suspects.has(index)).map(({ t_start }) => t_start)
  return [
    ...(suspect.length > 0
      ? [{
        code: "SOURCE_GIVES_ORDERS",
        message: `${suspect.length === 1 ? "A passage" : `${suspect.length} passages, the first`} at ${
          Math.min(...suspect)
        } s, written or said as if to the machine that reads: taken for data, worth less than the rest, shown to no language model.`
      }]
      : []),
    ...unclearSpeech(transcript),
    ...(silent && blank
      ? [{ code: "NOTHING_TO_READ", message: "The source has neither audible speech nor readable text." }]
      : []),
    ...(language !== null && !/^en(?:-|$)/u.test(language)
      ? [{
        code: "LANGUAGE_UNSUPPORTED",
        message:
          `Phrases are known in English only; in '${language}' numbers, names, labels and addresses are extracted.`
      }]
      : [])
  ]
}

/** By which id the picture of a cited frame is read. */
const frameOf = (source_ref: string): { readonly frame_id?: string } => {
  const index = /^frame#(\d+)$/u.exec(source_ref)?.[1]
  return index === undefined ? {} : { frame_id: frameId(Number(index)) }
}

const wordConfidenceOf = (span: Span): { readonly word_confidence?: number } =>
  span.passage.channel === "asr" && span.passage.timings.length > 0
    ? { word_confidence: Math.round(sourceConfidence(span) * 1000) / 1000 }
    : {}

/** As many pointers as a person reads; all of them are in the evidence's `unfilled`. */
const mostPointers = 20

/** A value that nobody said looks like any other in the result, so the job itself tells of it. */
const resultWarnings = ({ placeholders: pointers }: Assembled): ReadonlyArray<Warning> => {
  if (pointers.length === 0) return []
  const rest = pointers.length > mostPointers ? ` and ${pointers.length - mostPointers} more` : ""
  const message =
    `Not found, and the schema takes neither null nor nothing there, so the smallest value that it allows stands in the result: ${
      pointers.slice(0, mostPointers).join(", ")
    }${rest}.`
  return [{ code: "PLACEHOLDERS", message, pointers: pointers.slice(0, mostPointers) }]
}

/** A source read for one schema: what proposers work on and what their drafts are checked against. */
const open = (input: ExtractInput): ProposerTask => {
  const document = makeSourceDocument(input)
  const reading = read(document, input.hints.recorded_at)
  const registry = registryOf(reading)
  return {
    plan: planWithin(normaliseDialect(input.json_schema), reading),
    material: { reading, sentences: sentencesOf(document), registry },
    ground: groundingOf(reading, registry),
    things: thingsSeen(input.vision, input.frames),
    pictures: input.pictures,
    tenant_id: input.tenant_id,
    told: {
      participants: input.hints.participants,
      vocabulary: input.hints.vocabulary,
      instructions: input.instructions
    }
  }
}

/** What of the proposed values may come into the result, and what is held back of the others. */
interface Judged {
  readonly judge: JudgeContext
  readonly kept: ReadonlyArray<GroundedDraft>
  readonly held: ReadonlyArray<HeldBack>
}

/** For fitting alone: who is told what each value in the result is judged by, and trees to choose by, with which nothing is held back. */
export interface Fitting {
  readonly choice?: Trees
  readonly observe: (
    placed: ReadonlyArray<{ readonly pointer: string; readonly features: ReadonlyArray<number> }>
  ) => void
}

/** Whether the rules' judge may speak: it was fitted on what the built-in extractor proposes of words. */
const isBuiltin = ({ proposed_by }: GroundedDraft): boolean =>
  proposed_by !== SEEN_THINGS && /^(?:ranker$|rules:|list:)/u.test(proposed_by)

/** Grounds every draft and lets somebody other than its proposer judge it: here and nowhere else a leaf is held back. */
const judged = (
  { precision }: ExtractInput,
  { ground, material, plan }: ProposerTask,
  { below, drafts, held: given = [], rivals }: ProposerAnswer,
  holds: boolean
): Judged => {
  const held: Array<HeldBack> = [...given]
  const grounded = drafts.flatMap((draft) => {
    const found = groundDraft(draft, rivals.get(draft.pointer_template) ?? [], ground)
    if (found === undefined && ground.reading.suspects.get(draft.span.passage.index) !== "forged") {
      held.push(refused(draft))
    }
    return found ?? []
  })
  const ruled = grounded.filter((one) => isBuiltin(one) && one.checks.judged_by === null)
  const judge = judgeContext(ground.reading, material.sentences, plan, ruled)
  const unjudged = grounded.filter((one) => !isBuiltin(one) && one.checks.judged_by === null)
  const proposals = unjudged.length === 0
    ? undefined
    : proposalContext(
      ground.reading,
      material.sentences,
      plan,
      unjudged,
      grounded.filter((one) => one.proposed_by !== SEEN_THINGS)
    )
  const verdictOf = (found: GroundedDraft): Verdict =>
    // A model's own judge, or the measure of a detector, has spoken already.
    found.checks.judged_by !== null
      ? isBuiltin(found)
        ? toldVerdict(judge, found, found.proposed_by.startsWith("rules:") || isKnownKind(found.proposed_by))
        : found.checks
      : isBuiltin(found)
      ? judgeByRules(judge, found)
      : judgeProposal(proposals!, found)
  const { passages, unclear } = ground.reading
  const talk = isTalk(passages)
  const leaves = leavesByTemplate(plan)
  const kept = grounded.flatMap((found) => {
    const { answers, hold: unlikely, judged_by } = verdictOf(found)
    // What the screen shows as well does not rest on what was hardly heard.
    if (found.modality !== "both" && isUnclear(found.span, unclear, precision)) {
      held.push(heldBack(found, "source_unclear"))
      return []
    }
    const checks = { ...found.checks, answers, judged_by }
    const leaf = leaves.get(found.pointer_template)
    const astray = leaf === undefined || !isBuiltin(found)
      ? undefined
      : untied(material, leaf, found, precision === "strict")
    const sure = isBuiltin(found) ? sureOf(found, answers!) : undefined
    const inStrict = precision === "strict" ? sure : undefined
    const hold = inStrict ? heldFromStrict({ ...found, checks }, () => judge.of(found), inStrict, talk) : unlikely
    const isGiven = hold === undefined && astray === undefined
    const confidence = sure !== undefined
      ? sure.confidence
      : found.checks.judged_by === null
      ? answers!
      : found.confidence
    const verified = isVerified({ ...found, checks }, precision)
    const verdict = { ...found, confidence, checks, verified }
    if (!holds || isGiven) return [verdict]
    held.push(heldBack(verdict, hold?.reason ?? "refused", astray ?? hold?.because))
    return []
  })
  const unsure = below.flatMap((draft) => groundDraft(draft, [], ground) ?? [])
  const behind = unsure.map((found) =>
    heldBack(found, isUnclear(found.span, unclear, precision) ? "source_unclear" : "below_threshold")
  )
  const all = { kept, held: [...held, ...behind] }
  const told = withoutLoneMoments(holds ? withoutSharedWords(all) : all)
  if (precision !== "strict" || !holds) return { judge, ...withoutOuter(told) }
  const isText = (template: string): boolean => {
    const leaf = leaves.get(template)
    return leaf !== undefined && !isTyped(leaf)
  }
  return { judge, ...withoutOuter(withoutNameless(told, isText)) }
}

const withNested = (list: List): ReadonlyArray<List> => [list, ...list.nested.flatMap(withNested)]
const withInnerTexts = (list: List): ReadonlyArray<List> => [list, ...list.nested.filter(isInnerText)]

/** Grounds and judges every draft, assembles what is left and checks the whole. */
const conclude = (input: ExtractInput, task: ProposerTask, answer: ProposerAnswer, fitting?: Fitting): Extracted => {
  const { ground, material, plan } = task
  const { registry, reading, sentences } = material
  const { held, judge, kept } = judged(input, task, answer, fitting?.choice === undefined)
  const built = assembled(input.json_schema, kept, input.precision)
  fitting?.observe(
    built.placed.map(({ pointer, proposal }) => ({ pointer, features: judge.of(kept[proposal]!) }))
  )
  const misfit = resultValidator(input.json_schema)(built.result)
  if (misfit !== undefined) throw failed(`The result does not fit the schema at '${misfit.path}': ${misfit.message}.`)
  const missing = input.on_missing === "fail" ? missingLeaves(built) : []
  if (missing.length > 0) throw failed(`Not found, but required: ${missing.slice(0, 10).join(", ")}.`)

  const leaves = leavesByTemplate(plan)
  const cited = built.placed.map(({ pointer, proposal, value }): CitedValue => {
    const { pointer_template, span } = kept[proposal]!
    const leaf = leaves.get(pointer_template)
    return {
      path: pathIn(built.result, pointer),
      value,
      span,
      seeks: leaf?.type === "string" ? soughtType(leaf) : null
    }
  })
  const graph = buildGraph(reading, registry, sentences, ground.heard, cited, answer.graph)
  const found = built.placed.map(({ pointer, proposal, value }): EvidenceSpan => {
    const {
      formula,
      item_key: _item,
      pointer_template: _template,
      score: _score,
      source_refs: _refs,
      span,
      ...evidence
    } = kept[proposal]!
    return {
      ...evidence,
      ...(formula === undefined ? {} : { formula }),
      pointer,
      value,
      ...frameOf(evidence.source_ref),
      ...wordConfidenceOf(span),
      node_id: graph.nodeOf(span),
      // The schema's own spelling of a verbatim value is another spelling than the quote's.
      support: evidence.support === "verbatim" && value !== evidence.value ? "normalised" : evidence.support
    }
  })
  const at = new Map([...found, ...built.defaults.map(defaultSpan)].map((span) => [span.pointer, span]))
  const spans = Array.from(leavesOf(built.result)).flatMap(({ pointer }) => at.get(pointer) ?? [])
  const misfits = built.unplaced.map((proposal) => heldBack(kept[proposal]!, "refused", "The schema does not take it."))
  const looked = { ...plan, lists: plan.lists.flatMap(answer.nested === true ? withNested : withInnerTexts) }
  const unfilled = tellUnfilled(built, kept, { held, misfits }, looked, {
    isBeyond: beyondPlan(plan),
    isUnclear: isMostlyUnclear(reading.passages, reading.unclear)
  })
  const counts = countsOf(spans, unfilled)
  return {
    result: built.result,
    evidence: { spans, unfilled, counts },
    graph: graph.canonical,
    graph_compact: graph.compact,
    result_confidence: resultConfidence(found.map((span) => span.confidence)),
    counts,
    warnings: [...warningsOf(input, reading), ...resultWarnings(built)]
  }
}

/**
 * Turns what a source says and shows into a value that fits the schema, with one verified span for every value in it: the
 * same input gives the same bytes. A value whose words do not carry it is left out and told in `unfilled`. Throws a
 * `StageFailure` `EXTRACTION_FAILED`, not retryable, where the schema has no instance, where the result does not fit it in an independent
 * validator, and, with `on_missing: "fail"`, where a leaf that the schema requires was not found.
 */
export const extract = (input: ExtractInput, fitting?: Fitting): Extracted => {
  const task = open(input)
  return conclude(
    input,
    task,
    proposeBuiltin(task, fitting?.choice, fitting?.choice === undefined ? undefined : null),
    fitting
  )
}

/** The same with drafts of any proposer, which may fail as it says, and what proposing took. */
export const extractBy = async (
  proposer: Proposer,
  input: ExtractInput,
  signal: AbortSignal,
  onSpent?: OnSpent
): Promise<Extracted & Effort> => {
  const task = open(input)
  const answer = await proposer(task, signal, onSpent)
  const extracted = conclude(input, task, answer)
  const { asked, cost, model_seconds, models, tokens } = answer
  const warnings = [...extracted.warnings, ...answer.warnings]
  return { ...extracted, warnings, models, model_seconds, tokens, cost, ...(asked === undefined ? {} : { asked }) }
}
