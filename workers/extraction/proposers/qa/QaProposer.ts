import { roundSeconds } from "../../../../src/artifacts/Moment.ts"
import type { ModelRun } from "../../../../src/jobs/model/Provenance.ts"
import type { ResolvedModel } from "../../../../src/model-stacks/ResolvedStack.ts"
import { makeModelShelf, type ModelShelf } from "../../../onnx/ModelShelf.ts"
import { candidatesFor } from "../../candidates/LeafCandidates.ts"
import type { Draft } from "../../grounding/Draft.ts"
import { toIsoDate, toIsoTime } from "../../lexicon/Dates.ts"
import type { Leaf } from "../../text/Plan.ts"
import { quoteOf, type Span, trimSpan } from "../../text/SourceDocument.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import { proposeBuiltin, type Proposer, type ProposerTask } from "../Proposer.ts"
import { relevantPassages } from "../RelevantPassages.ts"
import { openQaModel, type QaAnswer, type QaModel } from "./QaModel.ts"
import { questionOf } from "./QaQuestions.ts"

/** Passages, by how much is said of the leaf in them, that a question is put to with their neighbours. */
const PASSAGES = 5
/** Less is a guess. Nothing was fitted: the models come from a hub that no evaluation has reached yet. */
const LEAST_PROBABILITY = 0.3
/** Questions of one job, about a minute of a small model on one core. */
const MOST_QUESTIONS = 300
const MOST_ENTRIES = 50

const withoutMarks = ({ from, passage, to }: Span): Span => {
  const text = passage.text.slice(from, to)
  const start = text.length - text.replace(/^[\s,.;:!?]+/u, "").length
  const end = text.replace(/[\s,.;:!?]+$/u, "").length
  return trimSpan({ passage, from: from + start, to: Math.max(from + start, from + end) })
}

/** The value that an answer is for a leaf, in the leaf's type, with the characters that say it. */
const valueOf = (
  answer: Span,
  leaf: Leaf,
  { ground, material }: ProposerTask
): { readonly value: string | number | boolean; readonly span: Span } | undefined => {
  if (leaf.type !== "string") {
    const meant = candidatesFor(material.reading, leaf).find(({ candidate }) =>
      candidate.passage === answer.passage && candidate.from < answer.to && answer.from < candidate.to
    )
    if (meant === undefined) return undefined
    const { from, passage, to } = meant.candidate
    return { value: meant.value, span: { passage, from, to } }
  }
  const span = withoutMarks(answer)
  const text = quoteOf(span)
  if (text === "") return undefined
  const { format } = leaf.schema
  const time = format === "time" ? toIsoTime(text) : undefined
  const value = format === "date" ? toIsoDate(text, ground.recordedAt) : format === "time" ? time && `${time}Z` : text
  return value === undefined ? undefined : { value, span }
}

const draftOf = (name: string, answer: QaAnswer, leaf: Leaf, task: ProposerTask): Draft | undefined => {
  const found = answer.probability < LEAST_PROBABILITY ? undefined : valueOf(answer.span, leaf, task)
  return found === undefined ? undefined : {
    pointer_template: leaf.template,
    value: found.value,
    quote: quoteOf(found.span),
    source_refs: [found.span.passage.source_ref],
    score: answer.probability,
    proposed_by: `qa:${name}`,
    leaf,
    span: found.span,
    calibrated: false
  }
}

const better = (a: QaAnswer, b: QaAnswer): number =>
  b.margin - a.margin || a.span.passage.index - b.span.passage.index || a.span.from - b.span.from

const askable = (leaf: Leaf): boolean => leaf.type !== "boolean" && leaf.expected !== "computed"

const distinct = (drafts: ReadonlyArray<Draft>): ReadonlyArray<Draft> =>
  Array.from(Map.groupBy(drafts, ({ value }) => normaliseValue(value)).values(), ([first]) => first!)

/**
 * Adds the answers of an extractive model to what the built-in proposer says: an answer fills the leaf that has nothing
 * yet, and stands for one that has something else if it is the surer of the two; the other stays as its alternative.
 * Lists of plain values that nothing was found for get every answer. Yes-or-no leaves and lists of records stay as they are.
 * Rejects with `MODEL_UNAVAILABLE` where the model cannot be opened.
 */
export const makeQaProposer = (
  qa: ResolvedModel,
  shelf: ModelShelf<ResolvedModel, QaModel> = makeModelShelf(openQaModel, 1)
): Proposer =>
async (task, signal) => {
  const builtin = proposeBuiltin(task)
  const { plan, material } = task
  const leaves = plan.leaves.filter(askable)
  const lists = plan.lists.flatMap((list) => {
    const single = list.leaves.get("")
    const found = builtin.drafts.some(({ pointer_template }) => pointer_template === `${list.template}/*`)
    return single === undefined || !askable(single) || found ? [] : [single]
  })
  if (leaves.length + lists.length === 0 || material.reading.passages.length === 0) return builtin

  return await shelf.use(qa, async (model) => {
    const began = performance.now()
    let asked = 0
    /** A list has an answer in each passage, a single leaf one in all of them. */
    const answersTo = async (leaf: Leaf, each = false): Promise<ReadonlyArray<Draft>> => {
      const passages = relevantPassages(material.reading, [leaf], PASSAGES)
      const answers: Array<QaAnswer> = []
      for (const some of each ? passages.map((passage) => [passage]) : [passages]) {
        if (some.length === 0 || ++asked > MOST_QUESTIONS) break
        answers.push(...await model.answer(questionOf(leaf), some, signal))
      }
      return distinct(answers.toSorted(better).flatMap((answer) => draftOf(model.name, answer, leaf, task) ?? []))
    }

    const drafts = new Map(
      builtin.drafts.map((draft, at) => [draft.item_key === undefined ? draft.pointer_template : `#${at}`, draft])
    )
    const rivals = new Map(builtin.rivals)
    for (const leaf of leaves) {
      const [answer] = await answersTo(leaf)
      if (answer === undefined) continue
      const known = drafts.get(leaf.template)
      if (known !== undefined && normaliseValue(known.value) === normaliseValue(answer.value)) continue
      const [wins, loses] = known === undefined || answer.score > known.score ? [answer, known] : [known, answer]
      drafts.set(leaf.template, wins)
      if (loses !== undefined) rivals.set(leaf.template, [loses, ...(rivals.get(leaf.template) ?? [])])
    }
    const entries: Array<Draft> = []
    for (const leaf of lists) entries.push(...(await answersTo(leaf, true)).slice(0, MOST_ENTRIES))
    const run: ModelRun = { role: "qa", name: model.name, execution_provider: model.execution_provider }
    return {
      ...builtin,
      drafts: [...drafts.values(), ...entries],
      rivals,
      models: [...builtin.models, run],
      model_seconds: roundSeconds((performance.now() - began) / 1000)
    }
  }, signal)
}
