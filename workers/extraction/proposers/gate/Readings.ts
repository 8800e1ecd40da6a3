import { CURRENCIES } from "../../lexicon/Numbers.ts"
import type { Unit } from "../../lexicon/Units.ts"
import type { Token } from "../../text/Tokens.ts"

/** A number as the lexicon reads it: tokens `[at, end)`, characters `[from, to)`. */
export interface Numeral {
  readonly at: number
  readonly end: number
  readonly value: number
  readonly from: number
  readonly to: number
}

/** One more way to read some characters as a number. */
export interface Reading {
  readonly from: number
  readonly to: number
  readonly value: number
  readonly unit?: Unit
}

const NOUGHT = /^(?:oh|o|nought|zero)$/u
const SCALE: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000 }
/** Before these, "second" is a sixtieth of a minute. */
const TIMED = /^(?:a|an|per|every|each|one|split)$/u
const NOBODY = /\b(?:no one|not a (?:soul|single|one)|nobody at all|not one)\b/giu
const CENTS = /^(?:pence|penny|p|cents?|c)$/u

const touches = (text: string, left: Token, right: Token): boolean => /^[\s-]*$/u.test(text.slice(left.to, right.from))

/** "Two-oh-four", "eighteen oh four": figures said one after the other with a nought among them. */
const withNoughts = (
  text: string,
  tokens: ReadonlyArray<Token>,
  numerals: ReadonlyMap<number, Numeral>
): ReadonlyArray<Reading> => {
  const out: Array<Reading> = []
  for (let at = 0; at < tokens.length; at++) {
    let [digits, end, noughts] = ["", at, 0]
    while (end < tokens.length && (end === at || touches(text, tokens[end - 1]!, tokens[end]!))) {
      const numeral = numerals.get(end)
      if (NOUGHT.test(tokens[end]!.norm)) {
        digits += "0"
        end++
        noughts++
      } else if (numeral !== undefined && Number.isInteger(numeral.value) && numeral.value >= 0) {
        digits += String(numeral.value)
        end = numeral.end
      } else break
    }
    if (noughts > 0 && digits.length > 1 && digits.length <= 15) {
      out.push({ from: tokens[at]!.from, to: tokens[end - 1]!.to, value: Number(digits) })
    }
    at = Math.max(at, end - 1)
  }
  return out
}

/**
 * What English speakers mean by numbers beyond their words: noughts within, "the second", "hundred and fifteen", "eight metres
 * twenty", "sixteen pence", "not a soul". Each is one reading among others; whether it is meant is for its field to say.
 */
export const moreReadings = (
  text: string,
  tokens: ReadonlyArray<Token>,
  plain: ReadonlyArray<Numeral>,
  unitAt: (at: number) => Unit | undefined
): ReadonlyArray<Reading> => {
  const numerals = new Map(plain.map((one) => [one.at, one]))
  const out: Array<Reading> = Array.from(withNoughts(text, tokens, numerals))
  const inside = (at: number): boolean => plain.some((one) => one.at <= at && one.end > at)
  for (const [at, { from, norm, to }] of tokens.entries()) {
    const before = tokens[at - 1]?.norm ?? ""
    if (norm === "second" && !inside(at - 1) && !TIMED.test(before)) out.push({ from, to, value: 2 })
    if (Object.hasOwn(SCALE, norm) && !inside(at) && !inside(at - 1)) {
      const rest = tokens[at + 1]?.norm === "and" ? numerals.get(at + 2) : numerals.get(at + 1)
      const added = rest !== undefined && rest.value < SCALE[norm]! ? rest : undefined
      out.push({ from, to: added?.to ?? to, value: SCALE[norm]! + (added?.value ?? 0) })
    }
  }
  for (const one of plain) {
    const next = numerals.get(one.end + 1)
    const unit = unitAt(one.to)
    const word = tokens[one.end]?.norm ?? ""
    if (next !== undefined && unit?.unit === "m" && /^met(?:er|re)s?$/u.test(word) && next.value < 100) {
      out.push({ from: one.from, to: next.to, value: one.value + next.value / 100, unit })
    }
    // The c of "5 °C" is no cent.
    if (CENTS.test(word) && touches(text, tokens[one.end - 1]!, tokens[one.end]!)) {
      const currency = CURRENCIES[word] ?? "GBP"
      const value = one.value / 100
      out.push({ from: one.from, to: tokens[one.end]!.to, value, unit: { dimension: "money", unit: currency } })
    }
  }
  for (const match of text.matchAll(NOBODY)) {
    out.push({ from: match.index, to: match.index + match[0].length, value: 0 })
  }
  return out
}
