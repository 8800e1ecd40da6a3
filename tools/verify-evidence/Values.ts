import { answers } from "./Answers.ts"
import { datesSaid, saysTime } from "./Calendar.ts"
import { numbersSaid, readingsOf, saysNumber } from "./Numerals.ts"
import { placesOf } from "./Sources.ts"
import { spells, standsUnspaced } from "./Spelling.ts"

const fold = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll(/[’`]/gu, "'").replaceAll(/'s\b/gu, "")

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text).replaceAll("%", " percent ").replaceAll("&", " and ").replaceAll("$", " dollar ")
    .match(/\d+(?:[.,]\d+)*|\p{L}+/gu) ?? []

const endings = [/[ai]t(?:ions?|e[ds]?|ing)$/u, /(?:ions?|ings?|ies|ied|ed|es)$/u, /[sey]$/u]

/** A word without its ending, as long as three letters are left, and without a doubled one. */
const root = (word: string): string => {
  if (word.length <= 3) return word
  const bare = endings.map((ending) => word.replace(ending, "")).find((rest) => rest !== word && rest.length >= 3) ??
    word
  return bare.length > 3 ? bare.replace(/(.)\1$/u, "$1") : bare
}

/** Two spellings of one word, endings aside. */
const sameWord = (a: string, b: string): boolean =>
  a === b || root(a) === root(b) || (/\d/u.test(a) && a.replaceAll(",", "") === b.replaceAll(",", ""))

/** The value's words stand in the quote one after the other; what one says in digits the other may say in words. */
const containsWords = (quote: string, value: string): boolean => {
  const [wanted, said] = [wordsOf(value), wordsOf(quote)]
  if (wanted.length === 0) return false
  const runs = said.some((_, at) => wanted.every((word, i) => at + i < said.length && sameWord(word, said[at + i]!)))
  if (runs) return true
  const numbers = readingsOf(value)
  if (numbers.length === 0 || !numbers.every((ways) => ways.some((number) => saysNumber(quote, number)))) return false
  const lettersOnly = (text: string) =>
    wordsOf(text).filter((word) => !/\d/u.test(word) && numbersSaid(word).length === 0)
  return lettersOnly(value).every((word) => lettersOnly(quote).some((other) => sameWord(word, other)))
}

const bare = (text: string): ReadonlyArray<string> => Array.from(fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, ""))

/**
 * The fewest edits that turn the value into some stretch of the quote (Sellers, P. H., 1980), over letters and digits
 * alone, as a share of the value's length.
 */
export const distanceInside = (quote: string, value: string): number => {
  const [wanted, said] = [bare(value), bare(quote)]
  if (wanted.length === 0) return 1
  let row = Array.from({ length: said.length + 1 }, () => 0)
  for (const [i, char] of wanted.entries()) {
    const next = [i + 1]
    for (let j = 1; j <= said.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (char === said[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return Math.min(...row) / wanted.length
}

/** Words as they sound to a reader: a doubled letter is one. */
const soundsOf = (text: string): ReadonlyArray<string> => wordsOf(text).map((word) => word.replaceAll(/(.)\1+/gu, "$1"))

/**
 * Whether a text nearly says a value: a few letters apart, but for its numbers and names, of which every figure and every
 * letter counts. A name one letter apart is another name.
 */
export const nearlySays = (text: string, value: string): boolean => {
  if (distanceInside(text, value) > 0.34) return false
  const telling = value.match(/\p{Lu}[\p{L}\p{M}]*|\d+/gu) ?? []
  const said = new Set(soundsOf(text).concat(text.match(/\d+/gu) ?? []))
  return telling.every((word) => said.has(word) || soundsOf(word).every((one) => said.has(one)))
}

const currencies: Readonly<Record<string, RegExp>> = {
  USD: /\$|\b(?:dollars?|usd|bucks?|cents?)\b/iu,
  EUR: /€|\b(?:euros?|eur)\b/iu,
  GBP: /£|\b(?:pounds?|gbp|quid|sterling)\b/iu,
  JPY: /¥|\b(?:yen|jpy)\b/iu,
  INR: /₹|\b(?:rupees?|inr)\b/iu,
  CHF: /\b(?:francs?|chf)\b/iu
}

/** "anna at example dot org" as it is written. */
const written = (text: string): string =>
  text.toLowerCase().replaceAll(/\s+at\s+/gu, "@").replaceAll(/\s+dot\s+/gu, ".").replaceAll(/\s+slash\s+/gu, "/")
    .replaceAll(/\s+underscore\s+/gu, "_").replaceAll(/\s+(?:dash|hyphen)\s+/gu, "-")

const isAddress = (value: string): boolean => /^\S+$/u.test(value) && /[.@]/u.test(value)
/** What can be nothing but an address. */
const isWholeAddress = (value: string): boolean => /@|:\/\//u.test(value) && isAddress(value)
const bareAddress = (value: string): string =>
  value.toLowerCase().replace(/^[a-z][a-z0-9+.-]*:\/\//u, "").replace(/\/$/u, "")

/** The whole of an address: no part of a longer name, and of an e-mail address nothing before it. */
const standsAsAddress = (text: string, address: string): boolean =>
  placesOf(text, address).some((at) => {
    const before = text.slice(Math.max(0, at - 5), at)
    const after = text.slice(at + address.length, at + address.length + 2)
    const begins = address.includes("@") ? !/[\p{L}\d._%+-]$/u.test(before) : !/[\p{L}\d-]$|(?<!\bwww)\.$/u.test(before)
    return begins && !/^(?:[\p{L}\d]|[.-][\p{L}\d])/u.test(after)
  })

/** "Twice a day" is two times. */
const saysTimes = (quote: string, value: number): boolean =>
  wordsOf(quote).some((word) => ["once", "twice", "thrice"].indexOf(word) + 1 === value && value > 0)

/** "Mondays" are every Monday, and "Mon" is short for it. */
const namesWeekday = (quote: string, value: string): boolean => {
  const short = /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/u.exec(value)?.[1]?.toLowerCase()
  return short !== undefined &&
    wordsOf(quote).some((word) =>
      word === `${short}days` || (word.length >= 3 && word.length <= 5 && short.startsWith(word))
    )
}

const normalised = (quote: string, value: string): boolean => {
  // Of an address every sign counts, so that words alone prove none.
  if (isWholeAddress(value)) return standsAsAddress(written(quote), bareAddress(value))
  if (containsWords(quote, value) || spells(quote, value) || namesWeekday(quote, value)) return true
  if (/^\d{4}-\d{2}-\d{2}$/u.test(value)) return datesSaid(quote, value)
  if (/^\d{2}:\d{2}(?::\d{2})?/u.test(value) && saysTime(quote, value)) return true
  if (Object.hasOwn(currencies, value)) return currencies[value]!.test(quote)
  if (isAddress(value)) return standsAsAddress(written(quote), bareAddress(value))
  const label = value.replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2").replaceAll(/[_-]+/gu, " ")
  return label !== value && containsWords(quote, label)
}

const joining = new Set(
  "a an the of to in on at for from by with and or but is am are was were be do did does have has had this that these those it its i me my we us you your he she they when what who which where how not no so if as any all per each here there into over up"
    .split(" ")
)
/** What a description says of a value, and never of what it stands for. */
const idle = new Set(
  "only one shown show say says said state stated give given null none nothing otherwise video".split(" ")
)

/** What is spoken of by one word and asked for by another. */
const kindred: ReadonlyArray<ReadonlySet<string>> = [
  "subtitle caption",
  "pet dog cat animal",
  "wifi wi fi internet",
  "kid child children family",
  "entry entrance admission fee",
  "outdoor outdoors outside patio",
  "alcohol liquor wine beer drink",
  "vegetarian vegan",
  "parking garage"
].map((group) => new Set(group.split(" ").map(root)))

/** A telling word of one of the texts, or one of its kin, stands in the quote; of a name every word tells. */
const shares = (quote: string, texts: ReadonlyArray<string>): boolean => {
  const said = wordsOf(quote).map(root)
  return texts.some((text) =>
    wordsOf(text.replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2").replaceAll("_", " "))
      .filter((word) => word.length > 1 && !joining.has(word) && (!/\s/u.test(text) || !idle.has(word)))
      .map(root)
      .some((word) =>
        said.some((other) => other === word || kindred.some((group) => group.has(word) && group.has(other)))
      )
  )
}

/** None of what is counted are 0; the quote is no longer than that. */
const saysNone = (quote: string): boolean =>
  /^(?:nobody|no|not an?|not one)\b/u.test(fold(quote)) && wordsOf(quote).length <= 4

const supports: Readonly<Record<string, (quote: string, value: unknown, about: ReadonlyArray<string>) => boolean>> = {
  verbatim: (quote, value, about) =>
    typeof value === "number"
      ? /\p{N}/u.test(quote) && saysNumber(quote, value, about)
      // Of a label "close" its inflected word "closed" has every letter too.
      : typeof value === "string" &&
        (isWholeAddress(value)
          ? quote.includes(value) && standsAsAddress(written(quote), bareAddress(value))
          : placesOf(quote, value).length > 0 || (quote.includes(value) && containsWords(quote, value))),
  normalised: (quote, value, about) =>
    typeof value === "number"
      ? saysNumber(quote, value, about) || (value === 0 && saysNone(quote)) || saysTimes(quote, value)
      : typeof value === "string" && (normalised(quote, value) || standsUnspaced(quote, value, about)),
  fuzzy: (quote, value) => typeof value === "string" && nearlySays(quote, value),
  // A label by one of its words, a yes or no by what its field is about; a number is said or it is not.
  inferred: (quote, value, about) =>
    typeof value === "string"
      ? shares(quote, [value])
      : typeof value === "boolean" && (shares(quote, about) || answers(quote) === value)
}

/** Whether the value follows from the quote in the way that the span claims. Better than claimed is as good. */
export const followsFrom = (
  quote: string,
  value: unknown,
  support: string,
  about: ReadonlyArray<string>
): boolean => {
  if (!Object.hasOwn(supports, support)) return false
  const rank = ["verbatim", "normalised", "fuzzy", "inferred"]
  const allowed = support === "verbatim" ? ["verbatim"] : rank.slice(0, rank.indexOf(support) + 1)
  return allowed.some((name) => (name !== "inferred" || support === "inferred") && supports[name]!(quote, value, about))
}
