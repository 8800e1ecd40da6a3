import type { Grade } from "../../../src/artifacts/Evidence.ts"
import type { Derivation } from "../candidates/Mention.ts"
import { numbersIn } from "../lexicon/Numbers.ts"
import { sentencesIn } from "../text/SentenceBounds.ts"
import { quoteOf, type Span, trimSpan } from "../text/SourceDocument.ts"
import { tokenise } from "../text/Tokens.ts"
import type { Draft } from "./Draft.ts"
import type { Support } from "./Verify.ts"

/** How a value that the code computes comes from what it cites, as evidence names it. */
export const FORMULAS: Readonly<Record<Derivation, string>> = {
  t_start: "t_start(quote)",
  t_end: "t_end(quote)",
  order: "position(entry)",
  speaker: "speaker(quote)"
}

/** By what kind of proof a draft's value stands, once its quote is known to carry it so far. */
export const gradeOf = ({ derived, grade, value }: Draft, support: Support): Exclude<Grade, "default"> =>
  derived !== undefined
    ? "computed"
    : grade ?? (typeof value === "boolean" || support === "inferred" ? "classified" : "stated")

/** A text of several sentences cites each of them by itself. */
export const sentenceSpans = (span: Span): ReadonlyArray<Span> => {
  const text = quoteOf(span)
  const spans = sentencesIn(text).map(({ from, to }) =>
    trimSpan({ passage: span.passage, from: span.from + from, to: span.from + to })
  )
  return spans.filter(({ from, to }) => to > from)
}

const NUMBER = /\d+(?:[.,]\d+)*/gu
/** A capital within a sentence; its first word has one whatever it is. */
const NAME = /(?<=[\p{L}\p{N},;:)] )\p{Lu}[\p{L}\p{N}'’-]+/gu
const QUOTED = /["“]([^"”]+)["”]/gu

const bare = (number: string): string => number.replaceAll(",", "")

/** Numbers of a text in figures or in words, from two on: "one" and "first" are often none. */
const numerals = (
  text: string
): ReadonlyArray<{ readonly value: number; readonly from: number; readonly to: number }> => {
  const tokens = tokenise(text)
  return numbersIn(tokens).filter(({ ordinal, value }) => !ordinal && value >= 2)
    .map(({ at, end, value }) => ({ value, from: tokens[at]!.from, to: tokens[end - 1]!.to }))
}

/** Whether every number, in figures or in words, every name and every quoted word of a generated text stands in what it cites. */
export const isCovered = (value: string, quotes: ReadonlyArray<string>): boolean => {
  const cited = quotes.join(" ")
  const said = new Set(tokenise(cited).map(({ norm }) => norm))
  const figures = new Set(Array.from(cited.matchAll(NUMBER), ([number]) => bare(number)))
  const counted = new Set([...numerals(cited).map((one) => one.value), ...Array.from(figures, Number)])
  const own = numerals(value)
  // "12 million" is no 12.
  const ofNumeral = (at: number): boolean => own.some(({ from, to }) => at >= from && at < to)
  return own.every((one) => counted.has(one.value)) &&
    Array.from(value.matchAll(NUMBER)).every(({ 0: number, index }) => ofNumeral(index) || figures.has(bare(number))) &&
    Array.from(value.matchAll(NAME)).every(([name]) => tokenise(name).every(({ norm }) => said.has(norm))) &&
    Array.from(value.matchAll(QUOTED)).every(([, words]) => cited.includes(words!))
}
