import { exactly } from "./Arithmetic.ts"
import { CURRENCIES } from "./Numbers.ts"

/** In how many a field counts, and its name without the words that say so. */
export interface FieldScale {
  readonly factor: number | undefined
  readonly name: ReadonlyArray<string>
}

const WORDS: ReadonlyArray<readonly [RegExp, number]> = [
  [/^thousands?$/u, 1e3],
  [/^(?:millions?|mn|mln|mio)$/u, 1e6],
  [/^(?:billions?|bn)$/u, 1e9]
]
const LETTERS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, mn: 1e6, b: 1e9, bn: 1e9 }
const WITH_CURRENCY = /^(k|mn?|bn?)?(usd|eur|gbp|chf|jpy)(k|mn?|bn?)?$/u
/** "Race k" and "temp k" are of kilometres and kelvins. */
const OTHER_K = /^(?:temp|temperature|colou?r|distance|race|run|route|course|walk|ride)$/u

/** "Total distance m" is of metres, however much "total" speaks of money. */
const LENGTHS =
  /^(?:distance|length|width|height|depth|altitude|elevation|draught|beam|radius|diameter|span|range|route|swim|run|race|climb|ascent|descent)$/u

/** What companies and households give in thousands or millions, which no other word of the field calls money. */
const SUMS =
  /^(?:loss|losses|profit|profits|turnover|sales|earnings|income|ebitda|debt|loan|funding|investment|valuation|expenses?|spend|spent|spending|cash|assets|liabilities|deficit|surplus|capital)$/u

const isCurrency = (word: string | undefined): boolean => word !== undefined && Object.hasOwn(CURRENCIES, word)

const scaleOfWord = (name: ReadonlyArray<string>, at: number, money: boolean): number | undefined => {
  const word = name[at]!
  if (name[at - 1] === "per") return undefined
  const said = WORDS.find(([pattern]) => pattern.test(word))?.[1]
  if (said !== undefined || !Object.hasOwn(LETTERS, word)) return said
  const last = at === name.length - 1 && at > 0
  if (
    isCurrency(name[at - 1]) || isCurrency(name[at + 1]) ||
    (last && (money || name.some((one) => SUMS.test(one))) && !name.some((one) => LENGTHS.test(one)))
  ) return LETTERS[word]
  return last && word === "k" && !name.some((one) => OTHER_K.test(one)) ? LETTERS[word] : undefined
}

const SCALE = "(thousand|million|billion|k|mn?|bn?)"
const MONEY = "(?:[€$£¥]|usd|eur|gbp|chf|jpy|us dollars?|dollars?|euros?|pounds?)"
const TOLD = new RegExp(
  `(?<!\\bnot )\\bin (?:[a-z]+ )?(thousand|million|billion)s?\\b|\\((?:[a-z€$£¥]+ )?(thousand|million|billion)s?\\)|(?<!\\bper )\\b(thousand|million|billion)s of\\b|(?<![\\p{L}\\d.])${MONEY} ?${SCALE}s?(?![\\p{L}\\d])|(?<![\\p{L}\\d.])(?<!\\d )${SCALE}s? ?${MONEY}(?![\\p{L}\\d])`,
  "u"
)
const FACTORS: Readonly<Record<string, number>> = { ...LETTERS, thousand: 1e3, million: 1e6, billion: 1e9 }

/** Whether a field counts in thousands, millions or billions by its name, else by its description: `revenue_eur_m`, `users_k`, "in millions of dollars". */
export const scaleOfField = (name: ReadonlyArray<string>, description: string, money: boolean): FieldScale => {
  let factor: number | undefined
  const kept = name.flatMap((word, at) => {
    const [, before, currency, behind] = WITH_CURRENCY.exec(word) ?? []
    const letters = before ?? behind
    const found = letters === undefined ? scaleOfWord(name, at, money) : LETTERS[letters]
    if (found === undefined) return [word]
    factor ??= found
    return currency === undefined ? [] : [currency]
  })
  // "Debt in millions".
  const plain = factor !== undefined && kept.at(-1) === "in" ? kept.slice(0, -1) : kept
  const told = factor === undefined ? TOLD.exec(description)?.slice(1).find((word) => word !== undefined) : undefined
  return { factor: factor ?? (told === undefined ? undefined : FACTORS[told]), name: plain }
}

/** A scale in the words or the figures of a number. */
const SCALED = /\b(?:hundred thousand|thousand|million|mn|billion|bn|trillion)\b|\d\s?(?:k|m|mn|bn)\b/iu
const GROUPED = /\d,\d{3}/u
/** Below it, a bare number of a field in thousands may be one of these: "1,250" of a table. */
const SURELY_PLAIN = 1e5

/**
 * A number as a field counts it that counts in thousands or more: 1650 for "1.65 billion dollars" in millions. A number without its
 * scale stays as it is, which is how tables give it, unless it is `spoken` and too large for that.
 */
export const inScale = (factor: number, value: number, said: string, spoken: boolean): number => {
  if (SCALED.test(said)) return exactly(value / factor)
  const least = factor === 1e3 && !GROUPED.test(said) ? SURELY_PLAIN : factor
  return Math.abs(value) >= least && (spoken || factor > 1e3) ? exactly(value / factor) : value
}
