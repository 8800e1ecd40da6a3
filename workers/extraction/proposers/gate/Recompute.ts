import type { Unit } from "../../lexicon/Units.ts"
import { quoteOf, type Span } from "../../text/SourceDocument.ts"
import { type Amount, amountsIn, sameNumber } from "./Amounts.ts"
import { betweenTimes } from "./ClockTimes.ts"

/** Numbers that a formula may use without anyone having said them: minutes of an hour, days of a week, hundredths. */
const CONSTANTS: ReadonlySet<number> = new Set([2, 7, 10, 12, 24, 60, 100, 1000, 3600])

/** No formula that anybody reads is longer. */
const LONGEST_FORMULA = 500

/** What a formula works out, without what it comes to: nothing but figures and signs where it can be evaluated. */
const workingOf = (formula: string): string => formula.split("=", 1)[0]!.replaceAll(/\s+/gu, " ").trim()

/** The value of a sum, difference, product or quotient of numbers, and these; undefined for anything else. */
const evaluated = (
  formula: string
): { readonly value: number; readonly inputs: ReadonlyArray<number> } | undefined => {
  const working = workingOf(formula)
  if (working.length > LONGEST_FORMULA) return undefined
  const signs = working.replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-").replaceAll(/[$€£¥,]/gu, "")
    .match(/\d+(?:\.\d+)?|[-+*/()]|\S/gu) ?? []
  if (signs.length > 200) return undefined
  const inputs: Array<number> = []
  let at = 0
  const primary = (): number => {
    const sign = signs[at++]
    if (sign === "-") return -primary()
    if (sign === "(") {
      const value = sum()
      if (signs[at++] !== ")") return NaN
      return value
    }
    const number = /^\d/u.test(sign ?? "") ? Number(sign) : NaN
    inputs.push(number)
    return number
  }
  const product = (): number => {
    let value = primary()
    while (signs[at] === "*" || signs[at] === "/") value = signs[at++] === "*" ? value * primary() : value / primary()
    return value
  }
  const sum = (): number => {
    let value = product()
    while (signs[at] === "+" || signs[at] === "-") value = signs[at++] === "+" ? value + product() : value - product()
    return value
  }
  const value = sum()
  return at === signs.length && Number.isFinite(value) && inputs.length > 1 ? { value, inputs } : undefined
}

/** A number that is said, where it is said. */
interface Mention extends Pick<Amount, "values"> {
  readonly span: Span
}

/** What is said once, however it may be read; a longer reading stands for the shorter ones inside it. */
const mentions = ({ from, passage, to }: Span, measure: Unit | undefined): ReadonlyArray<Mention> => {
  const out: Array<{ from: number; to: number; values: ReadonlyArray<number> }> = []
  for (const one of amountsIn(passage.text.slice(from, to), measure, false)) {
    const last = out.at(-1)
    if (last !== undefined && one.from < last.to) {
      last.to = Math.max(last.to, one.to)
      last.values = Array.from(new Set([...last.values, ...one.values]))
    } else out.push({ from: one.from, to: one.to, values: one.values })
  }
  return out.map((one) => ({ values: one.values, span: { passage, from: from + one.from, to: from + one.to } }))
}

const MOST_MENTIONS = 24
/** Above this many numbers a sum comes about by chance. */
const MOST_SUMMANDS = 6

/** Whether a sum of one reading each of some numbers is the value. */
const sumsTo = (rows: ReadonlyArray<Mention>, value: number): boolean => {
  const [first, ...rest] = rows
  if (first === undefined) return sameNumber(value, 0)
  return first.values.slice(0, 4).some((one) => sumsTo(rest, value - one))
}

/** More ways than these to take one number of each line, and one of them comes to a value by chance. */
const MOST_WAYS = 64

/** One number of each line whose sum is the value: "Sold, seven thousand five hundred, to number forty-one" has another beside it. */
const oneOfEach = (value: number, all: ReadonlyArray<Mention>): ReadonlyArray<Mention> | undefined => {
  const lines = Array.from(Map.groupBy(all, ({ span }) => span.passage).values())
  if (lines.length < 3 || lines.length > MOST_SUMMANDS) return undefined
  if (lines.reduce((ways, { length }) => ways * length, 1) > MOST_WAYS) return undefined
  const find = ([first, ...rest]: typeof lines, left: number): ReadonlyArray<Mention> | undefined => {
    if (first === undefined) return sameNumber(left, 0) ? [] : undefined
    for (const one of first) {
      const others = one.values[0] === undefined ? undefined : find(rest, left - one.values[0])
      if (others !== undefined) return [one, ...others]
    }
    return undefined
  }
  return find(lines, value)
}

