import type { Reading } from "../candidates/Reading.ts"
import { isAsserted } from "../lexicon/Assertion.ts"
import { affirms } from "../lexicon/Polarity.ts"
import { asks, isConditional, supposes } from "../text/Sentences.ts"
import { quoteOf, sentenceAround, type Span } from "../text/SourceDocument.ts"

/**
 * The one sentence that has both, neither asks nor only imagines and denies neither; undefined where none does. Of what it takes
 * for granted, as "our CFO Ada Holt", no doubt in it changes anything.
 */
export const saidTogether = (a: Span, b: Span, reading: Reading): Span | undefined => {
  if (a.passage !== b.passage || reading.unclear.has(a.passage.index) || reading.suspects.has(a.passage.index)) {
    return undefined
  }
  const sentence = sentenceAround({ passage: a.passage, from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) })
  const text = quoteOf(sentence)
  // Two sentences say two things.
  if (quoteOf(sentenceAround(a)) !== text || asks(text) || supposes(text)) return undefined
  return [a, b].every(({ from, to }) => affirms(text, from - sentence.from, to - sentence.from)) ? sentence : undefined
}

/** The one sentence that has both and states them as a fact: neither doubted, nor to come, nor a condition; undefined where none does. */
export const saidPlainly = (a: Span, b: Span, reading: Reading): Span | undefined => {
  const sentence = saidTogether(a, b, reading)
  if (sentence === undefined) return undefined
  const text = quoteOf(sentence)
  return [a, b].every(({ from }) =>
      !isConditional(text, from - sentence.from) && isAsserted(text, from - sentence.from)
    )
    ? sentence
    : undefined
}
