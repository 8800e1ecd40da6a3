import {
  entry,
  type EntryFinder,
  type EntryMentions,
  type Material,
  mentionText,
  saidBy,
  secondOf
} from "../../candidates/Mention.ts"
import { asks, type Sentence, supposes } from "../../text/Sentences.ts"
import type { Span } from "../../text/SourceDocument.ts"
import { tokenise } from "../../text/Tokens.ts"
import { wholeOf } from "./SlideContents.ts"
import { LEAD, spoken } from "./SpokenStatements.ts"

/** What others are reported to say or think is not the speaker's own experience. */
const REPORTED = /\b(?:some|other|many|most|several) (?:people|users|customers|clients|participants|of them)\b/iu
const REFUSED = /^\W*(?:no\b|nope|nah|not really|not at all)/iu
const OPENING = /^(?:(?:so|and|but|well|okay|ok|yes|yeah|no|um|uh|oh|also)[\s,]+)+/iu

/** Fewer words name nothing; what takes more is a speech about several things. */
const [SHORTEST, LONGEST] = [4, 40]

/** A sentence without the words that only tie it to the one before. */
const body = (sentence: Sentence, padding: RegExp): string =>
  sentence.text.slice(padding.exec(sentence.text)?.[0].length ?? 0)

/** Statements of speech that a pattern finds, whole, each with its speaker and its second. */
const statements = (pattern: RegExp, reject?: RegExp, padding = OPENING): EntryFinder => (material) => {
  const said = spoken(material.sentences)
  return said.flatMap((sentence, at): ReadonlyArray<EntryMentions> => {
    const { text } = sentence
    const refused = asks(text) || supposes(text) || REPORTED.test(text) || reject?.test(text) === true
    const next = said[at + 1]
    const denied = next !== undefined && next.passage !== sentence.passage && REFUSED.test(next.text)
    const rest = body(sentence, padding)
    const words = tokenise(rest).length
    if (refused || denied || words < SHORTEST || words > LONGEST || !pattern.test(rest)) return []
    return told(material, sentence, rest)
  })
}

const told = (material: Material, sentence: Sentence, text: string): ReadonlyArray<EntryMentions> => {
  const found = mentionText(sentence, text)
  if (found === undefined) return []
  const one = entry({ text: found, speaker: saidBy(material, found.span), said_at: secondOf(found.span) })
  return one === undefined ? [] : [one]
}

const HARD =
  "(?:annoying|frustrating|confusing|slow|hard|difficult|painful|tedious|cumbersome|broken|unclear|a pain|a nightmare|a mess)"
/** What is hard, slow, confusing or broken for whoever speaks. */
const DIFFICULTY = new RegExp(
  [
    "\\b(?:main |biggest |only |real |big )?(?:problem|trouble|difficulty|annoying (?:thing|part)|pain point) (?:here |with \\S+ )?is\\b",
    "\\b(?:i|we|they|he|she|you|the \\p{L}+|my \\p{L}+|our \\p{L}+) (?:\\p{L}+ly |just |still |often |always )?(?:(?:can['’]?t|cannot|couldn['’]?t|could not) (?:even |really )?(?:find|see|hear|understand|open|reach|share|use|tell)|(?:don['’]?t|didn['’]?t) (?:even |really )?(?:hear|understand|trust))\\b",
    "\\b(?:i|we|they|the \\p{L}+|my \\p{L}+|our \\p{L}+) (?:keep|kept|often|always|constantly) (?:losing|forgetting|having to|get lost|forget|lose|have to)\\b",
    "\\b(?:struggled?|get lost|got lost|gets in the way|have trouble|had trouble)\\b",
    `(?:['’]s|\\b(?:is|are|was|were|feels?|seems?)) (?:\\p{L}+ )?${HARD}(?=[.,;!?]|$| (?:to|for|when|because|at|and|but|if|in|on|since|as|with|that|it)\\b)`,
    "\\btakes? (?:me|us|them|him|her|everyone) (?:\\S+ ){0,3}(?:hours?|days?|weeks?|ages|forever|too long)\\b",
    "\\bnever (?:answers?|works?|worked|loads?|arrives?)\\b|\\b(?:does|do|did)n['’]?t work\\b|\\b(?:crash|freez|fail)(?:es|ed)\\b"
  ].join("|"),
  "iu"
)
const NOT_DIFFICULT =
  /\b(?:not|never|isn['’]?t|aren['’]?t|wasn['’]?t|no longer|nothing)(?: \p{L}+)? (?:annoying|frustrating|confusing|slow|hard|difficult|painful|tedious|broken)\b|\b(?:not|never|won['’]?t|doesn['’]?t|didn['’]?t)(?: \p{L}+)? get lost\b/iu

