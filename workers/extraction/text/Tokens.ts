import { distance } from "fastest-levenshtein"

/** One word, number or currency sign of a text; `[from, to)` are its character offsets, `norm` its comparable form. */
export interface Token {
  readonly text: string
  readonly norm: string
  readonly from: number
  readonly to: number
}

const TOKEN = /\p{L}[\p{L}\p{M}]*(?:['’][\p{L}]+)*|\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[$€£¥%#@&]/gu

/** Lower case, compatibility characters folded (NFKC), straight apostrophes, no possessive. */
export const normaliseWord = (word: string): string =>
  word.normalize("NFKC").toLowerCase().replace(/’/gu, "'").replace(/'s$/u, "")

/** The words, numbers and signs of a text in order; punctuation and spaces belong to none. */
export const tokenise = (text: string): ReadonlyArray<Token> =>
  Array.from(text.matchAll(TOKEN), (match) => ({
    text: match[0],
    norm: normaliseWord(match[0]),
    from: match.index,
    to: match.index + match[0].length
  }))

/** Words that carry no subject of their own. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an the of to in on at for from by with and or but is are was were be been being am do does did have has had will would can could should " +
    "may might must shall this that these those it its i me my we us our you your he him his she her they them their what which who whom whose when " +
    "where why how there here not no so if then than as about into over under out up down off just also very really any some all each other whether used per")
    .split(" ")
)

const undouble = (word: string): string => /(.)\1$/u.test(word) && !/(?:ll|ss)$/u.test(word) ? word.slice(0, -1) : word

/** Nothing in their letters parts "buses" from "fuses" and "lens" from "pens"; longer words in "-uses" and "-ases" lose their e anyway. */
const ODD_PLURALS: ReadonlyMap<string, string> = new Map([["buses", "bus"], ["gases", "gas"], ["lens", "lens"]])

const singular = (word: string): string => {
  const odd = ODD_PLURALS.get(word)
  if (odd !== undefined) return odd
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:sses|shes|ches|xes)$/u.test(word)) return word.slice(0, -2)
  return word.endsWith("s") && !/(?:ss|us|is)$/u.test(word) ? word.slice(0, -1) : word
}

/**
 * A light suffix stripper for English: plural, -ing, -ed, -ation, final e. Weaker than Porter's on purpose: values are
 * compared by stem, and a strong stemmer makes different names equal.
 */
export const stem = (word: string): string => {
  if (word.length < 4) return word
  let out = singular(word)
  if (out.endsWith("ing") && out.length > 5) out = undouble(out.slice(0, -3))
  else if (out.endsWith("ed") && out.length > 4) out = undouble(out.slice(0, -2))
  else if (/(?:ation|ition)$/u.test(out) && out.length > 7) out = out.slice(0, -3)
  return out.endsWith("e") && out.length > 4 ? out.slice(0, -1) : out
}

/** The words of an identifier: `dueDate`, `due_date` and `due-date` give the same two. */
export const identifierWords = (name: string): ReadonlyArray<string> =>
  name.replace(/([a-z0-9])([A-Z])/gu, "$1 $2").replace(/[_\-./]+/gu, " ").toLowerCase().split(/\s+/u).filter(Boolean)

/** Two values with equal results are the same value to a reader: case, articles, possessives and punctuation aside. */
export const normaliseValue = (value: unknown): string =>
  String(value).normalize("NFKC").toLowerCase()
    .replace(/[’']s\b/gu, "")
    .replace(/[^\p{L}\p{N}.:@]+/gu, " ")
    .replace(/(?<!\d)[.:]|[.:](?!\d)/gu, " ")
    .replace(/\b(?:the|a|an)\b/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()

/** How alike two texts sound on paper, from 0 to 1: 1 minus the edit distance over the longer length, spaces aside. */
export const likeness = (a: string, b: string): number => {
  const left = normaliseValue(a).replaceAll(" ", "")
  const right = normaliseValue(b).replaceAll(" ", "")
  const longest = Math.max(left.length, right.length)
  return longest === 0 ? 0 : 1 - distance(left, right) / longest
}
