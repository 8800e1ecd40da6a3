import type { Leaf } from "../text/Plan.ts"
import { type Passage, sentencesWithin } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, type Token, tokenise } from "../text/Tokens.ts"
import type { Reading } from "./Reading.ts"

// Stems that any yes-or-no field's name or description may hold and that say nothing about which field it is.
const EMPTY_STEM =
  /^(?:whether|flag|boolean|has|need|requir|includ|availabl?|provid|offer|plac|place|want|user|reserv|number|should|restaurant|hotel|hous|car|rid|ride|add|trip|serv|servic|salon|accommodat|event|transact|privat|attract|attraction|free|property|allow|permit|show|cinema|home|indicat|desir|option|adequat|insid|good|welcom|tak|take|book|movi|dentist|doctor|person|thing|true|fals|false|yes|set)$/u

/** How a description asks, whatever it asks for: "null if nobody says so" is about no field. */
const ASKING_STEM =
  /^(?:only|shown|said|say|state|stated|stat|give|given|giv|null|none|nothing|nobody|anybody|anyone|somebody|someone|unless|otherwis|one|video)$/u

/** Stems that mean the same as a telling one: fields are named by one word and spoken of by another. */
const SAME: ReadonlyArray<ReadonlyArray<string>> = [
  "subtitle caption",
  "pet dog cat animal",
  "wifi wi-fi internet",
  "kid child children family",
  "entry entrance admission fee",
  "outdoor outside outdoors patio",
  "share shared sharing",
  "refund refundable",
  "alcohol liquor wine beer drinks",
  "vegetarian vegan",
  "parking garage",
  "smoke smoking"
].map((group) => group.split(" ").map(stem))

/** The stems that a yes-or-no field is recognised by: those of its name, or of its description where its name has none. */
export const tellingStems = (leaf: Leaf): ReadonlyArray<string> => {
  const of = (least: number): ReadonlyArray<string> =>
    Array.from(leaf.terms).flatMap(([term, weight]) => weight >= least ? [term] : [])
  const named = of(0.9).filter((term) => !EMPTY_STEM.test(term))
  const described = of(0.6).filter((term) => !EMPTY_STEM.test(term) && !ASKING_STEM.test(term))
  const own = [named, described].find((terms) => terms.length > 0) ?? of(0.9)
  return Array.from(new Set([...own, ...SAME.filter((group) => own.some((term) => group.includes(term))).flat()]))
}

/** Names that only say what becomes of something: what that is stands in the description. */
const BECOMES =
  /^(?:\p{L}{3,}ed|done|complete|over|ready|open|sold|paid|sent|built|won|lost|broken|taken|written|chosen)$/u
const AROUND = /^(?:been|already|now|yet|fully|finally|still|ever|get|got|\p{L}+ly)$/u

/** The stems of what a description says the name of: "Whether the migration finished" is about the migration. */
const subjectStems = ({ name, schema }: Leaf): ReadonlyArray<string> => {
  const [only, ...others] = identifierWords(name).filter((word) => !STOP_WORDS.has(word))
  if (only === undefined || others.length > 0 || !BECOMES.test(only)) return []
  const words = String(schema["description"] ?? "").toLowerCase().match(/[\p{L}-]+/gu) ?? []
  const from = words.findIndex((word) => /^(?:whether|if|that)$/u.test(word))
  const to = words.findIndex((word, at) => at > from && stem(word) === stem(only))
  return words.slice(from < 0 ? words.length : from + 1, Math.max(0, to))
    .filter((word) => !STOP_WORDS.has(word) && !AROUND.test(word)).map(stem)
    .filter((term) => !EMPTY_STEM.test(term) && !ASKING_STEM.test(term))
}

const POINTS_BACK = /\b(?:it|that|this|they|these|those|which|both|all|everything)\b|^\W*$/iu
const POINTS_BACK_AFTER = /^\s+(?:it|that|this|them|these|those|both|all|everything)\b/iu
/** How many passages a pronoun is followed back. */
const BACK = 3

/** The sentence that a character of a passage is in. */
export const sentenceAt = (passage: Passage, at: number): { readonly from: number; readonly text: string } => {
  const { from, to } = sentencesWithin(passage).findLast((one) => one.from <= at) ??
    { from: 0, to: passage.text.length }
  return { from, text: passage.text.slice(from, to).trimEnd() }
}

/**
 * Whether a statement in a field's only word is about what the field is about: somebody's finished coffee is no finished
 * migration. What "it" is was said shortly before. Always so for fields that name their subject.
 */
export const aboutSubject = (reading: Reading, leaf: Leaf): (passage: Passage, word: Token) => boolean => {
  const subject = subjectStems(leaf)
  if (subject.length === 0) return () => true
  const names = (text: string): boolean => tokenise(text).some(({ norm }) => subject.includes(stem(norm)))
  return (passage, { from, to }) => {
    const sentence = sentenceAt(passage, from)
    if (names(sentence.text)) return true
    const refers = POINTS_BACK.test(passage.text.slice(sentence.from, from)) ||
      POINTS_BACK_AFTER.test(passage.text.slice(to))
    const before = reading.stems.slice(Math.max(0, passage.index - BACK), passage.index)
    return refers && (names(passage.text.slice(0, sentence.from)) ||
      before.some((stems) => subject.some((term) => stems.has(term))))
  }
}
