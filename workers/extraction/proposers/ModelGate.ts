import type { Schema } from "effect"
import { spokenLabels } from "../candidates/LeafCandidates.ts"
import { carriesYesOrNo, saidOf } from "../candidates/YesOrNo.ts"
import { alignmentIndex, findExact, findFuzzy } from "../grounding/Align.ts"
import type { Draft } from "../grounding/Draft.ts"
import type { Proposal } from "../grounding/Proposal.ts"
import { verify } from "../grounding/Verify.ts"
import type { Leaf, Plan } from "../text/Plan.ts"
import { type Passage, quoteOf, sentenceAround, type Span, trimSpan } from "../text/SourceDocument.ts"
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
  | "too long"

/** A value that fills more than a screen is no fact, and a quote that does cites nothing. */
const LONGEST_VALUE = 2000
const LONGEST_QUOTE = 1000
const LONGEST_KEY = 200

/** Every leaf of a plan by its template. */
export const leavesByTemplate = (plan: Plan): ReadonlyMap<string, Leaf> =>
  new Map(
    [
      ...plan.leaves,
      ...plan.lists.flatMap((list) => Array.from(list.leaves.values())),
      ...plan.maps.map((map) => map.leaf)
    ]
      .map((leaf) => [leaf.template, leaf])
  )

/** A value in its leaf's type: models write numbers as texts and labels in letters of their own. */
const typed = (value: Schema.Json, leaf: Leaf): string | number | boolean | undefined => {
  if (leaf.type === "boolean") {
    const word = String(value).toLowerCase()
    return word === "true" ? true : word === "false" ? false : undefined
  }
  if (typeof value === "object" || typeof value === "boolean") return undefined
  if (leaf.type === "number" || leaf.type === "integer") {
    const text = String(value).trim()
    const number = /^-?\d[\d,]*(?:\.\d+)?$/u.test(text) ? Number(text.replaceAll(",", "")) : NaN
    return leaf.type === "integer"
      ? (Number.isSafeInteger(number) ? number : undefined)
      : Number.isFinite(number)
      ? number
      : undefined
  }
  if (leaf.type !== "enum") return String(value)
  const labels = leaf.schema["enum"] as ReadonlyArray<unknown>
  const label = labels.find((one) => one === value) ??
    labels.find((one) => String(one).toLowerCase() === String(value).toLowerCase())
  return typeof label === "string" || typeof label === "number" || typeof label === "boolean" ? label : undefined
}

/** The first place inside of a span where a phrase stands. */
const inside = (span: Span, phrase: string): Span | undefined =>
  findExact(alignmentIndex([span.passage]), phrase).find(({ from, to }) => from >= span.from && to <= span.to)

/** The source's own words for a text that stands nearly in a span, as where a model mends what was misheard. */
const nearly = (span: Span, value: string): Span | undefined =>
  findFuzzy(alignmentIndex([span.passage]), value)
    .filter(({ from, similarity, to }) => similarity >= 0.8 && from >= span.from && to <= span.to)
    .toSorted((a, b) => b.similarity - a.similarity || a.from - b.from)[0]

/** A key of a map is a value, too: it stands in the passage that it was read from. */
const mapKey = ({ passage }: Span, key: string | undefined): string | undefined => {
  const hit = key === undefined ? undefined : inside({ passage, from: 0, to: passage.text.length }, key)
  return hit === undefined ? undefined : quoteOf(hit)
}

/**
 * Turns proposals of a model into drafts: the quote is looked up in the source word for word, and the draft cites the
 * source's own characters, no more of them than carry the value. A quote that is not there, or stops short of the value, is
 * forgiven where the line that it is taken from says the value. A text that stands only nearly in its quote gives way to the source's words. Refuses everything else, so nothing that a model made up, or was talked into, comes further.
 */
