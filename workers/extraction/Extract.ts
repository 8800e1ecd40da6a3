import type { Schema } from "effect"
import type { Evidence, EvidenceSpan } from "../../src/artifacts/Evidence.ts"
import { frameId, type Frames } from "../../src/artifacts/Frames.ts"
import type { Graph } from "../../src/artifacts/Graph.ts"
import type { Transcript } from "../../src/artifacts/Transcript.ts"
import type { Vision } from "../../src/artifacts/Vision.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { JobHints, JobSpec } from "../../src/jobs/model/JobSpec.ts"
import type { SourceFacts, Warning } from "../../src/jobs/model/StageIo.ts"
import type { JsonSchema } from "../../src/schemas/json-schema/JsonSchema.ts"
import { normaliseDialect } from "../../src/schemas/json-schema/JsonSchemaDialect.ts"
import { resultValidator } from "../../src/schemas/json-schema/ResultValidator.ts"
import { castOf } from "./candidates/Cast.ts"
import { read, type Reading } from "./candidates/Reading.ts"
import { groundDraft, type GroundedDraft, groundOf } from "./grounding/Ground.ts"
import { planWithin, toldByBudget } from "./PlannedWork.ts"
import type { Proposed } from "./proposers/Propose.ts"
import { type Effort, type OnSpent, proposeBuiltin, type Proposer, type ProposerTask } from "./proposers/Proposer.ts"
import { resultConfidence } from "./ranking/Confidence.ts"
import { assemble, type Assembled, SchemaUnsatisfiable } from "./result/Assemble.ts"
import { buildGraph } from "./result/Graph.ts"
import { leavesOf } from "./text/InstanceLeaves.ts"
import { sentencesOf } from "./text/Sentences.ts"
import { makeSourceDocument, sourceConfidence, type Span } from "./text/SourceDocument.ts"
import { unclearSpeech } from "./text/UnclearSpeech.ts"

export interface ExtractInput {
  readonly json_schema: JsonSchema
  readonly transcript: Transcript
  readonly frames: Frames
  readonly vision: Vision
  readonly facts: SourceFacts
  readonly hints: JobHints
  readonly on_missing: JobSpec["on_missing"]
}

export interface Extracted {
  readonly result: Schema.Json
  readonly evidence: Evidence
  readonly graph: Graph
  readonly graph_compact: Graph
  readonly result_confidence: number | null
  readonly warnings: ReadonlyArray<Warning>
}

const failed = (message: string): StageFailure =>
  new StageFailure({ code: "EXTRACTION_FAILED", message, retryable: false })

const assembled = (schema: JsonSchema, grounded: ReadonlyArray<GroundedDraft>): Assembled => {
  try {
    return assemble(schema, grounded)
  } catch (error) {
    throw error instanceof SchemaUnsatisfiable ? failed("No value fits the schema.") : error
  }
}

/** Leaves that stand in the result although nothing was found for them: nulls and placeholders that the schema demands. */
const missingLeaves = ({ result, unfilled }: Assembled): ReadonlyArray<string> => {
  const present = new Set(Array.from(leavesOf(result), (leaf) => leaf.pointer))
  const missing = unfilled.filter(({ reason }) => reason !== "default" && reason !== "constant")
  return missing.map(({ pointer }) => pointer).filter((pointer) => present.has(pointer))
}

const warningsOf = (
  { transcript, vision }: ExtractInput,
  { document: { language }, passages, suspects }: Reading
): ReadonlyArray<Warning> => {
  const silent = transcript.segments.length === 0
  const blank = vision.frames.every((frame) => frame.text.length === 0)
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
const resultWarnings = ({ unfilled }: Assembled): ReadonlyArray<Warning> => {
  const pointers = unfilled.filter(({ reason }) => reason === "placeholder").map(({ pointer }) => pointer)
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
  const reading = read(document)
  const cast = castOf(reading)
  return {
    plan: planWithin(normaliseDialect(input.json_schema), reading),
    material: { reading, sentences: sentencesOf(document), cast },
    ground: groundOf(reading, cast, input.hints.recorded_at)
  }
}

/** The one gate: grounds and verifies every draft, assembles what is left and checks the whole. */
const conclude = (
  input: ExtractInput,
  { ground, material, plan }: ProposerTask,
  { drafts, rivals }: Proposed
): Extracted => {
  const { cast, reading, sentences } = material
  const grounded = drafts.flatMap((draft) => groundDraft(draft, rivals.get(draft.pointer_template) ?? [], ground) ?? [])
  const built = assembled(input.json_schema, grounded)
  const misfit = resultValidator(input.json_schema)(built.result)
  if (misfit !== undefined) throw failed(`The result does not fit the schema at '${misfit.path}': ${misfit.message}.`)
  const missing = input.on_missing === "fail" ? missingLeaves(built) : []
  if (missing.length > 0) throw failed(`Not found, but required: ${missing.slice(0, 10).join(", ")}.`)

  const cited = built.placed.map(({ proposal }) => grounded[proposal]!.span)
  const graph = buildGraph(reading, cast, sentences, ground.heard, cited)
  const spans = built.placed.map(({ pointer, proposal, value }): EvidenceSpan => {
    const found = grounded[proposal]!
    return {
      pointer,
      value,
      origin: found.origin,
      origin_channel: found.origin_channel,
      modality: found.modality,
      t_start: found.t_start,
      t_end: found.t_end,
      source_ref: found.source_ref,
      quote: found.quote,
      ...frameOf(found.source_ref),
      ...wordConfidenceOf(found.span),
      media_fragment: found.media_fragment,
      node_id: graph.nodeOf(found.span),
      // The schema's own spelling of a verbatim value is another spelling than the quote's.
      support: found.support === "verbatim" && value !== found.value ? "normalised" : found.support,
      confidence: found.confidence,
      verified: found.verified,
      corroborated_by: found.corroborated_by,
      alternatives: found.alternatives
    }
  })
  return {
    result: built.result,
    evidence: { spans, unfilled: toldByBudget(built.unfilled, plan) },
    graph: graph.canonical,
    graph_compact: graph.compact,
    result_confidence: resultConfidence(spans.map((span) => span.confidence)),
    warnings: [...warningsOf(input, reading), ...resultWarnings(built)]
  }
}

/**
 * Turns what a source says and shows into a value that fits the schema, with one verified span for every value in it: the
 * same input gives the same bytes. A value whose words do not carry it is left out and told in `unfilled`. Throws a
 * `StageFailure` `EXTRACTION_FAILED`, not retryable, where the schema has no instance, where the result does not fit it in an independent
 * validator, and, with `on_missing: "fail"`, where a leaf that the schema requires was not found.
 */
export const extract = (input: ExtractInput): Extracted => {
  const task = open(input)
  return conclude(input, task, proposeBuiltin(task))
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
  const { cost, model_seconds, models, tokens } = answer
  return { ...extracted, warnings: [...extracted.warnings, ...answer.warnings], models, model_seconds, tokens, cost }
}
