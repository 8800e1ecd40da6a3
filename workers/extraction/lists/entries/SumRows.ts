import type { Leaf } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { identifierWords, stem, tokenise } from "../../text/Tokens.ts"
import type { Entry, Shape } from "./Entry.ts"

interface Placed extends Entry {
  readonly line: Passage
}

const SUM = /^(?:sub ?)?total\b|^sum\b|\btotals?$/iu

/** Whether a row is called a sum, wherever it stands. */
export const isCalledSum = (name: unknown): boolean => SUM.test(String(name))

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** What the last lines of a bill or of a table are called: they tell of the rows above. */
const SUMMARY = setOf(
  "total subtotal sum tax taxes vat gst hst pst tip gratuity balance average avg mean median maximum max minimum min discount rebate net gross " +
    "overall due payable owed owing outstanding remainder remaining rounding deposit goal target altogether"
)
const BESIDE = setOf(
  "all the of and a an in to from at so far amount amounts grand sales service charge value still left raised paid including incl excluding excl per plus less minus"
)

/** Whether a row is called by nothing but words that sum up, and those of its list: "Average score", "Sales tax (8 %)", "Balance due". */
const summarises = (name: unknown, own: ReadonlySet<string>): boolean => {
  const words = tokenise(String(name)).map(({ norm }) => norm).filter((word) => /\p{L}/u.test(word))
  return words.some((word) => SUMMARY.has(word)) &&
    words.every((word) => SUMMARY.has(word) || BESIDE.has(word) || own.has(stem(word)))
}

/** Least rows above a sum: two small numbers often add up to a third. */
const LEAST_SUMMANDS = 3

const CENT = 0.005
const numbersOf = ({ values }: Placed): ReadonlyArray<readonly [Leaf, number]> =>
  Array.from(values).flatMap(([leaf, { value }]) => typeof value === "number" ? [[leaf, value] as const] : [])

const numberIn = (row: Placed | undefined, leaf: Leaf): number => Number(row?.values.get(leaf)?.value ?? 0)

/** The rows at the end of one frame that sum up those above. */
const sumsAtEnd = (
  rows: ReadonlyArray<Placed>,
  isSummary: (row: Placed) => boolean
): ReadonlyArray<Placed> => {
  const called = rows.map(isSummary)
  // What stands above each row, all of it and what is no summary of its own.
  const [all, entries] = [new Map<Leaf, number>(), new Map<Leaf, number>()]
  const added = rows.map((row, at) => {
    const numbers = numbersOf(row)
    const equals = (above: ReadonlyMap<Leaf, number>): boolean =>
      numbers.every(([leaf, value]) => value !== 0 && Math.abs((above.get(leaf) ?? 0) - value) < CENT)
    const isSum = at >= LEAST_SUMMANDS && numbers.length > 0 && (equals(all) || equals(entries))
    for (const [leaf, value] of numbers) {
      all.set(leaf, (all.get(leaf) ?? 0) + value)
      if (!called[at]) entries.set(leaf, (entries.get(leaf) ?? 0) + value)
    }
    return isSum
  })
  const sums = called.map((one, at) => one || added[at]!)
  const settles = (at: number): boolean => {
    const numbers = numbersOf(rows[at]!)
    return sums[at - 1] === true && sums[at - 2] === true && numbers.length > 0 &&
      numbers.every(([leaf, value]) => {
        const [last, before] = [numberIn(rows[at - 1], leaf), numberIn(rows[at - 2], leaf)]
        return value !== 0 && [last + before, Math.abs(last - before)].some((one) => Math.abs(one - value) < CENT)
      })
  }
  let end = rows.length
  while (end > 0 && (sums[end - 1]! || settles(end - 1))) end--
  return end < 2 ? [] : rows.slice(end)
}

/** The rows without those at the end of a frame that sum up the rows above: by their name, or as each of their numbers adds these up. */
export const withoutSums = <R extends Placed>(
  rows: ReadonlyArray<R>,
  { anchor, list, others }: Pick<Shape, "anchor" | "list" | "others">
): ReadonlyArray<R> => {
  const own = new Set([list, anchor, ...others].flatMap(({ name }) => identifierWords(name)).map(stem))
  // A list of taxes or of discounts asks for just these.
  const asked = identifierWords(list.name).some((word) => SUMMARY.has(word) || SUMMARY.has(stem(word)))
  const isSummary = ({ name }: Placed): boolean => !asked && summarises(name.value, own)
  const sums = new Set<Placed>(
    Array.from(Map.groupBy(rows, ({ line }) => line.source_ref).values()).flatMap((frame) =>
      sumsAtEnd(frame, isSummary)
    )
  )
  return rows.filter((row) => !sums.has(row))
}

/** Words of a field's name that say how its value is written, not of what it is. */
const UNIT_WORD = /^(?:percent|percentage|pct|number|count|total|value)$/u

const stemsOf = (words: ReadonlyArray<string>): string => words.map(stem).toSorted().join(" ")

/** The rows without those at the end of a frame that are called as a number is that the result asks for: "Turnout 63.9 %" below the candidates, for `turnoutPercent`. */
export const withoutFields = <R extends Placed>(
  rows: ReadonlyArray<R>,
  fields: ReadonlyArray<Pick<Leaf, "name" | "type">>
): ReadonlyArray<R> => {
  const called = new Set(fields.flatMap(({ name, type }) => {
    if (type !== "number" && type !== "integer") return []
    const telling = identifierWords(name).filter((word) => !UNIT_WORD.test(word))
    return telling.length === 0 ? [] : [stemsOf(telling)]
  }))
  const isField = ({ name }: R): boolean => called.has(stemsOf(tokenise(String(name.value)).map(({ norm }) => norm)))
  return Array.from(Map.groupBy(rows, ({ line }) => line.source_ref).values()).flatMap((frame) => {
    const last = frame.findLastIndex((row) => !isField(row))
    return frame.slice(0, last < 0 ? frame.length : last + 1)
  })
}