export const modelGate = ({ ground, material, plan }: ProposerTask) => {
  const { passages, suspects } = material.reading
  const leaves = leavesByTemplate(plan)
  const everything = alignmentIndex(passages)

  const find = (quote: string, refs: ReadonlySet<string>): Span | undefined =>
    findExact(everything, quote).toSorted((a, b) =>
      Number(suspects.has(a.passage.index)) - Number(suspects.has(b.passage.index)) ||
      Number(refs.has(b.passage.source_ref)) - Number(refs.has(a.passage.source_ref)) ||
      Number(b.tier === "exact") - Number(a.tier === "exact") ||
      a.passage.index - b.passage.index || a.from - b.from
    )[0]

  /** The first of some lines that says a value in so many words: a model that misquotes it is forgiven. */
  const lineSaying = (
    lines: ReadonlyArray<Passage>,
    value: string | number | boolean,
    leaf: Leaf
  ): Span | undefined => {
    if (typeof value === "boolean" || leaf.type === "enum") return undefined
    return lines.map((passage): Span => ({ passage, from: 0, to: passage.text.length })).find((line) =>
      (typeof value === "number" ? numberIn(line, value, leaf) : inside(line, value)) !== undefined
    )
  }

  const numberIn = (span: Span, value: number, leaf: Leaf): Span | undefined =>
    material.reading.candidates.find((one) =>
      one.passage === span.passage && one.from >= span.from && one.to <= span.to &&
      ["number", "money", "percent", "duration"].includes(one.kind) && verify(value, one.text, leaf) !== undefined
    )

  const narrowed = (
    span: Span,
    value: string | number | boolean,
    leaf: Leaf
  ): { readonly span: Span; readonly value: typeof value } => {
    if (typeof value === "boolean") return { span, value }
    if (typeof value === "number") return { span: numberIn(span, value, leaf) ?? span, value }
    if (leaf.type === "enum") {
      const label = spokenLabels(value).map((one) => inside(span, one)).find((one) => one !== undefined)
      return { span: label ?? span, value }
    }
    const exact = inside(span, value)
    if (exact !== undefined) return { span: exact, value }
    const near = leaf.schema["format"] === undefined ? nearly(span, value) : undefined
    return near === undefined ? { span, value } : { span: near, value: quoteOf(near) }
  }

  return (proposal: Proposal): Draft | Refusal => {
    const leaf = leaves.get(proposal.pointer_template)
    if (leaf === undefined) return "no such field"
    const value = typed(proposal.value, leaf)
    if (value === undefined || value === "") return "not of the field's type"
    const quote = proposal.quote?.trim() ?? ""
    if (quote === "") return "no quote"
    const key = proposal.item_key
    if (String(value).length > LONGEST_VALUE || quote.length > LONGEST_QUOTE || (key?.length ?? 0) > LONGEST_KEY) {
      return "too long"
    }
    const refs = new Set(proposal.source_refs)
    const quoted = find(quote, refs)
    const cited = quoted ?? lineSaying(passages.filter(({ source_ref }) => refs.has(source_ref)), value, leaf)
    if (cited === undefined) return "quote not in the source"
    // Whoever reads such a line may have been talked into it; the built-in proposer cannot be.
    if (suspects.has(cited.passage.index)) return "quote in a line that gives orders"
    const found = [cited, lineSaying([cited.passage], value, leaf)]
      .flatMap((span) => span === undefined ? [] : [narrowed(trimSpan(span), value, leaf)])
      .find((one) => {
        const support = verify(one.value, quoteOf(one.span), leaf, ground.recordedAt)
        return support !== undefined && support !== "fuzzy"
      })
    if (found === undefined) return "value not in the quote"
    if (typeof value === "boolean") {
      const sentence = sentenceAround(found.span)
      if (!carriesYesOrNo(sentence, leaf, material.reading)) return "value not in the quote"
      if (saidOf(quoteOf(sentence), leaf) !== value) return "quote says the opposite"
    }
    const keyed = leaf.template.endsWith("/{}") ? mapKey(found.span, key) : key
    if (leaf.template.endsWith("/{}") && keyed === undefined) return "quote not in the source"
    return {
      ...proposal,
      ...(keyed === undefined ? {} : { item_key: keyed }),
      value: found.value,
      quote: quoteOf(found.span),
      source_refs: [found.span.passage.source_ref],
      leaf,
      span: found.span,
      calibrated: false
    }
  }
}
