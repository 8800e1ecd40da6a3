import { distance } from "fastest-levenshtein"

/** What stands between a token and the one before it: spaces and hyphens at most, a comma, or a sign that ends something. */
type Gap = "space" | "comma" | "end"

/** One word, number or currency sign of a text; `[from, to)` are its character offsets, `norm` its comparable form. */
export interface Token {
  readonly text: string
  readonly norm: string
  readonly from: number
  readonly to: number
  readonly gap: Gap
}

/** The signs that may stand between thousands besides comma and point (SI brochure, 5.4.4; Swiss apostrophe). */
const THIN = "\\u00a0\\u2009\\u202f'’"
const GROUPED = `(?<![\\d.,])[1-9]\\d{0,2}(?:[ ${THIN}]\\d{3})+(?:[.,]\\d+)?(?!\\d|[.,:]\\d|[ ${THIN}]\\d)`
/** "C++", "C#", "A+": without the sign it is another language, grade or blood type. */
const SIGNED = "(?<!\\p{L})\\p{L}{1,2}(?:\\+\\+?|#)(?![\\p{L}\\d])"
const TOKEN = new RegExp(
  `${SIGNED}|\\p{L}[\\p{L}\\p{M}]*(?:['’][\\p{L}]+)*|${GROUPED}|\\d+(?:[.,:]\\d+)*(?:st|nd|rd|th)?|[$€£¥%#@&]`,
  "gu"
)

/** Lower case, compatibility characters folded (NFKC), straight apostrophes, no possessive. */
export const normaliseWord = (word: string): string =>
  word.normalize("NFKC").toLowerCase().replace(/’/gu, "'").replace(/'s$/u, "")

/** Where plain spaces part thousands and no columns: no number of a column begins with 0, nor is one thing counted by two. */
const isOneNumber = (text: string, from: number, to: number): boolean =>
  text.slice(from, to).includes(" 0") || /^\s?[€$£¥%]|^ \p{L}/u.test(text.slice(to, to + 3)) ||
  /(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF))\s?$/u.test(text.slice(Math.max(0, from - 4), from))

/** "10 000" is a number, or two in columns side by side: where nothing tells, it is none rather than a 10 and a 0. */
const normOf = (text: string, said: string, from: number): string => {
  if (!/^\d+[^\d.,:\p{L}]/u.test(said)) return normaliseWord(said)
  return said.includes(" ") && !isOneNumber(text, from, from + said.length)
    ? said
    : said.replaceAll(/[^\d.,]/gu, "")
}

const gapOf = (between: string): Gap =>
  /^[\s\u2010-\u2015-]*$/u.test(between) ? "space" : /^\s*,\s*$/u.test(between) ? "comma" : "end"

/** The words, numbers and signs of a text in order; punctuation and spaces belong to none. */
export const tokenise = (text: string): ReadonlyArray<Token> => {
  let before = 0
  return Array.from(text.matchAll(TOKEN), ({ 0: said, index }) => {
    const token = {
      text: said,
      norm: normOf(text, said, index),
      from: index,
      to: index + said.length,
      gap: gapOf(text.slice(before, index))
    }
    before = token.to
    return token
  })
}

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

/** "Café" and "cafe" are one word. */
const ACCENTED = /[\u00c0-\u024f]/u

/**
 * A light suffix stripper for English: plural, -ing, -ed, -ation, final e. Weaker than Porter's on purpose: values are
 * compared by stem, and a strong stemmer makes different names equal.
 */
export const stem = (written: string): string => {
  const word = ACCENTED.test(written) ? written.normalize("NFD").replaceAll(/\p{M}/gu, "") : written
  if (word.length < 4) return word
  let out = singular(word)
  if (out.endsWith("ing") && out.length > 5) out = undouble(out.slice(0, -3))
  else if (out.endsWith("ed") && out.length > 4) out = undouble(out.slice(0, -2))
  else if (/(?:ation|ition)$/u.test(out) && out.length > 7) out = out.slice(0, -3)
  return out.endsWith("e") && out.length > 4 ? out.slice(0, -1) : out
}

/**
 * The words of an identifier: `dueDate`, `due_date` and `due-date` give the same two, "Price (EUR)" those two. None has a sign that means something in a pattern, since
 * callers put them into patterns: but for "$", which no pattern fails for.
 */
export const identifierWords = (name: string): ReadonlyArray<string> =>
  name.replace(/([a-z0-9])([A-Z])/gu, "$1 $2").replace(/[_\-./\\^*+?()[\]{}|]+/gu, " ").toLowerCase().split(/\s+/u)
    .filter(Boolean)

/** What turns a number, a grade or a comparison into its opposite: "-500", "O-" beside "O+", "x < 3". */
const SIGNS = /(?<![\p{L}\p{N}])[-−–](?=[\d.,$€£¥])|(?<=(?<!\p{L})\p{L}{1,2})[+−-](?![\p{L}\p{N}])|[<>≤≥≠]/gu

/** Two values with equal results are the same value to a reader: case, articles, possessives and punctuation aside. */
export const normaliseValue = (value: unknown): string =>
  String(value).normalize("NFKC").toLowerCase()
    .replace(/[’']s\b/gu, "")
    .replace(SIGNS, (sign) => ` ${/[-−–]/u.test(sign) ? "¬" : sign} `)
    .replace(/[^\p{L}\p{N}.:@¬+<>≤≥≠]+|(?<![\p{L}] )\+/gu, " ")
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
