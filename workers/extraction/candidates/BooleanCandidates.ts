import { settledAnswerOf } from "../lexicon/Answers.ts"
import { isAsserted } from "../lexicon/Assertion.ts"
import { affirms, OPPOSITES } from "../lexicon/Polarity.ts"
import type { LeafCandidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks, isConditional } from "../text/Sentences.ts"
import type { Passage } from "../text/SourceDocument.ts"
import type { Token } from "../text/Tokens.ts"
import { aboutSubject, asksToCome, sentenceAt, tellingStems } from "./FieldWords.ts"
import { isOfAnother } from "./OtherHolders.ts"
import type { Reading } from "./Reading.ts"

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
  return ends.find((end) => end <= ANSWER_CHARACTERS && settledAnswerOf(text.slice(0, end)) === reply) ??
    Math.min(text.length, ANSWER_CHARACTERS)
}

/** One place where a sentence speaks of a field: whether as a fact, and whether it says so or the opposite. */
interface Statement {
  readonly token: Token
  readonly sentence: ReturnType<typeof sentenceAt>
  readonly affirmed: boolean
  readonly asserted: boolean
}

/** What the sentences of a passage state of a field, in order. */
const statementsOf = (reading: Reading, leaf: Leaf): (passage: Passage) => ReadonlyArray<Statement> => {
  const stems = tellingStems(leaf)
  const isAbout = aboutSubject(reading, leaf)
  const mayCome = asksToCome(leaf)
  const opposites = OPPOSITES.find(([field]) => field.test(leaf.words))
  return (passage) => {
    const places = stems.flatMap((term) => reading.stems[passage.index]?.get(term) ?? []).toSorted((a, b) => a - b)
    // One mention of each sentence: a text without stops is read once, however often it speaks of the field.
    const sentences = new Map(
      places.toReversed().map((place) => {
        const token = passage.tokens[place]!
        const sentence = sentenceAt(passage, token.from)
        return [sentence.from, { token, sentence }] as const
      })
    )
    return Array.from(sentences.values()).toReversed().flatMap(({ sentence, token }): ReadonlyArray<Statement> => {
      if (!isAbout(passage, token)) return []
      const [own, words] = opposites ?? []
      const { 0: word, index: place } = own?.exec(sentence.text) ?? { 0: token.text, index: token.from - sentence.from }
      if (isConditional(sentence.text, place) || isOfAnother(leaf, sentence.text, place)) return []
      const asserted = isAsserted(sentence.text, place, mayCome)
      const opposite = own?.test(sentence.text) === false ? words!.exec(sentence.text) : null
      if (opposite === null) {
        return [{ token, sentence, asserted, affirmed: affirms(sentence.text, place, place + word.length) }]
      }
      // "There is no fee" denies a denial: what follows from it is not said.
      return affirms(sentence.text, opposite.index, opposite.index + opposite[0].length)
        ? [{ token, sentence, asserted, affirmed: false }]
        : []
    })
  }
}

/**
 * Yes and no for one field: what a statement with its words affirms or denies, and what the next speaker answers to a
 * question about it. A question that nobody answers says nothing, and nor does what is only to come, possible or doubted.
 */
export const booleanCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const statements = statementsOf(reading, leaf)
  const stems = tellingStems(leaf)
  return reading.passages.flatMap((passage, index): ReadonlyArray<LeafCandidate> => {
    const first = statements(passage).find((one) => one.asserted || asks(one.sentence.text))
    if (first === undefined) return []
    const { affirmed, sentence, token } = first
    const stated = said(passage, token.from, token.to, affirmed, "asserted")
    if (!asks(sentence.text)) return [stated]
    const answer = reading.passages[index + 1]
    const replies = answer !== undefined && answer.modality === passage.modality && answer.speaker !== passage.speaker
    const reply = replies ? settledAnswerOf(answer.text) : undefined
    const explicit = WANTED.test(sentence.text) || !affirmed
    if (SUMMED_UP.test(sentence.text) && explicit) return reply === false ? [] : [stated]
    if (WANTED.test(sentence.text) && reply === undefined) return [stated]
    if (reply === undefined || stems.some((term) => reading.stems[index + 1]?.has(term) === true)) return []
    const value = affirmed ? reply : !reply
    return [said(answer!, 0, answerEnd(answer!, reply), value, "answered")]
  })
}
