import { numberAt } from "../../lexicon/Numbers.ts"
import type { List } from "../../text/Plan.ts"
import { asks, type Sentence } from "../../text/Sentences.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { announcerIn, announcersOf } from "./Announcers.ts"

/** Stems that any list's name or description may hold and that say nothing about which list it is. */
const EMPTY = new Set(
  ("list item entry every each all one name give given said mention mentioned show shown stated state according order video footage episode main key part " +
    "required require new other several different person people thing short phrase word text type kind as only which that presenter speaker host reviewer " +
    "used use like make made get got want per any number first last")
    .split(" ").map(stem)
)

/** What a list is about: stems of its name, and of its descriptions where these add to it. */
export interface Subject {
  readonly named: ReadonlySet<string>
  readonly described: ReadonlySet<string>
  /** Stems of the verbs by which people tell what is in such a list. */
  readonly announcers: ReadonlySet<string>
  /** The list's name and its descriptions as they are. */
  readonly name: string
  readonly words: string
}

/** "Going" and "go" are one word to a heading; other stems are longer than the suffix stripper's least length. */
export const subjectStem = (word: string): string => /^(?:go|do)ing$/u.test(word) ? word.slice(0, 2) : stem(word)

const stemsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.map(subjectStem).filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !EMPTY.has(word))

/** "Things to bring", "foods_to_avoid": the verb that the list is called by announces it. */
const ownVerbs = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const verb = words[words.indexOf("to") + 1]
  return words.includes("to") && verb !== undefined && !STOP_WORDS.has(verb) ? [stem(verb)] : []
}

export const subjectOf = (list: List): Subject => {
  const named = new Set(stemsOf(identifierWords(list.name)))
  const described = stemsOf(tokenise(list.words).map(({ norm }) => norm)).filter((word) => !named.has(word))
  return {
    named,
    described: new Set(described),
    announcers: new Set([
      ...announcersOf(identifierWords(list.name).map(stem)),
      ...ownVerbs(identifierWords(list.name))
    ]),
    name: identifierWords(list.name).join(" "),
    words: list.words
  }
}

/** How much a text speaks of a list's subject: 1 for each word of its name, 0.6 for each of its description. */
export const speaksOfSubject = ({ described, named }: Subject, text: string): number => {
  const stems = Array.from(new Set(tokenise(text).map(({ norm }) => subjectStem(norm))))
  return stems.filter((one) => named.has(one)).length + 0.6 * stems.filter((one) => described.has(one)).length
}

/** Whether a text is the list's name or begins with it: a power bank and safety glasses are among `power_items` and `safety_gear`. */
export const namesSubject = ({ name, named }: Subject, text: string): boolean => {
  const tokens = tokenise(text)
  const words = tokens.map(({ norm }) => norm)
  const head = name.split(" ").at(-1)
  const start = words.findIndex((word, at) => !STOP_WORDS.has(word) && numberAt(tokens, at) === undefined)
  if (start < 0) return false
  const other = words.findIndex((word, at) => at >= start && word !== head && !named.has(subjectStem(word)))
  const own = words.slice(start, other < 0 ? words.length : other)
  return own.length > 0 && (other < 0 || own.includes(head!))
}

const WHEN = new Set(["today", "tonight", "now", "week", "morning", "evening", "year", "time"].map(stem))

/** Whether what stands before a comma only says that a sentence speaks of the list: "for safety gear", "tools-wise", "the toppings". */
export const isTopic = ({ named }: Subject, text: string): boolean => {
  const stems = stemsOf(tokenise(text.replace(/[- ]wise$/iu, "")).map(({ norm }) => norm)).filter((one) =>
    !WHEN.has(one)
  )
  // "The best time is May" says something already.
  return stems.length > 0 && stems.every((one) => named.has(one)) && !/\b(?:is|are|was|were)\b/iu.test(text)
}

/** How far back, in sentences, a list may be announced. */
const REACH = 2
/** What a statement is worth less to the sentences after it than a question, which they answer. */
const STATED_BEFORE = 0.4

/** What a verb is worth that announces a list without its name: enough for three members in the same sentence, and nothing for the next. */
const BY_VERB = 0.6

/**
 * How much a sentence announces a list: words of its descriptions only add to its name, or ask for it. "The patient takes aspirin" says
 * nothing of the patient's allergies, "what is in the glaze?" asks for what it is made from.
 */
const announcedIn = (subject: Subject, text: string): number => {
  const whole = speaksOfSubject(subject, text)
  const tokens = tokenise(text)
  const named = asks(text) || subject.named.size === 0 ||
    tokens.some(({ norm }) => subject.named.has(subjectStem(norm)))
  return Math.max(named ? whole : 0, announcerIn(subject.announcers, tokens) === undefined ? 0 : BY_VERB)
}

/** "Gear." "Next, the sponsors.": a sentence that is nothing but the list's name. */
const isHeading = (subject: Subject, text: string): boolean =>
  tokenise(text).length <= LONGEST_HEADING &&
  isTopic(subject, text.replace(/^\W*(?:(?:and|now|next|so|okay|right|then)\b\W*)+/iu, ""))
const LONGEST_HEADING = 5

/** Per sentence of speech, how much it or what leads up to it speaks of the subject. */
export const announcements = (
  subject: Subject,
  said: ReadonlyArray<Sentence>
): ReadonlyArray<number> => {
  const own = said.map(({ text }) => announcedIn(subject, text))
  const carried = own.map((score, at) =>
    asks(said[at]!.text) || isHeading(subject, said[at]!.text) ? score : score - STATED_BEFORE
  )
  return own.map((score, at) => Math.max(score, ...carried.slice(Math.max(0, at - REACH), at)))
}
