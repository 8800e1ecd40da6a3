import { type Mention, mentionText } from "../../candidates/Mention.ts"
import { unitsOf } from "../../lexicon/Units.ts"
import type { Candidate } from "../../text/Candidate.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import { hasOthersSign } from "./EntryValues.ts"

interface Part {
  readonly from: number
  readonly to: number
}

/** What separates the columns of a line: wide gaps, bars, dashes, colons. */
const COLUMN = /\s{2,}|\t|\s*[|·•]\s*|\s+[–—-]\s+|:\s+/gu
const EDGE = /^[\s.,:;|·•×/\\()+–—*=-]+|[\s.,:;|·•×/\\(+–—*=-]+$/gu
const NUMERIC = /^(?:number|money|percent|time|date)$/u

/** A text without signs of money and what else may stand around a cell. */
export const bareText = (text: string): string => text.replace(/[$€£¥]/gu, " ").replaceAll(EDGE, "").trim()

const isLetters = (text: string): boolean => /\p{L}/u.test(text)

/** The parts of a line between its separators and what is cut out, in order. */
const partsOf = (text: string, cuts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const out: Array<Part> = []
  const gaps = [
    ...Array.from(text.matchAll(COLUMN), ({ 0: { length }, index }) => ({ from: index, to: index + length })),
    ...cuts
  ].toSorted((a, b) => a.from - b.from)
  let at = 0
  for (const { from, to } of gaps) {
    if (from > at) out.push({ from: at, to: from })
    at = Math.max(at, to)
  }
  return at < text.length ? [...out, { from: at, to: text.length }] : out
}

/** A number with the unit behind it. */
const withUnit = (text: string, { from, to }: Part): Part => {
  const unit = /^\s?([\p{L}°%′″'"]+)/u.exec(text.slice(to))
  const measures = unit !== null && (unitsOf(unit[1]).size > 0 || /^[°%′″'"]/u.test(unit[1]!))
  return { from, to: measures ? to + unit[0].length : to }
}

/** "BP-201", "Q3", "3-Season", "7-Up": the number is part of a word. */
const isGlued = (text: string, { from, to }: Part): boolean =>
  /[\p{L}\p{N}][-–'’]?$/u.test(text.slice(Math.max(0, from - 2), from)) || /^-\p{L}/u.test(text.slice(to, to + 2))

/** Whether nothing but its unit or currency stands beside a number between two separators of its line: the whole of a cell is its value. */
const isCell = (text: string, number: Part, parts: ReadonlyArray<Part>): boolean => {
  const part = parts.find(({ from, to }) => from <= number.from && number.from < to)
  if (part === undefined) return false
  const { from, to } = withUnit(text, number)
  const [before, after] = [text.slice(part.from, from).trim(), text.slice(to, Math.max(to, part.to))]
  return !/[\p{L}\p{N}]/u.test(after) && (!/[\p{L}\p{N}]/u.test(before) || unitsOf(before).size > 0)
}

const numbering = /^\s*(\d{1,3})(?:[.)]\s+|\s+)(?=\S)/u
const numberOf = ({ text }: Passage): number => Number(numbering.exec(text)?.[1] ?? Number.NaN)

/** The number of its row that a line opens with, with the sign behind it. */
const countOf = (text: string): Part => ({ from: 0, to: numbering.exec(text)?.[0].length ?? 0 })

/** Of the bare numbers of a line those that are cells of their own, where any is: in "Boeing 737  180" the first belongs to the name. */
export const withoutNamed = <V extends Part & { readonly sure: boolean }>(
  { text }: Passage,
  values: ReadonlyArray<V>,
  numbered: boolean
): ReadonlyArray<V> => {
  const parts = partsOf(text, [])
  const counted = numbered ? countOf(text).to : 0
  const cells = new Set(values.filter((one) => isCell(text, one, parts)).map(({ from }) => from))
  return cells.size === 0 ? values : values.filter(({ from, sure }) => sure || cells.has(from) || from < counted)
}

/** Lines of a frame that open with the number of their row: the line above or below counts on. */
export const numberedLines = (frames: ReadonlyArray<ReadonlyArray<Passage>>): ReadonlySet<Passage> =>
  new Set(
    frames.flatMap((lines) =>
      lines.filter((line, at) =>
        /^\s*\d{1,3}[.)]\s/u.test(line.text) || [lines[at - 1], lines[at + 1]].some((other, side) =>
          other !== undefined && numberOf(other) - numberOf(line) === (side === 0 ? -1 : 1)
        )
      )
    )
  )

/** Where the text of a part ends, once the numbers with their units and the row of bare numbers at its end are cut. */
const endOf = (text: string, { from, to }: Part, numbers: ReadonlyArray<Part>): number => {
  let [cut, end, bare] = [to, to, 0]
  for (const number of numbers.toReversed()) {
    const whole = withUnit(text, number)
    if (number.from <= from || /[\p{L}\p{N}]/u.test(text.slice(Math.min(whole.to, end), end))) break
    bare = whole.to > number.to ? 0 : bare + 1
    end = number.from
    // "Room 101" is called so; several bare numbers in a row are columns.
    if (bare !== 1) cut = end
  }
  return cut
}

const isDatePart = (text: string, { from, to }: Part): boolean =>
  /\d/u.test(text.slice(from, to)) && /\D/u.test(text.slice(from, to)) &&
  (!isLetters(text.slice(0, from)) || !isLetters(text.slice(to)))

/**
 * The texts of a line beside its numbers, in order: what comes into a property, sums of money, shares, and days and times at either end of the
 * line are cut out. Any other number that letters follow, or that stands alone behind them, belongs to what something is called.
 */
export const textsOf = (
  line: Passage,
  candidates: ReadonlyArray<Candidate>,
  taken: ReadonlyArray<Part>,
  numbered: boolean
): ReadonlyArray<Mention> => {
  const { text } = line
  const numeric = candidates.filter((one) => NUMERIC.test(one.kind) && !hasOthersSign(one))
  const cut = numeric.filter((one) =>
    taken.some(({ from, to }) => one.from <= from && to <= one.to) || one.kind === "money" || one.kind === "percent" ||
    ((one.kind === "time" || one.kind === "date") && isDatePart(text, one))
  )
  const cuts = [...cut.map((one) => withUnit(text, one)), ...(numbered ? [countOf(text)] : [])]
  const numbers = numeric.filter((one) => one.kind === "number" && /^\d/u.test(one.text) && !isGlued(text, one))
  const parts = partsOf(text, cuts)
  return parts.flatMap((part) => {
    if (numbers.some((one) => one.from >= part.from && one.to <= part.to && isCell(text, one, [part]))) return []
    const own = numbers.filter(({ from, to }) => from >= part.from && to <= part.to)
    const piece = bareText(text.slice(part.from, endOf(text, part, own))).replace(/^x\s+|\s+x$/iu, "").trim()
    if (!isLetters(piece) || (piece.length < 3 && piece === piece.toLowerCase())) return []
    return mentionText({ ...wholeOf(line), from: part.from }, piece) ?? []
  })
}