/** What a value may be counted in: all that it is made of are thousands, or all are millions. */
const scalesOf = (x: number, y: number): ReadonlyArray<number> =>
  [1, 1e3, 1e6, 1e9].filter((scale) => scale === 1 || (Math.abs(x) >= scale && Math.abs(y) >= scale))

/** How a number follows from what is cited. */
export interface Computed {
  readonly formula: string
  /** What enters the formula, each number by itself. */
  readonly inputs: ReadonlyArray<Span>
}

/** Whether one of two numbers is so many in a hundred of the other, to the nearest whole one. */
const isPercentOf = (value: number, x: number, y: number): boolean =>
  Math.max(x, y) > 1 && Math.round(100 * Math.min(x, y) / Math.max(x, y)) === Math.round(value)

const MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, second: 1 / 60 }

const ITEMS = /,\s*(?:and\s+)?|\s+and\s+|;\s*/u

const backed = (formula: string, value: number, all: ReadonlyArray<Mention>): Computed | undefined => {
  const own = evaluated(formula)
  if (own === undefined || !sameNumber(own.value, value)) return undefined
  const inputs: Array<Span> = []
  for (const input of own.inputs) {
    const found = all.find(({ values }) => values.some((one) => sameNumber(one, input)))
    if (found !== undefined) inputs.push(found.span)
    else if (!CONSTANTS.has(input)) return undefined
  }
  return inputs.length === 0 ? undefined : { formula: workingOf(formula), inputs: Array.from(new Set(inputs)) }
}

/**
 * How a number follows from the numbers of its citations: by the formula that is given, where it is made of them, else as the
 * difference, sum or product of two, the percentage that one is of the other, the time between two, the sum of several in a row or of one from each line, the first less the others in a row, or as the number of the lines or of the things named in one.
 * Undefined where it does not.
 */
export const computedFrom = (
  value: number,
  spans: ReadonlyArray<Span>,
  given: string | undefined,
  measure?: Unit
): Computed | undefined => {
  const times = measure?.dimension === "time" ? betweenTimes(value * (MINUTES[measure.unit] ?? 1), spans) : undefined
  if (times !== undefined) return { formula: "time_between(inputs)", inputs: times }
  const all = spans.flatMap((span) => mentions(span, measure)).slice(0, MOST_MENTIONS)
  const own = given === undefined ? undefined : backed(given, value, all)
  if (own !== undefined) return own
  for (const [at, a] of all.entries()) {
    for (const b of all.slice(at + 1)) {
      const inputs = [a.span, b.span]
      for (const x of a.values) {
        for (const y of b.values) {
          if (x === 0 || y === 0) continue
          const scale = scalesOf(x, y)
          if (scale.some((one) => sameNumber(Math.abs(x - y) / one, Math.abs(value)))) {
            return { formula: "difference(inputs)", inputs }
          }
          if (scale.some((one) => sameNumber((x + y) / one, value))) return { formula: "sum(inputs)", inputs }
          if (x !== 1 && y !== 1 && sameNumber(x * y, value)) return { formula: "product(inputs)", inputs }
          if (measure?.dimension === "share" && isPercentOf(value, x, y)) return { formula: "percent(inputs)", inputs }
        }
      }
    }
  }
  for (let size = 3; size <= Math.min(MOST_SUMMANDS, all.length); size++) {
    for (let from = 0; from + size <= all.length; from++) {
      const row = all.slice(from, from + size)
      if (sumsTo(row, value)) return { formula: "sum(inputs)", inputs: row.map(({ span }) => span) }
    }
  }
  for (let size = 3; size <= Math.min(MOST_SUMMANDS, all.length); size++) {
    for (let from = 0; from + size <= all.length; from++) {
      const [first, ...rest] = all.slice(from, from + size)
      if (first!.values.slice(0, 2).some((whole) => sumsTo(rest, whole - value))) {
        return { formula: "difference(inputs)", inputs: [first!, ...rest].map(({ span }) => span) }
      }
    }
  }
  const apart = oneOfEach(value, all)
  if (apart !== undefined) return { formula: "sum(inputs)", inputs: apart.map(({ span }) => span) }
  // Nobody measures minutes by how many lines speak of them.
  if (measure !== undefined || !Number.isInteger(value) || value < 1 || value > 50) return undefined
  if (value === spans.length) return { formula: "count(inputs)", inputs: spans }
  const listed = spans.find((span) =>
    value > 1 && quoteOf(span).split(ITEMS).filter((item) => /\p{L}/u.test(item)).length === value
  )
  return listed === undefined ? undefined : { formula: "items(quote)", inputs: [listed] }
}
