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
/** What is called by the plural of its number. */
const PLURALS: Readonly<Record<string, number>> = {
  fives: 5,
  tens: 10,
  twenties: 20,
  fifties: 50,
  hundreds: 100,
  thousands: 1000
}
const PARTS: ReadonlyMap<string, number> = new Map(
  [["third", 3], ["fifth", 5], ["sixth", 6], ["eighth", 8], ["tenth", 10]].flatMap(([part, of]) => [
    [`${part}`, Number(of)],
    [`${part}s`, Number(of)]
  ])
)
const HALF_AFTER = /^ and a (half|quarter)\b/iu
const FIGURES: ReadonlyMap<string, string> = new Map(
  "zero one two three four five six seven eight nine".split(" ").map((word, at) => [word, String(at)])
)
const NOBODY = /\b(?:no one|not a (?:soul|single|one)|nobody at all|not one)\b/giu
/** Between a number and its unit. */
const STRESSED = /^ (?:full|whole|entire|solid|straight|good|long)(?= )/iu
const CENTS = /^(?:pence|penny|p|cents?|c)$/u

const touches = (text: string, left: Token, right: Token): boolean => /^[\s-]*$/u.test(text.slice(left.to, right.from))

/** Figures said one after the other, each in a word of its own. */
const figuresAt = (tokens: ReadonlyArray<Token>, at: number): string => {
  let digits = ""
  for (const token of tokens.slice(at, at + 9)) {
    const digit = NOUGHT.test(token.norm) ? "0" : FIGURES.get(token.norm)
    if (digit === undefined || (digits !== "" && token.gap !== "space")) break
    digits += digit
  }
  return digits
}

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
    // "Eighteen... Hundred and eight": another number ended before it.
    if (Object.hasOwn(SCALE, norm) && !inside(at) && (tokens[at]!.gap === "end" || !inside(at - 1))) {
      const next = tokens[at + 1]?.norm === "and" ? at + 2 : at + 1
      const rest = tokens[next]?.gap === "space" ? numerals.get(next) : undefined
      const added = rest !== undefined && rest.value < SCALE[norm]! ? rest : undefined
      out.push({ from, to: added?.to ?? to, value: SCALE[norm]! + (added?.value ?? 0) })
    }
    // "Hundreds for you": distances, sizes and notes are called by their plural.
    if (Object.hasOwn(PLURALS, norm) && !inside(at - 1)) out.push({ from, to, value: PLURALS[norm]! })
    // "Point four six", with no nought before it.
    const nil = norm === "nil" && tokens[at + 1]?.norm === "point" ? 1 : 0
    if (tokens[at + nil]?.norm === "point" && (nil > 0 || !inside(at - 1))) {
      const digits = figuresAt(tokens, at + nil + 1)
      if (digits !== "") {
        out.push({ from, to: tokens[at + nil + digits.length]!.to, value: Number(`0.${digits}`) })
      }
    }
    // "A third of a litre" is 0.33 wherever it is written in figures.
    const part = tokens[at + 1]?.norm === "of" || norm.endsWith("s") ? PARTS.get(norm) : undefined
    const many = numerals.get(at - 1)?.value ?? 1
    if (part !== undefined && many < part) {
      const unit = unitAt(tokens[at + 1]?.norm === "of" ? tokens[at + 2]?.to ?? to : to)
      for (const digits of [1, 10, 100, 1000]) {
        const value = digits === 1 ? many / part : Math.round(many / part * digits) / digits
        out.push({ from, to, value, ...(unit === undefined ? {} : { unit }) })
      }
    }
    // "Hour and a half", without its article.
    const unit = tokens[at]!.gap === "end" || at === 0 ? unitAt(Math.max(0, from - 1)) : undefined
    const half = HALF_AFTER.exec(text.slice(to, to + 16))
    if (unit !== undefined && half !== null && !inside(at)) {
      out.push({ from, to: to + half[0].length, value: half[1]!.toLowerCase() === "half" ? 1.5 : 1.25, unit })
    }
  }
  for (const one of plain) {
    const next = numerals.get(one.end + 1)
    const unit = unitAt(one.to)
    const word = tokens[one.end]?.norm ?? ""
    if (next !== undefined && unit?.unit === "m" && /^met(?:er|re)s?$/u.test(word) && next.value < 100) {
      out.push({ from: one.from, to: next.to, value: one.value + next.value / 100, unit })
    }
    // "One metre six one two".
    const millimetres = unit?.unit === "m" && /^met(?:er|re)s?$/u.test(word) ? figuresAt(tokens, one.end + 1) : ""
    if (millimetres.length > 1) {
      const to = tokens[one.end + millimetres.length]!.to
      out.push({ from: one.from, to, value: Number(`${one.value}.${millimetres}`), unit: unit! })
    }
    // "Two full years".
    const stressed = STRESSED.exec(text.slice(one.to, one.to + 12))
    const stressedUnit = stressed === null ? undefined : unitAt(one.to + stressed[0].length)
    if (stressedUnit !== undefined) out.push({ from: one.from, to: one.to, value: one.value, unit: stressedUnit })
    // "6.2 M EUR".
    const million = word === "m" && tokens[one.end]!.text === "M" ? tokens[one.end + 1] : undefined
    if (million !== undefined && Object.hasOwn(CURRENCIES, million.norm)) {
      const currency = { dimension: "money", unit: CURRENCIES[million.norm]! }
      out.push({ from: one.from, to: million.to, value: Math.round(one.value * 1e9) / 1e3, unit: currency })
    }
    // The c of "5 °C" is no cent.
    if (CENTS.test(word) && touches(text, tokens[one.end - 1]!, tokens[one.end]!)) {
      const value = one.value / 100
      // Dollars, euros and many others have cents.
      const unit = word.startsWith("c") ? {} : { unit: { dimension: "money", unit: "GBP" } }
      out.push({ from: one.from, to: tokens[one.end]!.to, value, ...unit })
    }
  }
  for (const match of text.matchAll(NOBODY)) {
    out.push({ from: match.index, to: match.index + match[0].length, value: 0 })
  }
  return out
}
