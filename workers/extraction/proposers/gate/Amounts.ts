import { MINUS } from "../../candidates/scan/ScanNumbers.ts"
import { CURRENCIES, DURATIONS, numbersIn, ORDINALS } from "../../lexicon/Numbers.ts"
import { isOtherUnit, type Unit, unitAfter } from "../../lexicon/Units.ts"
import { type Token, tokenise } from "../../text/Tokens.ts"
import { moreReadings } from "./Readings.ts"

/** A number that a text gives, with the characters `[from, to)` that give it and every value that they may stand for. */
export interface Amount {
  readonly from: number
  readonly to: number
  readonly values: ReadonlyArray<number>
  readonly unit: Unit | undefined
}

/** Words that are a number without being one of the number words. */
const COUNTS: Readonly<Record<string, number>> = {
  none: 0,
  nobody: 0,
  nothing: 0,
  neither: 0,
  free: 0,
  once: 1,
  another: 1,
  single: 1,
  twice: 2,
  both: 2,
  couple: 2,
  pair: 2,
  twins: 2,
  thrice: 3,
  triple: 3,
  dozen: 12,
  half: 0.5,
  quarter: 0.25
}

/** Seconds, millimetres, milligrams …: what a unit is of the smallest one of its dimension. */
const SIZES: Readonly<Record<string, number>> = {
  ...DURATIONS,
  mm: 1,
  cm: 10,
  m: 1000,
  km: 1e6,
  inch: 25.4,
  foot: 304.8,
  yard: 914.4,
  mile: 1_609_344,
  mg: 1,
  g: 1000,
  kg: 1e6,
  tonne: 1e9,
  ml: 1,
  cl: 10,
  dl: 100,
  l: 1000,
  w: 1,
  kw: 1000,
  mw: 1e6,
  kb: 1,
  mb: 1000,
  gb: 1e6,
  tb: 1e9,
  m2: 1,
  hectare: 1e4,
  km2: 1e6
}

/** The value in another unit of the same dimension; undefined where the two are of different sorts. */
const converted = (value: number, from: Unit, to: Unit): number | undefined => {
  if (from.dimension !== to.dimension || from.unit === to.unit) return undefined
  // Nobody counts a year as 12.17 months.
  if (from.unit === "year" && to.unit === "month") return value * 12
  if (from.unit === "month" && to.unit === "year") return value / 12
  const [one, other] = [SIZES[from.unit], SIZES[to.unit]]
  return one === undefined || other === undefined ? undefined : value * one / other
}

const isOrdinal = (said: string): boolean =>
  Object.hasOwn(ORDINALS, said.toLowerCase()) || /\d(?:st|nd|rd|th)$/iu.test(said)

const isWord = ({ text }: Token): boolean => /^\p{L}/u.test(text)
const joined = (text: string, left: Token, right: Token): boolean => /^[\s-]*$/u.test(text.slice(left.to, right.from))

