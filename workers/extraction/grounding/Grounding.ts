import type { Checks, Citation, EvidenceSpan, Grade } from "../../../src/artifacts/Evidence.ts"
import { mediaFragment } from "../../../src/artifacts/MediaFragment.ts"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import { dateTimesFor, isSameMoment, wantsDateTime } from "../candidates/DateTimes.ts"
import type { EntityRegistry } from "../candidates/EntityRegistry.ts"
import { candidatesBetween, measured } from "../candidates/Measures.ts"
import { daysIn, type Reading } from "../candidates/Reading.ts"
import { carriesYesOrNo } from "../candidates/YesOrNo.ts"
import { confidenceOf } from "../ranking/Confidence.ts"
import type { Candidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { boxOf, type Channel, momentOf, quoteOf, sentenceAround, type Span, trimSpan } from "../text/SourceDocument.ts"
import { likeness, stem, tokenise } from "../text/Tokens.ts"
import { align, type AlignmentIndex, alignmentIndex } from "./Align.ts"
import { isCutOut } from "./CutQuotes.ts"
import type { Draft } from "./Draft.ts"
import { inFull } from "./FullNames.ts"
import { FORMULAS, gradeOf, isCovered, sentenceSpans } from "./Grades.ts"
import type { Grounded } from "./Proposal.ts"
import { type Support, verify } from "./Verify.ts"

/**
 * A grounded draft keeps the very characters, so that the graph can name the node that holds them. Whether it answers its
 * field is for a judge to say: until then it is not verified.
 */
export interface GroundedDraft extends Grounded {
  readonly span: Span
}

/** What grounding asks of a document, prepared once. */
export interface Grounding {
  readonly reading: Reading
  readonly registry: EntityRegistry
  readonly heard: AlignmentIndex
  readonly shown: AlignmentIndex
  /** When the footage was recorded, or the year in which it says that it plays. */
  readonly recordedAt: string | undefined
}

export const groundingOf = (reading: Reading, registry: EntityRegistry): Grounding => ({
  reading,
  registry,
  heard: alignmentIndex(reading.passages.filter((one) => one.modality === "audio" && !reading.suspects.has(one.index))),
  shown: alignmentIndex(reading.passages.filter((one) => one.channel === "ocr" && !reading.suspects.has(one.index))),
  recordedAt: reading.recordedAt
})

const cite = (span: Span): {
  readonly origin_channel: Channel
  readonly source_ref: string
  readonly t_start: number
  readonly t_end: number
  readonly quote: string
  readonly media_fragment: string
} => {
  const { t_end, t_start } = momentOf(span)
  return {
    origin_channel: span.passage.channel,
    source_ref: span.passage.source_ref,
    t_start: roundSeconds(t_start),
    t_end: roundSeconds(t_end),
    quote: quoteOf(span),
    media_fragment: mediaFragment({ t_start, t_end }, boxOf(span))
  }
}

const derivedSupport = ({ derived, span, value }: Draft, { registry, reading }: Grounding): Support | undefined => {
  const { t_end, t_start } = momentOf(span)
  const { speaker } = span.passage
  const holds = derived === "t_start"
    ? value === roundSeconds(t_start)
    : derived === "t_end"
    ? value === roundSeconds(t_end)
    : derived === "order"
    ? Number.isInteger(value)
    : speaker !== null &&
      [speaker, reading.document.speakers.get(speaker), registry.speakers.get(speaker)?.name].includes(value as string)
  return holds ? "inferred" : undefined
}

/** Nothing longer is looked up by its spelling: a recogniser's long sentence is its own source. */
const LONGEST_SPELLING = 12

const POSSESSIVE = /['’]s$/u

/** "Carrots" that are spoken of are not spelled by the "carrot" of a soup's title: the words are the same, and no recogniser guessed. */
const isInflected = (spelled: string, value: string): boolean => {
  const [shown, said] = [tokenise(spelled), tokenise(value)].map((tokens) => tokens.map(({ norm }) => norm))
  return !/\p{Lu}/u.test(value) && shown!.join(" ") !== said!.join(" ") &&
    shown!.map(stem).join(" ") === said!.map(stem).join(" ")
}

/**
 * The same words as the screen spells them, where speech and screen agree nearly: recognisers guess at names, slides do not.
 */
const screenSpelling = (draft: Draft, { shown }: Grounding): Draft | undefined => {
  const { leaf, span, value } = draft
  const free = leaf.type === "string" && leaf.expected !== "speech" && leaf.schema["format"] === undefined
  if (span.passage.modality !== "audio" || typeof value !== "string" || !free) return undefined
  if (draft.derived !== undefined || tokenise(value).length > LONGEST_SPELLING) return undefined
  const hit = align(shown, value, { near: span.passage.t_start })
  if (hit === undefined) return undefined
  // "Rosa's Kitchen" spells the name of who says "I am Rosa".
  const owned = !POSSESSIVE.test(value) && POSSESSIVE.test(quoteOf(hit))
  const own = owned ? { ...hit, to: hit.to - 2 } : hit
  const spelled = quoteOf(own)
  if (isInflected(spelled, value)) return undefined
  return likeness(spelled, value) >= 0.75 ? { ...draft, value: spelled, span: own } : undefined
}

const NUMERIC = new Set(["number", "money", "percent", "duration"])
/** Numbers agree by chance; they corroborate only close by. */
const NUMBER_SECONDS = 30

/** Whether two numbers of one value are of the same thing by their units; undefined where one of them has none. */
const isSameUnit = (one: Candidate, other: Candidate): boolean | undefined => {
  const [own, its] = [measured(one), measured(other)]
  if (own !== undefined && its !== undefined) {
    return own.dimension === its.dimension && (own.dimension !== "money" || own.unit === its.unit)
  }
  const [word, other_word] = [stem(one.unit ?? ""), stem(other.unit ?? "")]
  return own === undefined && its === undefined && word !== "" && word === other_word ? true : undefined
}

const SCALES = [1, 1e3, 1e6, 1e9]

/** Whether two numbers may be one in another scale: what is no such is not read again, since a long source has very many. */
const isScaled = (one: Candidate, other: Candidate): boolean => {
  const [least, most] = [Math.abs(Number(one.value)), Math.abs(Number(other.value))].toSorted((a, b) => a - b)
  return SCALES.some((scale) => Math.abs(least! * scale - most!) <= 1e-9 * Math.max(1, most!))
}

/** Another place that says the number in the field's own scale and unit: "$12.4M" beside "12.4 million". */
const numberElsewhere = ({ leaf, span, value }: Draft, reading: Reading): Span | undefined => {
  const within = candidatesBetween(reading, span.passage, span.from, span.to).filter(({ kind }) => NUMERIC.has(kind))
  const own = within.find((one) => one.from === span.from && one.to === span.to) ??
    within.find((one) => verify(value, one.text, leaf) !== undefined)
  if (own === undefined) return undefined
  return reading.candidates.find((one) => {
    if (!NUMERIC.has(one.kind) || one.passage.channel === "vision") return false
    if (one.passage.modality === span.passage.modality) return false
    if (
      one.passage.t_start > span.passage.t_end + NUMBER_SECONDS ||
      one.passage.t_end < span.passage.t_start - NUMBER_SECONDS
    ) return false
    const same = isScaled(own, one) ? isSameUnit(own, one) : false
    if (same === false || isCutOut(leaf, value, one) || verify(value, one.text, leaf) === undefined) return false
    return same === true || one.passage.tokens.some((token) => (leaf.terms.get(stem(token.norm)) ?? 0) >= 0.6)
  })
}

/** Where the other modality says the same value: seen what was heard, heard what was seen. */
const elsewhere = (draft: Draft, ground: Grounding): Span | undefined => {
  const { span, value } = draft
  if (draft.derived !== undefined || span.passage.channel === "vision") return undefined
  if (typeof value === "number") return numberElsewhere(draft, ground.reading)
  if (typeof value !== "string") return undefined
  const index = span.passage.modality === "audio" ? ground.shown : ground.heard
  return align(index, quoteOf(span), { near: span.passage.t_start })
}

const corroborationsOf = (
  draft: Draft,
  heard: Span | undefined,
  ground: Grounding
): EvidenceSpan["corroborated_by"] => {
  const other = heard ?? elsewhere(draft, ground)
  if (other === undefined || other.passage.modality === draft.span.passage.modality) return []
  const span = trimSpan(other)
  return verify(draft.value, quoteOf(span), draft.leaf, ground.recordedAt) === undefined ? [] : [cite(span)]
}

/** Whether the words name this day by its number alone, in a month that is told before, or this moment by a day and a time of day. */
const namesMoment = (reading: Reading, { from, passage, to }: Span, leaf: Leaf, value: unknown): boolean => {
  const within = (one: Candidate): boolean => one.passage === passage && from <= one.from && one.to <= to
  return wantsDateTime(leaf)
    ? dateTimesFor(reading, leaf).some((one) => within(one.candidate) && isSameMoment(String(one.value), String(value)))
    : daysIn(reading, passage).some((one) => within(one) && one.day!.iso === value)
}

/** How a draft's value stands in some words of its source; a bare answer also has to answer what the field is about. */
const supportOf = ({ leaf, value }: Draft, span: Span, { reading, recordedAt }: Grounding): Support | undefined =>
  !isCutOut(leaf, value, span) && (typeof value !== "boolean" || carriesYesOrNo(span, leaf, reading))
    ? verify(value, quoteOf(span), leaf, recordedAt) ??
      (namesMoment(reading, span, leaf, value) ? "normalised" : undefined)
    : undefined

/** Whoever proposes it: what imitates code or hides its characters is nobody's evidence. */
const isForged = ({ passage }: Span, { reading }: Grounding): boolean =>
  reading.suspects.get(passage.index) === "forged"

/** What the first citation is to the value. */
const ROLES: Readonly<Record<Grade, Citation["role"]>> = {
  stated: "value",
  classified: "value",
  computed: "input",
  generated: "support",
  default: "value"
}

/** Formulas that the independent verifier computes again; of others it cannot say that they hold. */
const REPEATABLE = /^(?:sum|difference|product|count)\(/u

/** Whether the value follows from its quotes by rule; null where no rule can say. */
const derivableOf = (
  grade: Grade,
  support: Support,
  { formula, value }: Draft,
  citations: ReadonlyArray<Citation>
): boolean | null =>
  grade === "classified"
    ? null
    : grade === "generated"
    ? isCovered(String(value), citations.map(({ quote }) => quote))
    : formula === undefined
    ? support !== "fuzzy"
    : REPEATABLE.test(formula)

const MOST_ALTERNATIVES = 3

const alternativesOf = (
  draft: Draft,
  rivals: ReadonlyArray<Draft>,
  ground: Grounding
): EvidenceSpan["alternatives"] => {
  const out: Array<EvidenceSpan["alternatives"][number]> = []
  for (const rival of rivals) {
    if (isForged(rival.span, ground)) continue
    const span = rival.leaf.type === "boolean" ? sentenceAround(rival.span) : trimSpan(rival.span)
    const known = [draft.value, ...out.map((one) => one.value)]
    if (known.some((value) => likeness(String(value), String(rival.value)) >= 0.8)) continue
    if (supportOf(rival, span, ground) === undefined) continue
    const { origin_channel: _, ...where } = cite(span)
    out.push({ value: rival.value, ...where })
    if (out.length === MOST_ALTERNATIVES) break
  }
  return out
}

/**
 * Checks one draft against its source and gives all that its evidence needs; undefined where the value cannot be derived
 * again from the words that it cites, or where these stand in a forged passage. Such a value does not exist for anyone after
 * this point.
 */
export const groundDraft = (
  proposed: Draft,
  rivals: ReadonlyArray<Draft>,
  ground: Grounding
): GroundedDraft | undefined => {
  const respelled = proposed.grade === undefined
    ? inFull(proposed, ground.registry) ?? screenSpelling(proposed, ground)
    : undefined
  const draft = respelled ?? proposed
  const span = typeof draft.value === "boolean" ? sentenceAround(draft.span) : trimSpan(draft.span)
  const quote = quoteOf(span)
  if (quote === "" || isForged(span, ground)) return undefined
  const support = draft.derived !== undefined
    ? derivedSupport(draft, ground)
    : draft.grade === undefined
    ? supportOf(draft, span, ground)
    : "inferred"
  if (support === undefined) return undefined
  const grade = gradeOf(draft, support)
  const [own = span, ...others] = grade === "generated" ? sentenceSpans(span) : [span]
  const cited = [
    { span: own, role: ROLES[grade] },
    ...others.map((other) => ({ span: other, role: "support" as const })),
    ...(draft.citations ?? []).filter((other) => !isForged(other.span, ground))
  ]
  const citations = cited.map((one): Citation => Object.assign(cite(one.span), { role: one.role }))
  const corroborated_by = corroborationsOf(
    { ...draft, span },
    respelled === undefined || respelled.span.passage === proposed.span.passage ? undefined : proposed.span,
    ground
  )
  const { item_key, pointer_template, proposed_by, score, source_refs, value } = draft
  const confidence = confidenceOf(draft, span)
  const checks: Checks = {
    quoted: true,
    derivable: derivableOf(grade, support, draft, citations),
    answers: draft.verdict?.answers ?? null,
    judged_by: draft.verdict?.judged_by ?? null
  }
  return {
    pointer_template,
    ...(item_key === undefined ? {} : { item_key }),
    value,
    source_refs,
    score,
    proposed_by,
    span: own,
    origin: draft.derived === undefined ? "extracted" : "derived",
    modality: corroborated_by.length > 0 ? "both" : span.passage.modality,
    ...cite(own),
    support,
    confidence,
    grade,
    citations,
    checks,
    ...(draft.derived !== undefined
      ? { formula: FORMULAS[draft.derived] }
      : draft.formula === undefined
      ? {}
      : { formula: draft.formula }),
    verified: false,
    corroborated_by,
    alternatives: item_key === undefined ? alternativesOf(draft, rivals, ground) : []
  }
}
