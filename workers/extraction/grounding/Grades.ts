import type { Grade } from "../../../src/artifacts/Evidence.ts"
import type { Derivation } from "../candidates/Mention.ts"
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

/** Whether every number, every name and every quoted word of a generated text stands in what it cites. */
export const isCovered = (value: string, quotes: ReadonlyArray<string>): boolean => {
  const cited = quotes.join(" ")
  const said = new Set(tokenise(cited).map(({ norm }) => norm))
  const numbers = new Set(Array.from(cited.matchAll(NUMBER), ([number]) => bare(number)))
  return Array.from(value.matchAll(NUMBER)).every(([number]) => numbers.has(bare(number))) &&
    Array.from(value.matchAll(NAME)).every(([name]) => tokenise(name).every(({ norm }) => said.has(norm))) &&
    Array.from(value.matchAll(QUOTED)).every(([, words]) => cited.includes(words!))
}
