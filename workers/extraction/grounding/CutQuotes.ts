import { factorOf, measureOf } from "../candidates/Measures.ts"
import { scanNumbers } from "../candidates/scan/ScanNumbers.ts"
import { PAST_OR_TO, WITH_MINUTES } from "../lexicon/ClockTimes.ts"
import { inScale } from "../lexicon/FieldScales.ts"
import { numbersIn } from "../lexicon/Numbers.ts"
import { wantsCode } from "../text/FieldForms.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage, Span } from "../text/SourceDocument.ts"

interface Stretch {
  readonly from: number
  readonly to: number
}

interface Wholes {
  readonly numerals: ReadonlyArray<Stretch & { readonly value: number }>
  readonly durations: ReadonlyArray<Stretch>
  readonly times: ReadonlyArray<Stretch>
}

/** Times in words whose hour or minutes are no number by themselves. */
const TIME = new RegExp(
  `\\b(?:${PAST_OR_TO}|${WITH_MINUTES}(?=\\s*[ap]\\.?m\\b|\\s+(?:in the|this) (?:morning|afternoon|evening)|\\s+at night))`,
  "giu"
)

const remembered = new WeakMap<Passage, Wholes>()

const wholesOf = (passage: Passage): Wholes => {
  const known = remembered.get(passage)
  if (known !== undefined) return known
  const { text, tokens } = passage
  const wholes = {
    numerals: numbersIn(tokens).map(({ at, end, value }) => ({
      from: tokens[at]!.from,
      to: tokens[end - 1]!.to,
      value
    })),
    durations: scanNumbers(passage, () => false).filter(({ kind }) => kind === "duration"),
    times: Array.from(text.matchAll(TIME), ({ 0: said, index }) => ({ from: index, to: index + said.length }))
  }
  remembered.set(passage, wholes)
  return wholes
}

const isInside = (edge: number, { from, to }: Stretch): boolean => from < edge && edge < to
const cuts = (span: Stretch, whole: Stretch): boolean => isInside(span.from, whole) || isInside(span.to, whole)

/** Whether more than a unit is left of a duration outside of the quote: another number, or a half of it. */
const leavesNumber = (text: string, span: Stretch, whole: Stretch, numerals: ReadonlyArray<Stretch>): boolean =>
  numerals.some(({ from, to }) => whole.from <= from && to <= whole.to && (to <= span.from || from >= span.to)) ||
  (span.to < whole.to && /\b(?:half|quarter)\b/iu.test(text.slice(span.to, whole.to)))

const cutsDuration = (span: Span): boolean => {
  const { durations, numerals } = wholesOf(span.passage)
  return durations.some((whole) => cuts(span, whole) && leavesNumber(span.passage.text, span, whole, numerals))
}

const cutsNumber = (leaf: Leaf, value: number, span: Span): boolean => {
  const { passage, to } = span
  const { numerals, times } = wholesOf(passage)
  const [factor, measure] = [factorOf(leaf), measureOf(leaf)]
  return numerals.some((whole) => {
    if (!cuts(span, whole)) return false
    // "218" of "218 million" is what a field in millions asks for, and "10" of "10K" what one in kilometres does.
    const isScaled = factor !== undefined &&
      inScale(factor, whole.value, passage.text.slice(whole.from, whole.to), true) === value
    const isUnit = measure?.dimension === "length" && /^[km]$/iu.test(passage.text.slice(to, whole.to))
    return !isScaled && !isUnit
  }) ||
    cutsDuration(span) ||
    // "Ten to twelve" may be a range as well.
    times.some((whole) => cuts(span, whole) && / past /iu.test(passage.text.slice(whole.from, whole.to)))
}

/** Words that are written with spaces between them; a figure ends in its unit at any letter. */
const WITHIN = /^(?:[\p{Script=Latin}\p{M}][\p{Script=Latin}\p{M}\d]|\d\d)$/u

const cutsWord = ({ from, passage: { text }, to }: Span): boolean =>
  WITHIN.test(text.slice(Math.max(0, from - 1), from + 1)) || WITHIN.test(text.slice(to - 1, to + 1))

/** "7" of "2031-7": an identifier goes on behind a hyphen, a dot or a slash, where a score or a range has two values. */
const cutsIdentifier = (leaf: Leaf, { from, passage: { text }, to }: Span): boolean =>
  wantsCode(leaf) === "code" &&
  (/[\p{L}\d][-./]$/u.test(text.slice(Math.max(0, from - 2), from)) || /^[-./][\p{L}\d]/u.test(text.slice(to, to + 2)))

/**
 * Whether a quote is cut out of something longer that says another value: out of a number, a duration of several units, a time, an
 * identifier or a written word. By its own words nobody could tell.
 */
export const isCutOut = (leaf: Leaf, value: unknown, span: Span): boolean => {
  if (typeof value === "number") return cutsNumber(leaf, value, span)
  return typeof value === "string" &&
    (cutsWord(span) || cutsIdentifier(leaf, span) || cutsDuration(span) ||
      wholesOf(span.passage).times.some((whole) => cuts(span, whole)))
}
