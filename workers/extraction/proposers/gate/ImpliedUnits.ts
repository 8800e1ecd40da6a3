import { measureOf } from "../../candidates/Measures.ts"
import type { Leaf } from "../../text/Plan.ts"
import { identifierWords, stem, STOP_WORDS } from "../../text/Tokens.ts"
import { type Amount, amountsIn, sameNumber } from "./Amounts.ts"

/** How a number is meant by words that say less than it: what follows from the field, from its neighbours or from a sign. */
export interface Implied extends Pick<Amount, "from" | "to"> {
  readonly formula: "unit(quote)" | "scale(quote)" | "sign(quote)" | "century(quote)" | "none(quote)"
}

/** What is said around a number: all that its proposal cites, and what is said near to that. */
export interface Around {
  readonly cited: string
  readonly near: () => string
}

/** A field of whole cents. */
const IN_CENTS = /\b(?:cents?|pence|pennies|minor units?)\b/iu
const CENTURY = /\bcentury\b/u
/** What is said beside numbers that are counted in it: "we need sixty thousand … it's fifty-one and a half". */
const SCALES: ReadonlyArray<readonly [scale: number, said: RegExp]> = [
  [1e3, /\bthousands?\b|\d\s?k\b|\d[.,]?000\b/iu],
  [1e6, /\bmillions?\b|\d\s?(?:m|mn|mio)\b|\d[.,]000[.,]000\b/iu]
]
const BELOW =
  /\b(?:B\.?C\.?(?:E\.?)?|below|beneath|under|less|fewer|lower|minus|negative|off|down|short|cut|cuts|lost|loss|behind|reduced?|removes?|strikes?)\b/iu
const NONE =
  /\b(?:no|not a (?:single )?|without (?:a|an|any)|zero|nil)\s+(?:(?:more|further|new|other)\s+)?(\p{L}+(?:\s\p{L}+)?)/giu
/** Of something that would be paid. */
const FREE =
  /\bno (?:extra )?charge\b|\bnot a penny\b|(?<!(?:\bnot|\bnever|n['’]t)\s(?:included\s)?)\b(?:free of charge|for (?:free|nothing)|on the house|(?:included )?in the price)\b|n['’]t (?:cost|pay|charge|spend) (?:(?:us|you|me|him|her|them) )?(?:a (?:penny|cent|thing)|anything)\b/iu
const PAID = /\b(?:price|costs?|fees?|paid|pay|share|charges?|spent|expense|deposit)\b/u

const money = (amount: Amount): boolean => amount.unit === undefined || amount.unit.dimension === "money"

/** What a field is called without what any field is. */
const ownWords = (leaf: Leaf): ReadonlySet<string> =>
  new Set(identifierWords(leaf.name).filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map(stem))

const none = (text: string, leaf: Leaf): Implied | undefined => {
  const own = ownWords(leaf)
  const denied = Array.from(text.matchAll(NONE)).find(({ 1: said }) =>
    said!.toLowerCase().split(/\s+/u).some((word) => own.has(stem(word)))
  )
  const free = measureOf(leaf)?.dimension === "money" || PAID.test(leaf.words) ? FREE.exec(text) : null
  const found = denied ?? free
  return found === null || found === undefined
    ? undefined
    : { from: found.index, to: found.index + found[0].length, formula: "none(quote)" }
}

/**
 * Where a text says a number in fewer words than the field asks for: whole cents of "eighty-five", thousands of "fifty-one and a half" where
 * thousands are counted near by, "twenty-two under" as a negative, "thirteen seventy" for a century, "no defects" as 0. Undefined where the
 * text does not have it.
 */
export const impliedNumber = (value: number, text: string, leaf: Leaf, around: Around): Implied | undefined => {
  if (value === 0) return none(text, leaf)
  const amounts = amountsIn(text, undefined, false)
  const found = (formula: Implied["formula"], says: (amount: Amount) => boolean): Implied | undefined => {
    const amount = amounts.find(says)
    return amount === undefined ? undefined : { from: amount.from, to: amount.to, formula }
  }
  if (value < 0) {
    if (!BELOW.test(around.cited)) return undefined
    return found("sign(quote)", ({ values }) => values.some((one) => sameNumber(-one, value)))
  }
  if (CENTURY.test(leaf.words)) {
    return found(
      "century(quote)",
      ({ values }) => values.some((one) => one > 100 && Math.ceil((one + 1) / 100) === value)
    )
  }
  const measure = measureOf(leaf)
  if (measure !== undefined && measure.dimension !== "money") return undefined
  const cents = IN_CENTS.test(leaf.words)
    ? found("unit(quote)", (one) => money(one) && one.values.some((said) => sameNumber(100 * said, value)))
    : undefined
  if (cents !== undefined) return cents
  for (const [scale, said] of SCALES) {
    if (value < scale || !said.test(around.near())) continue
    const scaled = found(
      "scale(quote)",
      (one) => money(one) && one.values.some((own) => own >= 1 && own < 1000 && sameNumber(own * scale, value))
    )
    if (scaled !== undefined) return scaled
  }
  return undefined
}
