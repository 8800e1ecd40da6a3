import { answerOf } from "../lexicon/Answers.ts"
import { affirms } from "../lexicon/Polarity.ts"
import type { LeafCandidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks, isConditional } from "../text/Sentences.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { aboutSubject, sentenceAt, tellingStems } from "./FieldWords.ts"
import type { Reading } from "./Reading.ts"

/** What is said instead of a denial: entry that is paid for is not free. */
const OPPOSITES: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [/\bfree\b/u, /\b(?:paid|charged?|costs?|fees?|pay)\b/iu],
  [/\bopen\b/u, /\bclosed?\b/iu]
]

/** A question that asks for something with the property wants it: "Can you find a flat where pets are allowed?" */
const WANTED =
  /\b(?:(?:find|show|get|search|look(?:ing)?|play|book|reserve|need|want|like) .{0,120}\b(?:with|without|where|that|which|allow\p{L}*|in)\b|(?:with|without))\b/iu
const SUMMED_UP = /\b(?:confirm|verify|check|to recap|review|so,? you|correct|right|you want|you(?:'d| would) like)\b/iu

const said = (
  passage: Passage,
  from: number,
  to: number,
  value: boolean,
  manner: "asserted" | "answered"
): LeafCandidate => ({
  candidate: { passage, from, to, kind: "label", text: passage.text.slice(from, to), value },
  value,
  manner
})

const ANSWER_CHARACTERS = 20

/** No more of an answer is cited than answers, and never much: what follows is about something else. */
const answerEnd = ({ text }: Passage, reply: boolean): number => {
  const ends = Array.from(text.matchAll(/[.!?](?=\s|$)/gu), ({ index }) => index + 1)
  return ends.find((end) => end <= ANSWER_CHARACTERS && answerOf(text.slice(0, end)) === reply) ??
    Math.min(text.length, ANSWER_CHARACTERS)
}

/**
 * Yes and no for one field: what a statement with its words affirms or denies, and what the next speaker answers to a
 * question about it. A question that nobody answers says nothing.
 */
export const booleanCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const stems = tellingStems(leaf)
  const isAbout = aboutSubject(reading, leaf)
  const opposites = OPPOSITES.flatMap(([field, words]) => field.test(leaf.words) ? [words] : [])
  const placesIn = (index: number): ReadonlyArray<number> =>
    stems.flatMap((term) => reading.stems[index]?.get(term) ?? []).toSorted((a, b) => a - b)
  return reading.passages.flatMap((passage, index): ReadonlyArray<LeafCandidate> => {
    const token = placesIn(index).map((place) => passage.tokens[place]!).find((one) => isAbout(passage, one))
    if (token === undefined) return []
    const sentence = sentenceAt(passage, token.from)
    const at = token.from - sentence.from
    const opposite = opposites.some((words) => words.test(sentence.text))
    const affirmed = !opposite && affirms(sentence.text, at, at + token.text.length)
    const stated = said(passage, token.from, token.to, affirmed, "asserted")
    if (isConditional(sentence.text, at)) return []
    if (!asks(sentence.text)) return [stated]
    const answer = reading.passages[index + 1]
    const replies = answer !== undefined && answer.modality === passage.modality && answer.speaker !== passage.speaker
    const reply = replies ? answerOf(answer.text) : undefined
    const explicit = WANTED.test(sentence.text) || !affirmed
    if (SUMMED_UP.test(sentence.text) && explicit) return reply === false ? [] : [stated]
    if (WANTED.test(sentence.text) && reply === undefined) return [stated]
    if (reply === undefined || placesIn(index + 1).length > 0) return []
    const value = affirmed ? reply : !reply
    return [said(answer!, 0, answerEnd(answer!, reply), value, "answered")]
  })
}
