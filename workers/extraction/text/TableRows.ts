import type { TextLine } from "../../../src/artifacts/Vision.ts"
import { isOfRows, periodOf } from "./TableKinds.ts"

/** Lines of a frame that stand in one row of a table, by their places in the list: of each cell its lines from top to bottom. */
export type TableRow = ReadonlyArray<ReadonlyArray<number>>

const tuning = {
  /** Cells of one row share this much of the lower one's height. */
  shared_height: 0.5,
  /** Columns are apart by at least this many line heights, across in fractions of the width: 0.7 of them on a wide picture. */
  gutter: 0.4,
  /** The next row is at most this many line heights below. */
  detached: 6,
  /** A row that is further from the others than this multiple of their usual distance is none of theirs. */
  far: 2.2,
  /** Lines that are none of a row's, one below the other, after which a table has ended. */
  between: 2,
  /** The next line of a cell is nearer to it than this share of the distance between rows, and differs in size by no more. */
  wrapped: 0.7,
  most_columns: 12
} as const

interface Item {
  readonly index: number
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly height: number
}

interface Strip {
  readonly left: number
  readonly right: number
}

/** Lines beside each other, from left to right. */
type Band = ReadonlyArray<Item>

/** Bands one below the other whose lines stand in the same strips; a line alone in its band may be the next of a cell. */
interface Run {
  strips: ReadonlyArray<Strip>
  readonly bands: Array<Band>
  /** Lines after the last row of several cells. */
  open: number
}

const itemOf = ({ box: [left, top, width, height], text }: TextLine, index: number): Item => ({
  index,
  text: text.trim(),
  left,
  right: left + width,
  top,
  bottom: top + height,
  height
})

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const topOf = (band: Band): number => Math.min(...band.map(({ top }) => top))
const bottomOf = (band: Band): number => Math.max(...band.map(({ bottom }) => bottom))
const meets = (a: Strip, b: Strip): boolean => a.left < b.right && b.left < a.right

const inBand = (band: ReadonlyArray<Item>, item: Item): boolean =>
  band.every((other) =>
    !meets(other, item) &&
    Math.min(other.bottom, item.bottom) - Math.max(other.top, item.top) >=
      tuning.shared_height * Math.min(other.height, item.height)
  )

const bandsOf = (items: ReadonlyArray<Item>): ReadonlyArray<Band> => {
  const bands: Array<Array<Item>> = []
  for (const item of items.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom || a.left - b.left)) {
    // Two lines of a wrapped cell beside one in their middle are in the order left, right, left.
    const band = bands.at(-1)
    if (band !== undefined && band.length < tuning.most_columns && inBand(band, item)) band.push(item)
    else bands.push([item])
  }
  return bands.map((band) => band.toSorted((a, b) => a.left - b.left))
}

/** The strips with a band's lines in them; undefined where a line crosses two or two share one. */
const stripsWith = (strips: ReadonlyArray<Strip>, band: Band): ReadonlyArray<Strip> | undefined => {
  const out = [...strips]
  const taken = new Set<number>()
  for (const { left, right } of band) {
    const own = strips.flatMap((strip, at) => meets(strip, { left, right }) ? [at] : [])
    if (own.length > 1 || (own.length === 1 && taken.has(own[0]!))) return undefined
    const [at = out.length] = own
    taken.add(at)
    out[at] = at < strips.length
      ? { left: Math.min(left, out[at]!.left), right: Math.max(right, out[at]!.right) }
      : { left, right }
  }
  const least = tuning.gutter * median(band.map(({ height }) => height))
  const sorted = out.toSorted((a, b) => a.left - b.left)
  return sorted.some((strip, at) => at > 0 && strip.left - sorted[at - 1]!.right < least) ? undefined : sorted
}

const runsOf = (bands: ReadonlyArray<Band>): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (const band of bands) {
    const run = runs.at(-1)
    const near = run !== undefined && run.open <= tuning.between &&
      topOf(band) - bottomOf(run.bands.at(-1)!) <= tuning.detached * median(band.map(({ height }) => height))
    if (band.length === 1) {
      if (!near) continue
      run.bands.push(band)
      run.open++
      continue
    }
    const strips = near ? stripsWith(run.strips, band) : undefined
    if (strips !== undefined && strips.length <= tuning.most_columns) {
      run!.strips = strips
      run!.bands.push(band)
      run!.open = 0
      continue
    }
    const own = stripsWith([], band)
    if (own !== undefined) runs.push({ strips: own, bands: [band], open: 0 })
  }
  return runs
}

/** A header over numbers at the other edge of their column stands in no strip of theirs: strips of which no row has both are one. */
const joinedStrips = ({ bands, strips }: Run): ReadonlyArray<Strip> => {
  const out: Array<Strip> = []
  const has = (strip: Strip, band: Band): boolean => band.some((item) => meets(strip, item))
  const rows = bands.filter((band) => band.length > 1)
  for (const strip of strips) {
    const before = out.at(-1)
    const one = before !== undefined && !rows.some((band) => has(before, band) && has(strip, band)) &&
      rows.filter((band) => has(before, band)).length + rows.filter((band) => has(strip, band)).length ===
        rows.length &&
      Math.min(rows.filter((band) => has(before, band)).length, rows.filter((band) => has(strip, band)).length) === 1
    if (one) out[out.length - 1] = { left: before.left, right: strip.right }
    else out.push(strip)
  }
  return out
}

