import { spokenLabels } from "../candidates/EnumCandidates.ts"
import { measured, measureOf } from "../candidates/Measures.ts"
import { carriesYesOrNo, saidOf } from "../candidates/YesOrNo.ts"
import { alignmentIndex, endsAlike, findExact, findFuzzy } from "../grounding/Align.ts"
import { isCutOut } from "../grounding/CutQuotes.ts"
import type { Draft } from "../grounding/Draft.ts"
import type { Proposal } from "../grounding/Proposal.ts"
import { verify } from "../grounding/Verify.ts"
import { answerOf } from "../lexicon/Answers.ts"
import { isOtherUnit } from "../lexicon/Units.ts"
import { type Leaf, listLeaves, type Plan } from "../text/Plan.ts"
import { type Passage, quoteOf, sentenceAround, type Span, trimSpan } from "../text/SourceDocument.ts"
import { tokenise } from "../text/Tokens.ts"
import { amountsIn, sameNumber } from "./gate/Amounts.ts"
import { citations, quotesOf } from "./gate/Citations.ts"
import { betweenTimes } from "./gate/ClockTimes.ts"
import { namesByInitial, namesCode } from "./gate/Codes.ts"
import { impliedNumber } from "./gate/ImpliedUnits.ts"
import { datesIn, isMoment, namesMoment } from "./gate/Moments.ts"
import { computedFrom } from "./gate/Recompute.ts"
import { amountOfMoney, countedIn, lengthIn, lengthOf, saysTimeText, withUnit } from "./gate/TimedText.ts"
import type { Scalar } from "./gate/TypedValue.ts"
import { typedValue } from "./gate/TypedValue.ts"
import { isSpelled, linesWith, ownWords, sharedWords, unbacked } from "./gate/Wording.ts"
import type { ProposerTask } from "./Proposer.ts"

/** Why a model's proposal is not even a draft. Models are told, so that they can do better. */
export type Refusal =
  | "no such field"
  | "not of the field's type"
  | "no quote"
  | "quote not in the source"
  | "quote in a line that gives orders"
  | "value not in the quote"
  | "quote says the opposite"
  | "number or name not in the cited lines"
  | "too long"

/** A value that fills more than a screen is no fact, and a quote that does cites nothing. */
const LONGEST_VALUE = 2000
const LONGEST_QUOTE = 1000
const LONGEST_KEY = 200
/** More lines than this are a chapter, and no citation. */
const MOST_LINES = 12

/** Every leaf of a plan by its template. */
export const leavesByTemplate = (plan: Plan): ReadonlyMap<string, Leaf> =>
  new Map(
    [...plan.leaves, ...plan.lists.flatMap(listLeaves), ...plan.maps.map((map) => map.leaf)]
      .map((leaf) => [leaf.template, leaf])
  )

/** What a value rests on: its own words first, and how it follows from them where they do not say it. */
interface Proof {
  readonly span: Span
  readonly value: Scalar
  readonly grade?: Draft["grade"]
  readonly formula?: string
  readonly more?: Draft["citations"]
}

const whole = (passage: Passage): Span => trimSpan({ passage, from: 0, to: passage.text.length })

/** Every place inside of a span where a phrase stands. */
const placesIn = (span: Span, phrase: string): ReadonlyArray<Span> =>
  findExact(alignmentIndex([span.passage]), phrase).filter(({ from, to }) => from >= span.from && to <= span.to)

const inside = (span: Span, phrase: string): Span | undefined => placesIn(span, phrase)[0]

/** The source's own words for a text that stands nearly in a span, as where a model mends what was misheard. */
const nearly = (span: Span, value: string): Span | undefined =>
  findFuzzy(alignmentIndex([span.passage]), value)
    .filter((hit) => hit.similarity >= 0.8 && hit.from >= span.from && hit.to <= span.to && endsAlike(hit, value))
    .toSorted((a, b) => b.similarity - a.similarity || a.from - b.from)[0]

/** What is worked out from more than one thing that is said. */
const worked = (formula: string, value: Scalar, [first, ...inputs]: ReadonlyArray<Span>): Proof => ({
  span: first!,
  value,
  grade: "computed",
  formula,
  more: inputs.map((span) => ({ span, role: "input" }))
})

const supporting = (spans: ReadonlyArray<Span>): NonNullable<Draft["citations"]> =>
  spans.map((span) => ({ span, role: "support" }))

/** A key of a map is a value, too: it stands in the passage that it was read from. */
const mapKey = ({ passage }: Span, key: string | undefined): string | undefined => {
  const hit = key === undefined ? undefined : inside({ passage, from: 0, to: passage.text.length }, key)
  return hit === undefined ? undefined : quoteOf(hit)
}

