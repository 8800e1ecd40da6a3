import { callsAnother } from "../../candidates/Disowned.ts"
import { NEGATION } from "../../lexicon/Polarity.ts"
import { normaliseValue, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { areSisters } from "../kinds/SlideSections.ts"
import { speaksOfSubject, type Subject, subjectStem } from "./ListSubject.ts"

/** How a heading speaks of a list. */
export interface Heading {
  /** Words besides the list's own: "warning" in "Warning signs". */
  readonly foreign: ReadonlyArray<string>
}

/** Stems by which a heading says of which things it is; where it goes on with a preposition, of whose. */
const contentOf = (text: string): ReadonlyArray<string> =>
  tokenise(text).filter(({ norm }) => !STOP_WORDS.has(norm) && !/^\d+$/u.test(norm)).map(({ norm }) =>
    subjectStem(norm)
  )

/** "New" over the `new_features`, "Removed" over the `removed_features`. */
const SORT = /^(new|\p{L}{3,}ed)\s[^\s]+s$/u
const POINTED = /\b(?:slide|card|page|screen|list|board|section|heading|column|box|panel)\b/u

/** "As on the checklist slide" points to what is called "Checklist". */
const pointsTo = (words: string, heading: string): boolean => {
  const at = words.indexOf(` ${heading} `)
  return at >= 0 && /\b(?:on|under|in|of|by|called)(?: the)?$/u.test(words.slice(0, at)) &&
    POINTED.exec(words.slice(at + heading.length + 2))?.index === 0
}

/** "Special diets? Just ask": what a heading goes on with is none of its name. */
const isName = (text: string, { name, words }: Subject): boolean => {
  const [whole, lead] = [normaliseValue(text), normaliseValue(text.split(/[?!]\s/u)[0]!)]
  return name !== "" && whole !== "" &&
    (whole === name || lead === name || whole === SORT.exec(name)?.[1] || pointsTo(words, whole))
}

/** "Not included" is no heading of what is included, nor "Included" of what is not. */
const isOpposite = (heading: string, { name, words }: Subject): boolean =>
  NEGATION.test(heading) ? !NEGATION.test(words) : NEGATION.test(name)

/** "Next start dates" are the start dates; of a next one there is another. */
const TO_COME = /^\s*(?:next|upcoming)\s(?=.*[^s]s\W*$)/iu

const callsOther = (text: string, subject: Subject): boolean => callsAnother(text.replace(TO_COME, ""), subject)

/** One word of a description, where list and heading deny something: "Do not put in your skip" heads what is `not_allowed` in a skip. */
const BY_DESCRIPTION = 0.6

/**
 * How a heading speaks of a list where it says little but what that is about: "What you need" for tools that one needs, "Go to
 * hospital". Undefined for any other, for its opposite, and where it has another word in place of one of the list's name: "Home team"
 * is none of `away_team`, "Warning signs" are `signs`.
 */
export const headingOf = (text: string, subject: Subject): Heading | undefined => {
  // "Must have" is all of function words.
  if (isName(text, subject)) return { foreign: [] }
  const words = contentOf(text)
  const foreign = words.filter((word) => !subject.named.has(word) && !subject.described.has(word))
  const known = words.length - foreign.length
  if (words.length === 0 || words.length > 5 || known < words.length / 2) return undefined
  // One word of a description is no name of it: "Prices" heads nothing that is "what the price covers".
  const negated = NEGATION.test(text) && NEGATION.test(subject.name)
  if (speaksOfSubject(subject, text) < (negated ? BY_DESCRIPTION : 1)) return undefined
  if (isOpposite(text, subject) || callsOther(text, subject)) return undefined
  return foreign.length > 0 && !negated && Array.from(subject.named).some((word) => !words.includes(word))
    ? undefined
    : { foreign }
}

/** Whom else something may be of: what they ask is none of our prices. */
const OF_OTHERS = /\b(?:competitors?|competition|rivals?|elsewhere|their|theirs)\b/iu

/** Whether a heading says that what stands below is somebody else's, and the list asks for nobody else's. */
export const saysOfOthers = (text: string, { words }: Pick<Subject, "words">): boolean =>
  OF_OTHERS.test(text) && !OF_OTHERS.test(words)

/** Whether a heading is of what a list is not: its opposite, former or others', or what commonly stands beside it. */
export const isOfAnother = (text: string, subject: Subject): boolean => {
  if (isName(text, subject)) return false
  if (areSisters(subject.name, text) || saysOfOthers(text, subject)) return true
  return contentOf(text).some((word) => subject.named.has(word)) &&
    (isOpposite(text, subject) || callsOther(text, subject))
}

/**
 * Whether a line says nothing but a list's name, or the name of its opposite: with no other word it heads a list where it stands between
 * lines of another. Of a name of several words the last one is enough, "Tools" for `hand_tools`.
 */
export const isBareHeading = (text: string, subject: Subject): boolean => {
  if (isName(text, subject)) return true
  const words = contentOf(text)
  const noun = subject.name.split(" ").at(-1) ?? ""
  const last = subjectStem(noun)
  // "Training" among benefits is no heading of `trainings`.
  const isPlural = tokenise(text).some(({ norm }) => subjectStem(norm) === last && norm.endsWith("s"))
  if (noun.endsWith("s") !== isPlural) return false
  return words.includes(last) && subject.named.has(last) && words.length <= 5 &&
    words.every((word) => subject.named.has(word) || NEGATION.test(word) || callsAnother(word, subject))
}
