import { answerOf, settledAnswerOf } from "../lexicon/Answers.ts"
import { EXEMPTED, isAsserted } from "../lexicon/Assertion.ts"
import { affirms } from "../lexicon/Polarity.ts"
import type { LeafCandidate } from "../text/Candidate.ts"
import type { Leaf } from "../text/Plan.ts"
import { asks, isConditional } from "../text/Sentences.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { stem, type Token } from "../text/Tokens.ts"
import { aboutSubject, asksToCome, sentenceAt, sentencesAfter, statingStems, tellingStems } from "./FieldWords.ts"
import { isOfAnother } from "./OtherHolders.ts"
import type { Reading } from "./Reading.ts"
import { OWN, statedBy } from "./StatedYes.ts"

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

/** One place where a sentence speaks of a field, and what it says of it, or, as a question, asks. */
interface Statement {
  readonly token: Token
  readonly sentence: ReturnType<typeof sentenceAt>
  readonly affirmed: boolean
}

/** How many mentions of one sentence are read: a text without stops is read once, however often it speaks of the field. */
const MENTIONS = 4

/** "There isn't, no, it's permit parking": what follows a short denial is what there is instead, but for a "but". */
const DENIED_FIRST =
  /^\W*(?:(?:and|well|um|uh|oh|so|sorry|unfortunately|no)\W+)*there (?:is|are)n['’]t\s*,(?!.*\bbut\b)/iu

/** Who wonders about something, and what is said next settles it: "You were worried about asbestos. There isn't any." */
const WONDERED =
  /\b(?:worr(?:y|ies|ied|ying)|wonder(?:s|ed|ing)?|ask(?:s|ed|ing)?|afraid|fear(?:s|ed)?|hop(?:e[ds]?|ing)|heard|rumou?rs?|writing in|what about|how about|thought)\b/iu
const NONE_THERE = /^\W*(?:[^,.;!?]{0,40}\s)?there (?:is|are|was|were)n['’]t (?:any|one)\b|^\W*none\b/iu
/** How many sentences after one that asks or wonders may answer it. */
const ANSWERING = 2

/** "There will be a bit of sight reading" tells of the event that is spoken of; "there will be a lift next year" of none that is there. */
const WILL_BE = /\bthere(?:['’]ll| will) be\s+(?:[\p{L}'’-]+\s+){0,5}$/iu
const LATER =
  /\b(?:next|soon|later|eventually|one day|some ?day|from|by|in (?:the )?(?:future|\p{N}+|\p{L}+ years?))\b/iu

interface Answer {
  readonly from: number
  readonly to: number
  readonly value: boolean
}

/**
 * What whoever asks, or wonders, answers in the sentences right behind the one at a character: "Do you have to send receipts? No." Wondering is
 * settled by a no alone: a "yes" may agree to anything.
 */
const ownAnswer = (passage: Passage, at: number, wonders: boolean): Answer | undefined => {
  for (const { from, text } of sentencesAfter(passage, at, ANSWERING)) {
    const value = text.endsWith("?") ? undefined : NONE_THERE.test(text) ? false : answerOf(text)
    if (value === false || (value === true && !wonders)) return { from, to: from + text.length, value }
  }
  return undefined
}

/** What the sentences of a passage state, or ask, of a field, in order. */
const statementsOf = (reading: Reading, leaf: Leaf): (passage: Passage) => ReadonlyArray<Statement> => {
  const telling = tellingStems(leaf)
  const stating = new Set(statingStems(leaf))
  const isAbout = aboutSubject(reading, leaf)
  const mayCome = asksToCome(leaf)
  const stated = statedBy(leaf)
  return (passage) => {
    const places = telling.flatMap((term) => reading.stems[passage.index]?.get(term) ?? []).toSorted((a, b) => a - b)
    const tokens = places.map((place) => passage.tokens[place]!)
    const sentences = Map.groupBy(
      tokens.map((token) => ({ token, sentence: sentenceAt(passage, token.from) })),
      ({ sentence }) => sentence.from
    )
    return Array.from(sentences.values()).flatMap((mentions): ReadonlyArray<Statement> => {
      const { sentence } = mentions[0]!
      const isQuestion = asks(sentence.text)
      const said = mentions.slice(0, MENTIONS).flatMap(({ token }): ReadonlyArray<Statement> => {
        if (!isAbout(passage, token)) return []
        const { from: start, text } = sentence
        const [from, to] = [token.from - start, token.to - start]
        if (isConditional(text, from) || isOfAnother(leaf, text, from)) return []
        if (isQuestion) return [{ token, sentence, affirmed: affirms(text, from, to) }]
        const settled = WONDERED.test(text) ? ownAnswer(passage, start, true) : undefined
        if (settled !== undefined) return [{ token, sentence, affirmed: false }]
        const comes = mayCome || (WILL_BE.test(text.slice(0, from)) && !LATER.test(text)) || OWN.test(text)
        if (!stating.has(stem(token.norm)) || !isAsserted(text, from, comes)) return []
        const affirmed = stated(text, from, to, passage.modality === "visual")
        if (affirmed === true && DENIED_FIRST.test(text)) return []
        return affirmed === undefined ? [] : [{ token, sentence, affirmed }]
      }).slice(0, 1)
      const exempt = mentions.slice(0, MENTIONS).find(({ token }) =>
        EXEMPTED.test(sentence.text.slice(0, token.from - sentence.from))
      )
      // "Open every day except Sunday" says of Sunday what it denies of all other days.
      return isQuestion || exempt === undefined ? said : said.map((one) => ({
        sentence,
        token: exempt.token,
        affirmed: !one.affirmed
      }))
    })
  }
}

/**
 * Yes and no for one field: what a statement with its words affirms or denies, and what the next speaker answers to a
 * question about it. A question that nobody answers says nothing, nor does what is only mentioned, to come, possible or doubted.
 */
export const booleanCandidates = (reading: Reading, leaf: Leaf): ReadonlyArray<LeafCandidate> => {
  const statements = statementsOf(reading, leaf)
  const stated = statedBy(leaf)
  const stating = new Set(statingStems(leaf))
  /** Whether a reply says in the field's words what its "yes" or "no" says not: "No, the garage is new". */
  const isGainsaid = (reply: Passage, value: boolean): boolean =>
    reply.tokens.filter(({ norm }) => stating.has(stem(norm))).slice(0, MENTIONS).some(({ from, to }) => {
      const { from: start, text } = sentenceAt(reply, from)
      return stated(text, from - start, to - start) === !value
    })
  return reading.passages.flatMap((passage, index): ReadonlyArray<LeafCandidate> => {
    const told = statements(passage)
    const [first] = told
    if (first === undefined) return []
    const { affirmed, sentence, token } = first
    const stated = said(passage, token.from, token.to, affirmed, "asserted")
    if (!asks(sentence.text)) return [stated]
    const own = ownAnswer(passage, sentence.from, false)
    // To "isn't there any?" a "no" agrees, and so does a "yes".
    if (own !== undefined) return [said(passage, own.from, own.to, affirmed && own.value, "answered")]
    const later = told.find((one) => !asks(one.sentence.text))
    if (later !== undefined) return [said(passage, later.token.from, later.token.to, later.affirmed, "asserted")]
    const answer = reading.passages[index + 1]
    const replies = answer !== undefined && answer.modality === passage.modality && answer.speaker !== passage.speaker
    const reply = replies ? settledAnswerOf(answer.text) : undefined
    // "Nobody was hurt, right?" "No, thank God."
    if (!affirmed && reply === false) return [said(answer!, 0, answerEnd(answer!, reply), false, "answered")]
    const explicit = WANTED.test(sentence.text) || !affirmed
    if (SUMMED_UP.test(sentence.text) && explicit) return reply === false ? [] : [stated]
    if (WANTED.test(sentence.text) && reply === undefined) return [stated]
    if (reply === undefined) return []
    const value = affirmed && reply
    return isGainsaid(answer!, value) ? [] : [said(answer!, 0, answerEnd(answer!, reply), value, "answered")]
  })
}