/** A date that stands on a title card or in a caption is that of the footage: days without a year are counted from it. */
const basesOf = ({ ground, material }: ProposerTask): ReadonlyArray<string> => [
  // A year alone is no day that others are counted from.
  ...(ground.recordedAt?.length === 10 ? [ground.recordedAt] : []),
  ...material.reading.passages.filter(({ index }) => !material.reading.suspects.has(index)).flatMap(({ text }) =>
    datesIn(text)
  )
]

/** Fields whose schema says what their text looks like are copied, never worded. */
const isFree = ({ schema, type }: Leaf): boolean =>
  type === "string" && schema["pattern"] === undefined && schema["format"] === undefined

/** Fields that "eighty-four" may answer with 1984. */
const YEAR_FIELD = /\b(?:year|vintage|season|since|built|founded|retired|born)\b/u
/** Fields that "418 million" may answer with 418. */
const IN_SCALE = /\b(?:thousands?|millions?|billions?|k|m|mn|mio|bn|[kmb](?:usd|eur|gbp)|(?:usd|eur|gbp)[kmb])\b/iu
/** A text of fewer words is a name or a term, which is copied. */
const LEAST_WORDS = 3
/** "No." and "Yes, it is." say nothing by themselves. */
const BARE_WORDS = 3
/** A longer sentence says more than one thing, and a negation in it may be about another. */
const PLAIN_CHARACTERS = 80
/** Share of a generated text's words that its lines have, below which it is about something else. */
const LEAST_SHARED = 0.15
/** How far around its lines a generated text may take a name or a number from, in seconds. */
const NEAR_SECONDS = 120

/**
 * Turns proposals of a model into drafts, each with the proof that its grade asks for. The quote is looked up in the source
 * word for word, and the draft cites the source's own characters. What these say, in whatever form, is *stated*, and no more
 * of them than carry the value are cited; a text that stands only nearly in them gives way to the source's words. A choice or
 * a yes or no is *classified* where they do not say the opposite. A number that follows from those cited is *computed* again.
 * A text of the model's own is *generated* where every number, name and quotation in it is in its citations. Everything else
 * is refused, so nothing that a model made up, or was talked into, comes further.
 */
