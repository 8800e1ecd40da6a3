import { type AlignmentIndex, alignmentIndex, findExact, findFuzzy } from "../../grounding/Align.ts"
import { type Passage, quoteOf, type Span, trimSpan } from "../../text/SourceDocument.ts"
import { stem, tokenise } from "../../text/Tokens.ts"

const whole = (passage: Passage): Span => trimSpan({ passage, from: 0, to: passage.text.length })

/** Parts of a quote that runs over several lines, leaves words out or stands in quotation marks. */
const partsOf = (quote: string): ReadonlyArray<string> =>
  quote.split(/\s*(?:\.\.\.|…|\n|\s\/\s|\[\.*\])\s*/u).map((part) => part.replaceAll(/^["“”']+|["“”']+$/gu, "").trim())
    .filter((part) => tokenise(part).length > 0)

/** Share of a quote's words that a line has, in any order. */
const shareIn = (quote: string, passage: Passage): number => {
  const words = new Set(passage.tokens.map(({ norm }) => stem(norm)))
  const said = tokenise(quote).map(({ norm }) => stem(norm))
  return said.length === 0 ? 0 : said.filter((word) => words.has(word)).length / said.length
}

/** Share of a line's words that a quote has. */
const coveredBy = (quote: string, passage: Passage): number => {
  const words = new Set(tokenise(quote).map(({ norm }) => stem(norm)))
  return passage.tokens.length === 0
    ? 0
    : passage.tokens.filter(({ norm }) => words.has(stem(norm))).length / passage.tokens.length
}

/** The full stop belongs to a sentence that is quoted with it. */
const toItsEnd = (span: Span, quote: string): Span =>
  /[.!?]$/u.test(quote) && /[.!?]/u.test(span.passage.text[span.to] ?? "") ? { ...span, to: span.to + 1 } : span

/** A quote that is tidied keeps most of its words. */
const TIDIED = 0.7

/**
 * Where a model's quote stands in the source, in the source's own characters: word for word, in parts, over two lines that
 * it cites, or tidied within a line that it cites. Nothing where the source does not have it.
 */
export const citations = (index: AlignmentIndex, suspects: ReadonlyMap<number, unknown>) => {
  const exact = (quote: string, cited: ReadonlySet<Passage>): Span | undefined =>
    findExact(index, quote).toSorted((a, b) =>
      Number(suspects.has(a.passage.index)) - Number(suspects.has(b.passage.index)) ||
      Number(cited.has(b.passage)) - Number(cited.has(a.passage)) ||
      Number(b.tier === "exact") - Number(a.tier === "exact") ||
      a.passage.index - b.passage.index || a.from - b.from
    )[0]

  return (quote: string, lines: ReadonlyArray<Passage>): ReadonlyArray<Span> => {
    const cited = new Set(lines)
    const found = exact(quote, cited)
    if (found !== undefined) return [toItsEnd(trimSpan(found), quote)]
    const parts = partsOf(quote).flatMap((part) => exact(part, cited) ?? [])
    if (parts.length > 0 && parts.length === partsOf(quote).length) return parts.map(trimSpan)
    // Two lines in one quote: each stands in it nearly whole.
    const over = lines.filter((line) => coveredBy(quote, line) >= 0.85)
    if (over.length > 1) return over.map(whole)
    const near = findFuzzy(alignmentIndex(lines), quote).toSorted((a, b) => b.similarity - a.similarity)[0]
    if (near !== undefined && near.similarity >= TIDIED) return [trimSpan(near)]
    const tidied = lines.filter((line) => shareIn(quote, line) >= TIDIED)
    return tidied.length > 0 ? tidied.slice(0, 1).map(whole) : over.map(whole)
  }
}

/** The words of citations, each in its line. */
export const quotesOf = (spans: ReadonlyArray<Span>): string => spans.map(quoteOf).join("\n")