/** Every number of a text, "an hour and a quarter", "two fifty", "a gram", "twice" and "nobody" among them, in its order. `inScale`: thousands and millions are values of their own too. */
export const amountsIn = (text: string, wanted?: Unit, inScale = true): ReadonlyArray<Amount> => {
  const tokens = tokenise(text)
  const plain = numbersIn(tokens).map(({ at, end, value }) => ({
    at,
    end,
    value,
    from: tokens[at]!.from,
    to: tokens[end - 1]!.to
  }))
  const out: Array<Amount> = []
  const push = (from: number, to: number, values: ReadonlyArray<number>, unit = unitAfter(text.slice(to, to + 40))) => {
    // "The second part takes thirty minutes" has one length.
    if (wanted !== undefined && isOrdinal(text.slice(from, to))) return
    const before = CURRENCIES[text.slice(0, from).trimEnd().at(-1) ?? ""]
    const own = before === undefined ? unit : { dimension: "money", unit: before }
    const others = wanted === undefined || own === undefined
      ? []
      : values.flatMap((value) => converted(value, own, wanted) ?? [])
    // "Two hours" are 120 of a field in minutes, and 2 of none.
    const kept = isOtherUnit(own, text.slice(to, to + 40), wanted) ? [] : values
    out.push({ from, to, values: Array.from(new Set([...kept, ...others])), unit: own })
  }
  for (const [index, one] of plain.entries()) {
    const below = MINUS.test(text.slice(Math.max(0, one.from - 12), one.from))
    // "$418m" is 418 where the field counts in millions.
    const scaled = inScale && Math.abs(one.value) >= 1000 ? [one.value / 1e3, one.value / 1e6, one.value / 1e9] : []
    // "Five minus three" has a three in it, "minus three degrees" has none.
    const taken = below && plain[index - 1]?.end === one.at - 1
    // "Seventeen ninety" is a price as well as a year.
    const price = one.end === one.at + 2 && one.value > 1700 && one.value < 2100 ? [one.value / 100] : []
    push(one.from, one.to, below ? [-one.value, ...(taken ? [one.value] : [])] : [one.value, ...scaled, ...price])
    // Numbers said right behind each other: "two fifty", "one eighteen fifty", "nineteen eighty-four", spelled-out digits.
    const run = [one.value]
    let last = one
    for (const next of plain.slice(index + 1, index + 12)) {
      if (next.at !== last.end || !joined(text, tokens[last.end - 1]!, tokens[next.at]!)) break
      run.push(next.value)
      last = next
      const values: Array<number> = []
      if (run.every((value) => Number.isInteger(value) && value >= 0)) {
        const digits = run.map(String).join("")
        if (digits.length <= 15) values.push(Number(digits))
        if (run.length >= 2 && run.at(-1)! < 100) {
          values.push(Number(`${run.slice(0, -1).join("")}.${String(run.at(-1)).padStart(2, "0")}`))
        }
        if (run.length === 3 && run[0]! < 10) values.push(run[0]! * 100 + run[1]! + run[2]! / 100)
        // "One eighteen fifty", of which "eighteen fifty" may be a year.
        if (run.length === 2 && run[0]! < 10 && last.end === last.at + 2 && run[1]! > 1000) {
          values.push(run[0]! * 100 + run[1]! / 100)
        }
        if (run.length === 3 && run[0]! < 10 && run[1]! >= 20 && run[2]! < 10) {
          values.push(run[0]! * 100 + run[1]! + run[2]!)
        }
        if (run.length === 2 && run[0]! < 100 && run[1]! < 100) values.push(run[0]! * 100 + run[1]!)
        // "Thirty-seven one" is a temperature, "twelve nine" a price in thousands.
        if (run.length === 2 && run[0]! > 0 && run[0]! < 1000 && run[1]! > 0 && run[1]! < 10) {
          const decimal = Number(`${run[0]}.${run[1]}`)
          values.push(decimal, ...(run[0]! >= 3 ? [Math.round(decimal * 1000)] : []))
        }
      }
      push(one.from, last.to, values)
    }
    // "Four pounds fifty", "a dollar seventy-five".
    const [unit, next] = [tokens[one.end], plain[index + 1]]
    const gap = unit !== undefined && next !== undefined && next.at <= one.end + 2 && next.at > one.end
    if (gap && Object.hasOwn(CURRENCIES, unit.norm) && next.value < 100) {
      push(one.from, next.to, [one.value + next.value / 100], { dimension: "money", unit: CURRENCIES[unit.norm]! })
    }
    // "An hour and 20 minutes", "five foot eleven".
    const ownUnit = unitAfter(text.slice(one.to, one.to + 40))
    if (gap && ownUnit !== undefined && SIZES[ownUnit.unit] !== undefined) {
      const nextUnit = unitAfter(text.slice(next.to, next.to + 40))
      if (nextUnit?.dimension === ownUnit.dimension && SIZES[nextUnit.unit] !== undefined) {
        const sum = one.value + next.value * SIZES[nextUnit.unit]! / SIZES[ownUnit.unit]!
        push(one.from, next.to, [sum], ownUnit)
      }
    }
  }
  for (
    const { from, to, unit, value } of moreReadings(text, tokens, plain, (at) => unitAfter(text.slice(at, at + 40)))
  ) {
    push(from, to, [value], unit)
  }
  for (const [at, token] of tokens.entries()) {
    if (!isWord(token)) continue
    const [second, third, fourth, fifth] = tokens.slice(at + 1, at + 5)
    if (Object.hasOwn(COUNTS, token.norm)) push(token.from, token.to, [COUNTS[token.norm]!])
    if (token.norm === "half" && second?.norm === "an" && third !== undefined) {
      push(token.from, second.to, [0.5], unitAfter(text.slice(second.to, second.to + 40)))
    }
    if (token.norm === "half" && second?.norm === "a" && third?.norm === "dozen") push(token.from, third.to, [6])
    // "Three quarters of an hour".
    if (/^quarters?$/u.test(token.norm) && second?.norm === "of" && third !== undefined) {
      const count = plain.find(({ end }) => end === at)?.value ?? 1
      push(token.from, third.to, [count / 4], unitAfter(text.slice(third.to, third.to + 40)))
    }
    // "Putting you down for the hour".
    const isWhole = token.norm === "the" && second?.norm === "hour"
    if ((!/^an?$/u.test(token.norm) && !isWhole) || second === undefined) continue
    const unit = unitAfter(text.slice(token.to, token.to + 40))
    const cents = plain.find((one) => one.at === at + 2)
    if (unit?.dimension === "money" && cents !== undefined && cents.value < 100) {
      push(token.from, cents.to, [1 + cents.value / 100], unit)
    }
    if (unit === undefined || plain.some((one) => one.at <= at && one.end > at)) continue
    push(token.from, token.to, [1], unit)
    // "An hour and a half".
    const part = third?.norm === "and" && /^an?$/u.test(fourth?.norm ?? "") ? COUNTS[fifth?.norm ?? ""] : undefined
    if (part !== undefined && part < 1) push(token.from, fifth!.to, [1 + part], unit)
  }
  // "Two hours and a quarter", "one and a half", "two and a quarter millimetres".
  const parts = /\band an? (half|quarter)\b|\band three quarters\b/giu
  for (const match of text.matchAll(parts)) {
    const part = match[1] === undefined ? 0.75 : COUNTS[match[1].toLowerCase()]!
    const before = plain.findLast(({ to }) => to <= match.index && match.index - to < 20)
    if (before === undefined) continue
    const between = unitAfter(text.slice(before.to, match.index))
    const to = match.index + match[0].length
    push(
      before.from,
      to,
      [before.value + part, before.value * (1 + part)],
      between ?? unitAfter(text.slice(to, to + 40))
    )
  }
  return out.toSorted((a, b) => a.from - b.from || b.to - a.to)
}

export const sameNumber = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b))