export const modelGate = (task: ProposerTask) => {
  const { ground, material, plan } = task
  const { passages, suspects } = material.reading
  const leaves = leavesByTemplate(plan)
  const trusted = passages.filter(({ index }) => !suspects.has(index))
  const bases = basesOf(task)
  const quoted = citations(alignmentIndex(passages), suspects)
  const byRef = Map.groupBy(passages, ({ source_ref }) => source_ref)

  /** What a speaker is called: by the transcript, and where they say their name. */
  const namesOf = (speaker: string): ReadonlySet<string | undefined> =>
    new Set([
      speaker,
      material.reading.document.speakers.get(speaker),
      material.registry.speakers.get(speaker)?.name
    ])

  const holds = (value: Scalar, span: Span, leaf: Leaf): boolean => {
    const support = verify(value, quoteOf(span), leaf, ground.recordedAt)
    return support !== undefined && support !== "fuzzy"
  }

  const numberIn = (span: Span, value: number, leaf: Leaf): Span | undefined => {
    const { passage } = span
    const measure = measureOf(leaf)
    const narrow = material.reading.candidates.find((one) =>
      one.passage === passage && one.from >= span.from && one.to <= span.to &&
      ["number", "money", "percent", "duration"].includes(one.kind) && verify(value, one.text, leaf) !== undefined &&
      !isCutOut(leaf, value, one) &&
      (one.kind !== "number" || !isOtherUnit(measured(one), passage.text.slice(one.to), measure))
    )
    if (narrow !== undefined) return narrow
    const isYear = YEAR_FIELD.test(leaf.words) && value >= 1900 && value < 2100
    const amount = amountsIn(quoteOf(span), measure, IN_SCALE.test(leaf.words)).find(({ from, to, values }) =>
      values.some((one) =>
        sameNumber(one, value) || (isYear && one === value % 100) ||
        // "Half of it" of a field in percent.
        (measure?.dimension === "share" && one < 1 && sameNumber(100 * one, value))
      ) && !isCutOut(leaf, value, { passage, from: span.from + from, to: span.from + to })
    )
    return amount === undefined
      ? undefined
      : withUnit({ passage, from: span.from + amount.from, to: span.from + amount.to })
  }

  /** What is said near to some citations. */
  const saidNear = (spans: ReadonlyArray<Span>): ReadonlyArray<Passage> =>
    trusted.filter(({ t_end, t_start }) =>
      spans.some(({ passage }) => t_start <= passage.t_end + NEAR_SECONDS && t_end >= passage.t_start - NEAR_SECONDS)
    )

  /** A number as it is said, or as its words say it in the field's unit. */
  const numberProof = (value: number, leaf: Leaf, spans: ReadonlyArray<Span>, formula?: string): Proof | undefined => {
    for (const span of spans) {
      const found = numberIn(span, value, leaf)
      if (found === undefined) continue
      return { span: found, value, ...(holds(value, found, leaf) ? {} : { grade: "computed", formula: "unit(quote)" }) }
    }
    const around = {
      cited: spans.map(({ passage }) => passage.text).join("\n"),
      near: () => saidNear(spans).map(({ text }) => text).join("\n")
    }
    for (const span of spans) {
      const meant = impliedNumber(value, quoteOf(span), leaf, around)
      if (meant === undefined) continue
      const { passage } = span
      return {
        span: withUnit({ passage, from: span.from + meant.from, to: span.from + meant.to }),
        value,
        grade: "computed",
        formula: meant.formula
      }
    }
    const follows = computedFrom(value, spans, formula, measureOf(leaf))
    return follows === undefined ? undefined : worked(follows.formula, value, follows.inputs)
  }

  const labelProof = (value: Scalar, leaf: Leaf, spans: ReadonlyArray<Span>): Proof => {
    for (const span of spans) {
      const label = spokenLabels(String(value)).map((one) => inside(span, one)).find((one) => one !== undefined)
      if (label !== undefined) return { span: label, value }
    }
    const saying = spans.find((span) => holds(value, span, leaf))
    if (saying !== undefined) return { span: saying, value }
    return { span: spans[0]!, value, grade: "classified", more: supporting(spans.slice(1)) }
  }

  const yesOrNo = (value: boolean, leaf: Leaf, spans: ReadonlyArray<Span>): Proof | Refusal => {
    let against = false
    for (const span of spans) {
      const sentence = sentenceAround(span)
      const words = quoteOf(sentence)
      if (!carriesYesOrNo(sentence, leaf, material.reading)) {
        // A bare "no" answers whatever was asked, which was something else.
        against ||= spans.length === 1 && answerOf(words) !== undefined && tokenise(words).length <= BARE_WORDS
        continue
      }
      const said = saidOf(words, leaf)
      if (said === value) return { span, value }
      // Of several sentences the rules do not know which one answers.
      against ||= said !== undefined && !/[.!?;]\s+\S/u.test(words) && sentence.to - sentence.from < PLAIN_CHARACTERS
    }
    if (against) return "quote says the opposite"
    return { span: spans[0]!, value, grade: "classified", more: supporting(spans.slice(1)) }
  }

  const statedText = (value: string, leaf: Leaf, spans: ReadonlyArray<Span>): Proof | undefined => {
    for (const span of spans) {
      const places = placesIn(span, value).filter((place) => holds(value, place, leaf))
      const exact = places.find((place) => !isCutOut(leaf, value, place))
      if (exact !== undefined) return { span: exact, value }
      // Where it is a part of something longer, the line around it says that.
      if (places.length > 0) return undefined
    }
    for (const span of spans) if (holds(value, span, leaf)) return { span, value }
    const own = spans.find(({ passage: { speaker } }) => speaker !== null && namesOf(speaker).has(value))
    if (own !== undefined) return { span: own, value, grade: "computed", formula: "speaker(quote)" }
    const seconds = lengthOf(value)
    const length = seconds === undefined
      ? undefined
      : spans.map((span) => lengthIn(span, seconds, material.reading.candidates)).find((one) => one !== undefined)
    if (length !== undefined) return { span: length, value, grade: "computed", formula: "unit(quote)" }
    const times = seconds === undefined ? undefined : betweenTimes(seconds / 60, spans)
    if (times !== undefined) return worked("time_between(inputs)", value, times)
    const words = quotesOf(spans)
    const named = spans.find((span) => namesCode(quoteOf(span), value, leaf))
    if (named !== undefined) return { span: named, value, grade: "computed", formula: "code(quote)" }
    const told = saysTimeText(words, value)
    if (told === false) return undefined
    if (told === true || isMoment(value)) {
      if (told !== true && !namesMoment(words, value, bases)) return undefined
      return worked("date(inputs)", value, spans)
    }
    if (leaf.schema["format"] !== undefined) return undefined
    for (const span of spans) {
      const near = nearly(span, value) ?? ownWords(span, value)
      if (near !== undefined) return { span: near, value: quoteOf(near) }
    }
    const spelled = spans.find((span) => isSpelled(quoteOf(span), value))
    if (spelled !== undefined) return { span: spelled, value, grade: "computed", formula: "spelling(quote)" }
    const counted = spans.map((span) => countedIn(span, value) ?? amountOfMoney(span, value)).find((one) =>
      one !== undefined
    )
    if (counted !== undefined) return { span: counted, value, grade: "computed", formula: "unit(quote)" }
    return namesByInitial(spans.map(quoteOf), value) ? worked("name(inputs)", value, spans) : undefined
  }

  const worded = (value: string, leaf: Leaf, spans: ReadonlyArray<Span>): Proof | Refusal => {
    if (!isFree(leaf) || tokenise(value).length < LEAST_WORDS) return "value not in the quote"
    const words = spans.map(({ passage }) => passage.text).join("\n")
    if (sharedWords(value, words) < LEAST_SHARED) return "value not in the quote"
    const missing = unbacked(value, words)
    const more = missing.length === 0 ? [] : linesWith(missing, spans[0]!.passage, trusted, NEAR_SECONDS)
    if (more === undefined) return "number or name not in the cited lines"
    return {
      span: spans[0]!,
      value,
      grade: "generated",
      more: [...supporting(spans.slice(1)), ...more.map((span) => ({ span, role: "subject" as const }))]
    }
  }

  const proofOf = (value: Scalar, leaf: Leaf, spans: ReadonlyArray<Span>, formula?: string): Proof | Refusal => {
    if (typeof value === "boolean") {
      return leaf.type === "enum"
        ? labelProof(value, leaf, spans)
        : yesOrNo(value, leaf, spans)
    }
    if (leaf.type === "enum") return labelProof(value, leaf, spans)
    if (typeof value === "number") return numberProof(value, leaf, spans, formula) ?? "value not in the quote"
    return statedText(value, leaf, spans) ?? worded(value, leaf, spans)
  }

  /** The lines that a proposal cites, and where its quote stands, its own words first. */
  const cited = (proposal: Proposal, value: Scalar, leaf: Leaf): ReadonlyArray<Span> => {
    const lines = Array.from(new Set(proposal.source_refs.flatMap((ref) => byRef.get(ref) ?? []))).slice(0, MOST_LINES)
    const quotes = quoted(proposal.quote!.trim(), lines)
    const others = lines.filter((line) => !quotes.some(({ passage }) => passage === line)).map(whole)
    if (quotes.length > 0) return [...quotes, ...others]
    // A model that misquotes is forgiven where a line that it cites says the value in so many words.
    const says = (span: Span): boolean =>
      typeof value === "number"
        ? numberIn(span, value, leaf) !== undefined
        : typeof value === "string" && leaf.type !== "enum" && inside(span, value) !== undefined
    return others.filter(says)
  }

  return (proposal: Proposal): Draft | Refusal => {
    const leaf = leaves.get(proposal.pointer_template)
    if (leaf === undefined) return "no such field"
    const value = typedValue(proposal.value, leaf)
    if (value === undefined || value === "") return "not of the field's type"
    const quote = proposal.quote?.trim() ?? ""
    if (quote === "") return "no quote"
    const key = proposal.item_key
    if (String(value).length > LONGEST_VALUE || quote.length > LONGEST_QUOTE || (key?.length ?? 0) > LONGEST_KEY) {
      return "too long"
    }
    const spans = cited(proposal, value, leaf)
    if (spans.length === 0) return "quote not in the source"
    // Whoever reads such a line may have been talked into it.
    if (suspects.has(spans[0]!.passage.index)) return "quote in a line that gives orders"
    const safe = spans.filter(({ passage }) => !suspects.has(passage.index))
    const lines = safe.map(({ passage }) => whole(passage))
    // A quote that stops short of the value is forgiven where the line that it is taken from says it.
    const [exact, wide] = [proofOf(value, leaf, safe, proposal.formula), proofOf(value, leaf, lines, proposal.formula)]
    const stated = [exact, wide].find((one) => typeof one !== "string" && one.grade === undefined)
    const proof = stated ?? (typeof exact === "string" ? wide : exact)
    if (typeof proof === "string") return proof
    const keyed = leaf.template.endsWith("/{}") ? mapKey(proof.span, key) : key
    if (leaf.template.endsWith("/{}") && keyed === undefined) return "quote not in the source"
    const { formula: _, ...said } = proposal
    return {
      ...said,
      ...(keyed === undefined ? {} : { item_key: keyed }),
      value: proof.value,
      quote: quoteOf(proof.span),
      source_refs: Array.from(
        new Set([proof.span, ...(proof.more ?? []).map(({ span }) => span)].map(({ passage }) => passage.source_ref))
      ),
      leaf,
      span: proof.span,
      calibrated: false,
      ...(proof.grade === undefined ? {} : { grade: proof.grade }),
      ...(proof.formula === undefined ? {} : { formula: proof.formula }),
      ...(proof.more === undefined || proof.more.length === 0 ? {} : { citations: proof.more })
    }
  }
}
