import type { Rectangle } from "../picture/Picture.ts"

/** What is put in order: a rectangle with its text. */
export interface Placed extends Rectangle {
  readonly text: string
}

const tuning = {
  /** Lines stand in one row when they share this much of the lower one's height. */
  shared_height: 0.5,
  /** Columns are apart by at least this many line heights... */
  gutter: 0.7,
  /** ...and stand beside each other for at least this share of the shorter one. */
  beside: 0.5,
  /** A heading above columns or a footer below is further away than the columns' own lines by this factor. */
  detached: 1.5,
  /** Three or more columns in rows are a table where this share of the cells beside the first column are values... */
  values: 0.5,
  /** ...and two columns where that many beside labels are, none of which has more words than this... */
  name_words: 8,
  /** ...or a grid of labels where half of all cells have no more words than this; cards of prose have more. */
  label_words: 2
} as const

const right = (one: Rectangle) => one.left + one.width
const bottom = (one: Rectangle) => one.top + one.height
const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A total order, so that the outcome does not depend on the order of the input. */
const byPlace = (a: Placed, b: Placed): number =>
  a.top + a.height / 2 - (b.top + b.height / 2) || a.left - b.left || a.width - b.width || a.height - b.height ||
  (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)

const inRow = (a: Rectangle, b: Rectangle): boolean =>
  Math.min(bottom(a), bottom(b)) - Math.max(a.top, b.top) >= tuning.shared_height * Math.min(a.height, b.height)

/** Lines from top to bottom, those of one row together, from left to right. */
const rowsOf = <P extends Placed>(lines: ReadonlyArray<P>): ReadonlyArray<ReadonlyArray<P>> => {
  const rows: Array<Array<P>> = []
  for (const line of lines.toSorted(byPlace)) {
    const row = rows.at(-1)
    if (row !== undefined && inRow(row[0]!, line)) row.push(line)
    else rows.push([line])
  }
  return rows.map((row) => row.toSorted((a, b) => a.left - b.left || byPlace(a, b)))
}

interface Columns<P> {
  readonly left: ReadonlyArray<P>
  readonly right: ReadonlyArray<P>
}

/** The widest upright strip that no line crosses, with at least two lines on either side. */
const gutterOf = <P extends Placed>(lines: ReadonlyArray<P>): Columns<P> | undefined => {
  const least = tuning.gutter * median(lines.map(({ height }) => height))
  const sorted = lines.toSorted((a, b) => a.left - b.left || byPlace(a, b))
  let widest = least
  let found: Columns<P> | undefined
  let reach = -Infinity
  sorted.forEach((line, index) => {
    if (index >= 2 && sorted.length - index >= 2 && line.left - reach >= widest) {
      widest = line.left - reach
      found = { left: sorted.slice(0, index), right: sorted.slice(index) }
    }
    reach = Math.max(reach, right(line))
  })
  return found
}

const span = (lines: ReadonlyArray<Rectangle>) => ({
  top: Math.min(...lines.map(({ top }) => top)),
  bottom: Math.max(...lines.map(bottom))
})

const AMOUNT = /^[^\p{L}]*\d[\d\p{P}\p{S}\s]*[\p{L}%°/ ]{0,12}$/u
/** "AQ7-2210-BK", "IP67". */
const CODE = /^(?=[^\d]*\d)[\p{L}\d./-]{2,24}$/u
/** "20 Hz - 40 kHz", "30 x 40 cm". */
const BETWEEN = /\s(?:[-–—~×x]|to)\s/u
const isValue = ({ text }: Placed): boolean =>
  AMOUNT.test(text) || CODE.test(text) || text.split(BETWEEN, 4).every((part) => AMOUNT.test(part))
const BULLET = /^[^\p{L}]*$/u

/** Columns, from the left, of lines that stand apart from each other; fewer than two where nothing parts them. */
const stripsOf = <P extends Placed>(lines: ReadonlyArray<P>): ReadonlyArray<ReadonlyArray<P>> => {
  const strips: Array<Array<P>> = []
  let reach = -Infinity
  for (const line of lines.toSorted((a, b) => a.left - b.left || byPlace(a, b))) {
    if (line.left > reach) strips.push([])
    strips.at(-1)!.push(line)
    reach = Math.max(reach, right(line))
  }
  return strips
}

