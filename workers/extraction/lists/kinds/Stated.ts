import { affirms, negates, NEGATION } from "../../lexicon/Polarity.ts"
import { asks, isConditional, type Sentence, supposes } from "../../text/Sentences.ts"
import { sentenceAround, type Span } from "../../text/SourceDocument.ts"

/** How far before a place what denies it may stand: a passage without full stops is one sentence. */
const REACH = 200

/** Verbs and prepositions that say of what follows that it is not there. */
const DENIED =
  /\b(?:den(?:y|ies|ied)|rule[sd]? out|exclud(?:es?|ed|ing)|except(?: for)?|apart from|other than|no longer|nor|hardly any)\b/iu
/** What has been so and is over; "the tools used to fix it" are not. */
const OVER =
  /\b(?:(?:i|you|he|she|it|we|they|there) used to|used to (?:be|have|include|contain|consist|come|belong)|formerly|previously|originally|back then|(?<=^\W*(?:\p{L}+\s)?)last (?:year|month|week|season|time)\b.*\b(?:was|were|had))\b/iu

/** Whether words of a schema ask for what is not so: things that are missing, or forbidden. */
export const asksDenied = (words: string): boolean =>
  NEGATION.test(words) || DENIED.test(words) ||
  /\b(?:missing|absent|forbidden|prohibited|avoid(?:s|ed|ing)?|exclu(?:de[sd]?|sions?)|absen(?:t|ce)|lack(?:s|ing)?|free of)\b/u
    .test(words)
const ASKS_PAST = /\b(?:former|previous|prior|past|old|used to|original|earlier|before|last|history)\b/u

/** The text of the sentence around a span, as far as it says something of it, and where that begins in the passage. */
export const statementAround = (span: Span): { readonly from: number; readonly text: string } => {
  const sentence = sentenceAround(span)
  const from = Math.max(sentence.from, span.from - 2 * REACH)
  return { from, text: span.passage.text.slice(from, Math.min(sentence.to, span.to + 2 * REACH)) }
}

/** What stands before a place of a text, as far as it says something of it. */
const leadTo = (text: string, at: number): string => text.slice(Math.max(0, at - REACH), at)

/** Whether a sentence states what stands at `[from, to)` of it: it neither asks, imagines, makes a condition of it nor denies it. */
export const isStated = ({ text }: Pick<Sentence, "text">, from: number, to: number): boolean =>
  !asks(text) && !supposes(text) && !isConditional(text, from) && !isDenied(text, from, to)

/** Whether what stands at `[from, to)` of a sentence is denied. */
export const isDenied = (text: string, from: number, to: number): boolean => {
  const start = Math.max(0, from - REACH)
  return !affirms(text.slice(start, to + REACH), from - start, to - start) ||
    DENIED.test(clauseBefore(leadTo(text, from)))
}

/** Whether words that lead to something say that it is not there. */
export const denies = (lead: string): boolean => negates(lead) || DENIED.test(lead)

const clauseBefore = (lead: string): string =>
  lead.split(/[.!?;]\s|,\s|\b(?:but|though|although|because|so|while)\b/iu).at(-1)!

/** Whether a sentence tells of what is over up to a place of it. */
const isOver = (text: string, at: number): boolean => OVER.test(leadTo(text, at))

/** Whether a sentence states a list's entries that stand at `[from, to)`: what a list asks for that is denied or over may be so. */
export const statesEntries = (sentence: Sentence, from: number, to: number, words: string): boolean => {
  const { text } = sentence
  if (asks(text) || supposes(text) || isConditional(text, from)) return false
  return (asksDenied(words) || !isDenied(text, from, to)) && (ASKS_PAST.test(words) || !isOver(text, from))
}