/** Difficulties, as whoever has them tells them. Guesses, questions and what others are said to think are none. */
export const difficulties = statements(DIFFICULTY, NOT_DIFFICULT)

const WISH =
  /\b(?:i|we) (?:really |just |only )?wish (?:i|it|you|we|they|there|that|the|this|somebody|someone)\b|\bit (?:would|['’]d) be (?:\p{L}+ )?(?:great|nice|good|helpful|useful|better|cool|lovely) if\b|\bit would help if\b|\b(?:i|we)(?:['’]d| would)(?: really| also)? (?:like|love) (?:it if|to (?:see|have|be able))\b|\b(?:i|we) (?:really |also )?need (?:an?|some|something|more|it to|to be able)\b|\bif only\b|\bthere should be\b|\bi would (?:change|add)\b/iu

/** What is wished or asked for, as it is told. A wish is put as a condition more often than not: "it would be great if". */
export const wishes: EntryFinder = (material) =>
  spoken(material.sentences).flatMap((sentence) => {
    const rest = body(sentence, OPENING)
    const wished = WISH.test(rest) && !asks(sentence.text) && !REPORTED.test(rest) && tokenise(rest).length >= SHORTEST
    return wished ? told(material, sentence, rest) : []
  })

/** What is hard, then what is wished for and not yet told as hard. */
export const needs: EntryFinder = (material) => {
  const hard = difficulties(material)
  const known = hard.map(({ text }) => text!.span)
  const isKnown = ({ from, passage }: Span): boolean =>
    known.some((one) => one.passage === passage && one.from === from)
  return [...hard, ...wishes(material).filter(({ text }) => !isKnown(text!.span))]
}

const CONCERN =
  /\b(?:i['’]m|i am|we['’]re|we are) (?:\p{L}+ ){0,3}?(?:worried|concerned|nervous|sceptical|skeptical|not convinced|afraid (?:that|of)|not sure (?:that|if|whether|about|we|it|this))\b|\b(?:my|our) (?:main |only |biggest |one )?(?:worry|concern|fear|doubt) is\b|\bwhat worries (?:me|us)\b|(?:['’]s|\b(?:is|are|sounds|seems)) (?:\p{L}+ )?(?:too expensive|too pricey|a lot of money|over (?:our|the) budget)\b|\b(?:we|i) (?:can['’]?t|cannot) (?:afford|justify|commit)\b/iu

/** Doubts, as they are told. */
export const concerns = statements(CONCERN, /\bnot (?:\p{L}+ )?(?:worried|concerned|afraid|expensive)\b/iu)

const FORBIDDING =
  /^(?:don['’]?t|do not|never|be (?:very )?careful|careful|watch out|beware|avoid|make sure (?:you |that you )?(?:don['’]?t|not|never))\b|\byou (?:should|must) (?:never|not)\b|\bplease (?:don['’]?t|never)\b/iu

/** What not to do and what to be careful with. */
export const warnings = statements(
  FORBIDDING,
  /^\W*(?:don['’]?t (?:worry|forget|you|we|be shy|mind)|never mind)/iu,
  LEAD
)

const TIP =
  /\b(?:my|a|an|one|another|the|here['’]?s a)(?: (?:little|good|small|quick|best|last|first|simple|nice|useful|extra|pro)){0,2} (?:tip|trick|hint|piece of advice)(?: here| for you)? (?:is|would be)(?: to| that)? (.+?)[.!]?$/iu
const TIP_LINE = /^\s*(?:pro )?(?:tip|trick|hint)\s*\d*\s*[:–-]\s*(.{6,})$/iu

/** Advice that calls itself a tip: on lines that say so, and in speech. */
export const tips: EntryFinder = ({ reading, sentences }) => {
  const shown = reading.passages.filter(({ channel }) => channel === "ocr").map((passage) => {
    const match = TIP_LINE.exec(passage.text)
    return match === null ? undefined : entry({ text: mentionText(wholeOf(passage), match[1]!) })
  })
  const said = spoken(sentences).map((sentence) => {
    const match = asks(sentence.text) || supposes(sentence.text) ? null : TIP.exec(sentence.text)
    return match === null ? undefined : entry({ text: mentionText(sentence, match[1]!), said_at: secondOf(sentence) })
  })
  return [...shown, ...said].filter((one) => one !== undefined)
}