/** Three columns or more whose lines stand in rows throughout, of values or of labels. */
const isGrid = <P extends Placed>(columns: Columns<P>): boolean => {
  const lines = [...columns.left, ...columns.right]
  const [first, ...others] = stripsOf(lines)
  if (first === undefined || others.length < 2) return false
  if (!others.every((strip) => strip.every((cell) => first.some((line) => inRow(line, cell))))) return false
  const cells = others.flat()
  return cells.filter(isValue).length >= tuning.values * cells.length ||
    median(lines.map(({ text }) => text.split(" ").length)) <= tuning.label_words
}

/**
 * Whether the two sides are read row by row: tables, labels with their values, numbers or bullets with their text. Lines on
 * the left that stand in no row, as headings of parts do, are no labels.
 */
const isTable = <P extends Placed>(columns: Columns<P>): boolean => {
  const { left, right: cells } = columns
  if (isGrid(columns)) return true
  const labels = left.filter((line) => cells.some((cell) => inRow(line, cell)))
  const labelled = cells.every((cell) => labels.some((line) => inRow(line, cell)))
  if (!labelled && labels.length < left.length) return false
  if (labels.every(({ text }) => BULLET.test(text) || text.trimEnd().endsWith(":"))) return true
  const values = cells.filter(isValue).length
  return !left.some(isValue) && (values === cells.length || (labelled && values >= tuning.values * cells.length &&
    labels.every(({ text }) => text.split(" ").length <= tuning.name_words)))
}

/** Columns that are read one after the other, or `table` where their rows are. */
const columnsOf = <P extends Placed>(rows: ReadonlyArray<ReadonlyArray<P>>): Columns<P> | "table" | undefined => {
  const columns = gutterOf(rows.flat())
  if (columns === undefined) return undefined
  if (isTable(columns)) return "table"
  const a = span(columns.left)
  const b = span(columns.right)
  const beside = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return beside >= tuning.beside * Math.min(a.bottom - a.top, b.bottom - b.top) ? columns : undefined
}

/** Rows `[from, to)` without headings and footers that stand off from the columns between them. */
const trimmed = <P extends Placed>(
  rows: ReadonlyArray<ReadonlyArray<P>>,
  { left }: Columns<P>,
  from: number,
  to: number
): readonly [from: number, to: number] => {
  const sides = new Set<P>(left)
  const mixed = (row: ReadonlyArray<P>) => row.some((line) => sides.has(line)) && row.some((line) => !sides.has(line))
  const first = rows.findIndex((row, index) => index >= from && mixed(row))
  const last = rows.findLastIndex((row, index) => index < to && mixed(row))
  if (first < 0) return [from, to]
  const gap = (index: number) => span(rows[index]!).top - span(rows[index - 1]!).bottom
  const gaps = Array.from({ length: last - first }, (_, i) => gap(first + 1 + i))
  const usual = Math.max(median(rows.flat().map(({ height }) => height)) / 2, ...gaps)
  let start = first
  while (start > from && gap(start) <= tuning.detached * usual) start--
  let end = last + 1
  while (end < to && gap(end) <= tuning.detached * usual) end++
  return [start, end]
}

/**
 * The order in which a reader takes the lines of a picture: from top to bottom, columns one after another, tables and
 * labelled values row by row. Every line comes out exactly once and the order of the input does not matter. Pure; a
 * recursive X-Y cut (Nagy and Seth, 1984) with upright cuts first.
 */
export const readingOrder = <P extends Placed>(lines: ReadonlyArray<P>): ReadonlyArray<P> => {
  const rows = rowsOf(lines)
  const out: Array<P> = []
  for (let from = 0; from < rows.length;) {
    let next = from + 1
    let block: ReadonlyArray<P> = rows[from]!
    // The longest run of rows that falls into columns; then what only looks like a part of them is cut off again.
    for (let to = rows.length; to > from + 1; to--) {
      const wide = columnsOf(rows.slice(from, to))
      if (wide === undefined) continue
      // What is a table as a whole is one in its parts, whatever few cells of it look like.
      if (wide === "table") {
        const last = rows.findLastIndex((row, index) => index < to && row.length > 1)
        next = Math.max(next, last + 1)
        block = rows.slice(from, next).flat()
        break
      }
      const [start, end] = trimmed(rows, wide, from, to)
      if (start > from) break
      const columns = columnsOf(rows.slice(from, end))
      if (columns === undefined || columns === "table") continue
      block = [...readingOrder(columns.left), ...readingOrder(columns.right)]
      next = end
      break
    }
    out.push(...block)
    from = next
  }
  return out
}