type Cells = Array<Array<Item> | undefined>

const placed = (strips: ReadonlyArray<Strip>, band: Band): Cells =>
  strips.map((strip) => {
    const own = band.filter((item) => meets(strip, item))
    return own.length === 0 ? undefined : own
  })

/** Whether a line is the next of a cell: as large, and under it. */
const goesOn = (cell: ReadonlyArray<Item>, item: Item, most: number): boolean => {
  const above = cell.at(-1)!
  const ratio = item.height / above.height
  return item.top - above.bottom <= most && ratio > tuning.wrapped && ratio < 1 / tuning.wrapped
}

/** Rows of a run with the further lines of their cells; what is neither stays a line of its own. */
const rowsOf = ({ bands }: Run, strips: ReadonlyArray<Strip>): ReadonlyArray<Cells> => {
  const whole = (band: Band): boolean => band.length === strips.length
  const gaps = bands.flatMap((band, at) => at > 0 && whole(band) ? [topOf(band) - bottomOf(bands[at - 1]!)] : [])
  const most = tuning.wrapped * median(gaps)
  const rows: Array<Cells> = []
  for (const band of bands) {
    const cells = placed(strips, band)
    const row = rows.at(-1)
    const further = row !== undefined && !whole(band) &&
      band.every((item) => strips.filter((strip) => meets(strip, item)).length === 1) &&
      cells.every((cell, at) => cell === undefined || (row[at] !== undefined && goesOn(row[at], cell[0]!, most)))
    if (further) cells.forEach((cell, at) => row[at]?.push(...cell ?? []))
    else if (band.length > 1) rows.push(cells)
  }
  return rows
}

/** Rows without those at the ends that stand off from the others: a title with a date beside it, a footer. */
const together = (rows: ReadonlyArray<Cells>): ReadonlyArray<Cells> => {
  const span = (cells: Cells): Band => cells.flatMap((cell) => cell ?? [])
  const gaps = rows.slice(1).map((row, at) => topOf(span(row)) - bottomOf(span(rows[at]!)))
  const most = tuning.far *
    Math.max(median(gaps), median(rows.flatMap((row) => span(row)).map(({ height }) => height)) / 2)
  let [from, to] = [0, rows.length]
  while (to - from > 2 && gaps[from]! > most) from++
  while (to - from > 2 && gaps[to - 2]! > most) to--
  return rows.slice(from, to)
}

const textOf = (cell: ReadonlyArray<Item> | undefined): string | undefined => cell?.map(({ text }) => text).join(" ")

/** Whether each line of a row comes later in the reader's order than those of the cells before it: only so its words can be quoted. */
const isInOrder = (row: TableRow): boolean => {
  const firsts = row.flatMap(([first]) => first === undefined ? [] : [first])
  return firsts.every((index, at) => at === 0 || firsts[at - 1]! < index) &&
    row.every((cell) => cell.every((index, at) => at === 0 || cell[at - 1]! < index))
}

/** The rows of one table, or of several that stand beside each other and are read one after the other: a row of one cell is a line of such. */
export interface Table {
  readonly rows: ReadonlyArray<TableRow>
  readonly beside: boolean
}

const several = (row: Cells): boolean => row.filter((cell) => cell !== undefined).length > 1

/**
 * The tables on a frame, each row with its cells from left to right, empty where it has none in a column. Rows are told by where lines
 * stand, in whatever order they were read, and only where each is about one thing.
 */
export const tablesOn = (lines: ReadonlyArray<TextLine>): ReadonlyArray<Table> => {
  const items = lines.map(itemOf).filter(({ height, text }) => text !== "" && height > 0)
  return runsOf(bandsOf(items)).flatMap((run): ReadonlyArray<Table> => {
    const strips = joinedStrips(run)
    const rows = together(rowsOf(run, strips))
    const used = strips.map((_, at) => rows.some((row) => row[at] !== undefined))
    const full = rows.map((row) => row.filter((_, at) => used[at]))
    const columns = used.filter((one) => one).length
    if (columns < 2) return []
    const period = periodOf(full.map((row) => row.map(textOf))) ?? columns
    const tables = Array.from(
      { length: columns / period },
      (_, at) => full.map((row) => row.slice(at * period, (at + 1) * period))
    )
    const areRows = tables.map((table) => {
      const own = table.filter(several)
      return own.length > 1 && isOfRows(own.map((row) => row.map(textOf)))
    })
    if (!areRows.every((one) => one)) return []
    const beside = tables.length > 1
    const indexed = tables.flat().filter((row) => beside ? row.some((cell) => cell !== undefined) : several(row))
      .map((row): TableRow =>
        (several(row) ? row : row.filter((cell) => cell !== undefined)).map((cell) =>
          cell?.map(({ index }) => index) ?? []
        )
      )
    const inOrder = indexed.filter(isInOrder)
    return inOrder.length < indexed.length && beside ? [] : [{ rows: inOrder, beside }]
  })
}
