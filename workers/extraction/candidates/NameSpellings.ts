import { distance } from "fastest-levenshtein"
import { FIRST_NAMES } from "../lexicon/FirstNames.ts"
import { numberAt } from "../lexicon/Numbers.ts"
import { tokenise } from "../text/Tokens.ts"

/** Shorter words are too easily others: "Tim" and "Kim", "Team A" and "Team B". */
const LEAST = 4
const MOST_EDITS = 2
/** Share of a word's letters that its misreading keeps. */
const KEPT = 0.75

const isNumeral = (word: string): boolean => numberAt(tokenise(word), 0) !== undefined

/** Whether a recogniser may have written one word for the other. Two names that people have are never one misread. Pure. */
export const isWordMisread = (a: string, b: string): boolean => {
  if (a === b) return true
  if (a.length < LEAST || b.length < LEAST || /\d/u.test(a + b) || (FIRST_NAMES.has(a) && FIRST_NAMES.has(b))) {
    return false
  }
  const longest = Math.max(a.length, b.length)
  if (Math.abs(a.length - b.length) > MOST_EDITS) return false
  const edits = distance(a, b)
  return edits <= MOST_EDITS && 1 - edits / longest >= KEPT && !isNumeral(a) && !isNumeral(b)
}

const wordsOf = (name: string): ReadonlyArray<string> => {
  const words = tokenise(name).map(({ norm }) => norm)
  return words.length > 1 && words[0] === "the" ? words.slice(1) : words
}

/** Equal for two spellings that differ in case, punctuation, possessives and "the" alone; "C#" is not "C", nor "Team A" "Team". Pure. */
export const spellingKey = (name: string): string => wordsOf(name).join(" ")

const lettersOf = (words: ReadonlyArray<string>): string => words.join("")

/** "Ada B. Lane" and "Ada Lane": one of them leaves the initial out. */
const withoutInitials = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word, at) => at === 0 || at === words.length - 1 || word.length > 1)

/**
 * Whether two different spellings may be of one name that one of the two channels misread: word for word nearly the same, or
 * the same letters parted elsewhere. It says nothing of two spellings in one channel: those are two names. Pure.
 */
export const mayBeMisread = (a: string, b: string): boolean => {
  const [one, two] = [wordsOf(a), wordsOf(b)]
  if (lettersOf(one) === lettersOf(two)) return true
  const [first, second] = one.length === two.length ? [one, two] : [withoutInitials(one), withoutInitials(two)]
  return first.length === second.length && first.every((word, at) => isWordMisread(word, second[at]!))
}

/** What a name and its misreading nearly always share: how they start or how they end. */
const traitsOf = (name: string): ReadonlyArray<string> => {
  const letters = lettersOf(wordsOf(name))
  return [`starts ${letters.slice(0, 3)}`, `ends ${letters.slice(-3)}`]
}

/** By each of some names those that `mayBeMisread` for it, found without comparing every two. */
export const misreadAmong = (names: Iterable<string>): (name: string) => ReadonlyArray<string> => {
  const known = new Map<string, Array<string>>()
  for (const name of names) {
    for (const trait of traitsOf(name)) {
      const list = known.get(trait)
      if (list === undefined) known.set(trait, [name])
      else list.push(name)
    }
  }
  return (name) =>
    Array.from(new Set(traitsOf(name).flatMap((trait) => known.get(trait) ?? []))).filter((one) =>
      mayBeMisread(one, name)
    )
}
