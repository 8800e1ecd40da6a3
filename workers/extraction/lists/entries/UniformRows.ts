import { asksYear, inForm, wantsDay } from "../../candidates/LeafCandidates.ts"
import { measureOf, wantedEnd } from "../../candidates/Measures.ts"
import type { Mention } from "../../candidates/Mention.ts"
import { numberAt } from "../../lexicon/Numbers.ts"
import { unitAfter } from "../../lexicon/Units.ts"
import { weekdayWritten } from "../../lexicon/Weekdays.ts"
import { wantsClock, wantsWeekday } from "../../text/FieldForms.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { identifierWords, normaliseValue, stem, tokenise } from "../../text/Tokens.ts"
import { type Cell, cellsOf } from "../texts/Cells.ts"
import { nameOf, type Shape, shapeOf } from "./Entry.ts"
import type { Row } from "./EntryRows.ts"
import { isTyped } from "./EntryValues.ts"
import { stackedLines } from "./StackedLines.ts"
import { columnsOf } from "./TableHeader.ts"
import { type Part, type UniformLines, uniformLines } from "./UniformLines.ts"

/** One column of lines that are made alike. */
interface Column {
  readonly parts: ReadonlyArray<Part>
  readonly sort: Part["sort"]
  /** The property that its header, or the word that stands before each of its values, names; null where a header names something else. */
  readonly named: Leaf | null | undefined
}

const isNumeric = ({ type }: Leaf): boolean => type === "number" || type === "integer"
const numberOf = ({ text, unit }: Part): number | undefined => {
  const figures = text.replace(unit ?? "", "").replaceAll(/[$€£¥]/gu, "").replace("−", "-").trim()
  const value = numberAt(tokenise(figures), 0)?.value
  return value === undefined ? undefined : figures.startsWith("-") ? -value : value
}

const YEARS = /\b(?:year|vintage|built|founded|since|born|released?)\b/u
const RANKED = /\b(?:rank|place|position|pos|no|number|nr|order|standing)\b/u
const UNIT_NAME = /(?:^| )units?$/u
const COUNTED = /\b(?:amount|quantity|qty|value|weight|size|measure)\b/u
const TIMED = /\b(?:time|times|at|when|starts?|ends?|from|until|departure|arrival|result|finish)\b/u
const DATED = /\b(?:date|day|days|when|deadline|due)\b/u
const HOURS = /\b(?:hours|times?|period|slot|when|opening)\b/u

const isYears = ({ parts, sort }: Column): boolean =>
  sort === "number" && parts.every(({ text }) => /^(?:19|20)\d{2}$/u.test(text))

/** Whether a column counts its rows: one more from line to line. */
const isCounting = ({ parts, sort }: Column): boolean =>
  sort === "number" && parts.every((part, at) =>
    part.unit === undefined && Number.isInteger(numberOf(part)) &&
    (at === 0 || numberOf(part) === numberOf(parts[at - 1]!)! + 1)
  )

const inBounds = ({ schema: { maximum, minimum }, type }: Leaf, value: number | undefined): boolean =>
  value !== undefined && (type !== "integer" || Number.isInteger(value)) &&
  !(typeof minimum === "number" && value < minimum) && !(typeof maximum === "number" && value > maximum)

/** How well the numbers of a column are those of a property: 2 where their sign or unit says so, 1 where nothing speaks against it, 0 where something does. */
const fitOf = (leaf: Leaf, column: Column, withUnits: boolean): number => {
  const { named, parts, sort } = column
  if (named === null || leaf.expected === "computed") return 0
  if (!parts.every((part) => inBounds(leaf, numberOf(part)))) return 0
  if (asksYear(leaf) || YEARS.test(nameOf(leaf))) return isYears(column) ? 2 : 0
  if (isYears(column)) return 0
  const wanted = measureOf(leaf)
  // "Day" over sums, for `per_day`, asks for no days.
  if (sort === "money") {
    return (leaf.kinds.get("money") ?? 0) >= 0.5
      ? 2
      : wanted === undefined || named === leaf
      ? 1
      : 0
  }
  if (sort === "percent") return (leaf.kinds.get("percent") ?? 0) >= 0.5 ? 2 : 0
  const [{ unit } = { unit: undefined }] = parts
  // A bare number counts: "Rovers 3" gives no minute, while a column of decimals may be anything.
  if (unit === undefined && named === undefined && wanted?.dimension === "time") return 0
  if (unit === undefined) return isCounting(column) === RANKED.test(nameOf(leaf)) ? 1 : named === leaf ? 1 : 0
  if (identifierWords(leaf.name).some((word) => stem(word) === stem(unit.toLowerCase()))) return 2
  if (withUnits && COUNTED.test(nameOf(leaf))) return 2
  const said = unitAfter(` ${unit}`)
  if (said === undefined) return 0
  if (wanted === undefined) return 1
  // "5 mg/kg" are no milligrams.
  const same = parts.every((part) =>
    unitAfter(` ${part.unit ?? ""}`)?.unit === wanted.unit && part.unit?.includes("/") === wanted.unit.includes("/")
  )
  return same ? 2 : 0
}

/** Which property a column of numbers is of, and whether its form or its header says so. */
interface Given {
  readonly leaf: Leaf
  readonly told: boolean
}

/** The property of each column of numbers; undefined where one of them is left over and counts no rows. */
const numbersOf = (
  columns: ReadonlyArray<Column>,
  leaves: ReadonlyArray<Leaf>,
  withUnits: boolean
): ReadonlyMap<Column, Given> | undefined => {
  const out = new Map<Column, Given>()
  const open = new Set(leaves)
  const give = (column: Column, leaf: Leaf, told: boolean): void => {
    out.set(column, { leaf, told })
    open.delete(leaf)
  }
  for (const column of columns) {
    const { named } = column
    if (named !== undefined && named !== null && open.has(named) && fitOf(named, column, withUnits) > 0) {
      give(column, named, true)
    }
  }
  for (const least of [2, 1]) {
    for (const column of columns.filter((one) => !out.has(one) && one.named === undefined)) {
      const fitting = Array.from(open).filter((leaf) => fitOf(leaf, column, withUnits) >= least)
      const rivals = columns.filter((other) =>
        other !== column && !out.has(other) && fitting.some((leaf) => fitOf(leaf, other, withUnits) >= least)
      )
      // Nothing says which of several like columns, or of several like properties, it is.
      if (fitting.length === 1 && rivals.length === 0) {
        give(column, fitting[0]!, least > 1 || RANKED.test(nameOf(fitting[0]!)))
      }
    }
  }
  return columns.some((column, at) => !out.has(column) && !(at === 0 && isCounting(column))) ? undefined : out
}

const mention = (
  row: Passage,
  { from, line, to }: Pick<Part, "from" | "line" | "to">,
  value: string | number
): Mention => ({
  value,
  span: { passage: line ?? row, from, to }
})

type Piece = Pick<Part, "from" | "line" | "text" | "to">

/** The two ends of "06:30-08:00", by their places. */
const endsOf = ({ from, line, text }: Part): readonly [Piece, Piece] => {
  const dash = /\s?[-–—]\s?/u.exec(text)!
  const place = line === undefined ? {} : { line }
  const [first, last] = [text.slice(0, dash.index), text.slice(dash.index + dash[0].length)]
  return [
    { from, to: from + first.length, text: first, ...place },
    { from: from + text.length - last.length, to: from + text.length, text: last, ...place }
  ]
}

type Values = (line: Passage, part: Part) => ReadonlyArray<readonly [Leaf, Mention]>

/** How the times and days of a column become values of the texts that ask for such. */
const timesOf = ({ sort }: Column, leaves: ReadonlyArray<Leaf>, recordedAt: string | undefined): Values | undefined => {
  const texts = leaves.filter(({ type }) => type === "string")
  const written = (leaf: Leaf, line: Passage, part: Piece) => {
    const value = wantsClock(leaf) || wantsDay(leaf)
      ? inForm(leaf, part.text, recordedAt)
      : sort === "day"
      ? weekdayWritten(part.text) ?? part.text
      : part.text
    return value === undefined ? [] : [[leaf, mention(line, part, value)] as const]
  }
  if (sort === "period") {
    const [first, last] = ["first", "last"].map((end) => texts.find((leaf) => wantedEnd(leaf) === end))
    if (first !== undefined && last !== undefined) {
      return (line, part) => endsOf(part).flatMap((end, at) => written([first, last][at]!, line, end))
    }
    const whole = texts.find((leaf) => !wantsClock(leaf) && HOURS.test(nameOf(leaf)))
    return whole === undefined ? undefined : (line, part) => written(whole, line, part)
  }
  const leaf = sort === "time"
    ? texts.find((one) => wantsClock(one) || TIMED.test(nameOf(one)))
    : texts.find((one) => wantsWeekday(one) || wantsDay(one) || DATED.test(nameOf(one)))
  return leaf === undefined ? undefined : (line, part) => written(leaf, line, part)
}

/** The label of an enum that each text of a column is; undefined where one of them is none. */
const labelsOf = (leaf: Leaf, texts: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const labels = Array.isArray(leaf.schema["enum"]) ? leaf.schema["enum"].map(String) : []
  const found = texts.map((text) => labels.find((label) => normaliseValue(label) === normaliseValue(text)))
  return found.includes(undefined) ? undefined : found.map((one) => one!)
}

const [SAYS_BEFORE, ASKS_BEFORE] = [
  /\b(?:until|till|before|old|previous|was|so far)\b/iu,
  /\b(?:old|previous|former|before)\b/u
]

/** What each cell of a header names: a property, or null for something else. "Until now" is over the old prices. */
const headed = (cells: ReadonlyArray<Cell>, leaves: ReadonlyArray<Leaf>): ReadonlyArray<Leaf | null> => {
  const names = columnsOf(cells, leaves)
  const before = leaves.filter((leaf) => ASKS_BEFORE.test(nameOf(leaf)) && !names.includes(leaf))
  return names.map((leaf, at) => leaf ?? (before.length === 1 && SAYS_BEFORE.test(cells[at]!.text) ? before[0]! : null))
}

/** The columns, without those of one word for the values that stand behind it: "km 12", "km 24". */
const columnsIn = (
  { header, heads: stacked = [], rows }: UniformLines,
  { anchor, others }: Shape
): ReadonlyArray<Column> => {
  const leaves = [anchor, ...others]
  const whole = rows[0]!.parts.map((_, at) => rows.map(({ parts }) => parts[at]!))
  const cells = header === undefined ? [] : cellsOf(header.text)
  const above = stacked.map((text): Cell => ({ from: 0, to: text.length, text }))
  const told = above.length === whole.length - 1 ? columnsOf(above, leaves) : []
  const heads = cells.length === whole.length
    ? headed(cells, leaves)
    : told.some((leaf) => leaf !== undefined)
    ? [undefined, ...headed(above, leaves)]
    : []
  const out: Array<Column> = []
  let before: Leaf | undefined
  for (const [at, parts] of whole.entries()) {
    const [{ sort, text }] = parts as [Part, ...Array<Part>]
    const constant = sort === "text" && parts.every((part) => part.text === text)
    const [labelled] = constant ? columnsOf([{ from: 0, to: text.length, text }], leaves) : []
    if (labelled !== undefined && whole[at + 1] !== undefined) {
      before = labelled
      continue
    }
    out.push({ parts, sort, named: before ?? heads[at] })
    before = undefined
  }
  return out
}

const rowsFrom = (table: UniformLines, shape: Shape, recordedAt: string | undefined): ReadonlyArray<Row> => {
  const columns = columnsIn(table, shape)
  const unit = shape.others.find((leaf) => UNIT_NAME.test(nameOf(leaf)))
  const figures = columns.filter(({ sort }) => sort === "number" || sort === "money" || sort === "percent")
  const numbers = numbersOf(figures, shape.others.filter(isNumeric), unit !== undefined)
  if (numbers === undefined) return []
  const taken = new Set(Array.from(numbers.values(), ({ leaf }) => leaf))
  const guessed = new Set(Array.from(numbers.values()).flatMap(({ leaf, told }) => told ? [] : [leaf]))
  const labelled = new Map<Column, { readonly leaf: Leaf; readonly labels: ReadonlyArray<string> }>()
  const timed = new Map<Column, Values>()
  for (const column of columns) {
    const open = shape.others.filter((leaf) => !taken.has(leaf))
    if (column.sort === "text") {
      for (const leaf of open.filter(({ type }) => type === "enum")) {
        const labels = labelsOf(leaf, column.parts.map(({ text }) => text))
        if (labels === undefined) continue
        labelled.set(column, { leaf, labels })
        taken.add(leaf)
        break
      }
    } else if (!figures.includes(column)) {
      const words = column.sort === "period" ? HOURS : TIMED
      const asked = open.filter((leaf) => isTyped(leaf) || TIMED.test(nameOf(leaf)) || words.test(nameOf(leaf)))
      const values = timesOf(column, asked, recordedAt)
      if (values === undefined) continue
      timed.set(column, values)
      for (const [leaf] of values(table.rows[0]!.line, column.parts[0]!)) taken.add(leaf)
    }
  }
  const free = columns.filter((column) => column.sort === "text" && !labelled.has(column))
  // "Solo  $9 / month" over "Family  $15 / month": what all rows say tells no entry from another.
  const telling = free.filter(({ parts }) => parts.some(({ text }) => text !== parts[0]!.text))
  const texts = telling.length > 0 ? telling : free
  if (texts.length === 0) return []
  const named = columns.filter((column) => column.named !== undefined && column.named !== null).length
  return table.rows.flatMap(({ below, line }, at): ReadonlyArray<Row> => {
    const values = new Map<Leaf, Mention>()
    for (const [column, { leaf }] of numbers) {
      values.set(leaf, mention(line, column.parts[at]!, numberOf(column.parts[at]!)!))
    }
    for (const [column, { labels, leaf }] of labelled) values.set(leaf, mention(line, column.parts[at]!, labels[at]!))
    for (const [column, of] of timed) for (const [leaf, value] of of(line, column.parts[at]!)) values.set(leaf, value)
    const measured = figures.find(({ parts }) => parts[at]!.unit !== undefined)?.parts[at]
    if (unit !== undefined && !taken.has(unit) && measured !== undefined) {
      const { to, unit: sign = "" } = measured
      const said = unit.type === "enum" ? labelsOf(unit, [sign])?.[0] : sign
      if (said !== undefined) values.set(unit, mention(line, { from: to - sign.length, to }, said))
    }
    const pieces = texts.map(({ parts }) => mention(line, parts[at]!, parts[at]!.text))
    return values.size === 0 ? [] : [{
      line,
      ...(below === undefined ? {} : { below }),
      name: pieces[0]!,
      values,
      typed: true,
      sure: true,
      headed: named,
      pieces: shape.texts.length > 0 && pieces.length > 1 ? pieces : [],
      uniform: true,
      guessed
    }]
  })
}

/** How many properties some rows fill, their name included. */
const sizeOf = ([row]: ReadonlyArray<Row>): number =>
  row === undefined ? 0 : row.values.size + Math.max(1, row.pieces.length)

/** A table whose lines each hold several rows, one beside the other, as one of more lines: "Wenna 81 · Obafemi 76". */
const unrolled = (table: UniformLines, { texts }: Shape): UniformLines => {
  const { rows } = table
  const sorts = rows[0]!.parts.map(({ sort }) => sort)
  const names = sorts.filter((sort) => sort === "text").length
  const width = sorts.length / names
  const repeats = names > texts.length + 1 && Number.isInteger(width) && width > 1 &&
    sorts.every((sort, at) => sort === sorts[at % width])
  return !repeats || rows[0]!.below !== undefined ? table : {
    header: undefined,
    rows: rows.flatMap(({ line, parts }) =>
      Array.from({ length: names }, (_, at) => ({ line, parts: parts.slice(at * width, (at + 1) * width) }))
    )
  }
}

/**
 * The rows of tables that no header needs to explain: lines of one frame that are made of parts of the same sorts, each of which is of one property by its
 * form, its unit or its header, or because nothing else takes it. Nothing where a column of numbers is left over, or where a list of the same result has more of its columns: such a
 * table is of something else.
 */
export const uniformRows = (
  frames: ReadonlyArray<ReadonlyArray<Passage>>,
  shape: Shape,
  rivals: ReadonlyArray<List>,
  recordedAt: string | undefined
): ReadonlyArray<ReadonlyArray<Row>> => {
  const others = rivals.filter((list) => list !== shape.list).flatMap((list) => shapeOf(list) ?? [])
  const rowsOf = (table: UniformLines, of: Shape) => rowsFrom(unrolled(table, of), of, recordedAt)
  // "90 points" for `points`, and what a unit may be.
  const units = new Set(shape.others.flatMap((leaf) => {
    const labels = leaf.schema["enum"]
    return isNumeric(leaf)
      ? identifierWords(leaf.name)
      : UNIT_NAME.test(nameOf(leaf)) && Array.isArray(labels)
      ? labels.map(normaliseValue)
      : []
  }))
  return frames.flatMap((
    lines
  ) => [...uniformLines(lines, units), ...stackedLines(lines, units, shape.texts.length + 1)]).flatMap((table) => {
    const own = rowsOf(table, shape)
    const most = own.length === 0 ? 0 : Math.max(0, ...others.map((other) => sizeOf(rowsOf(table, other))))
    // Where another list takes the table as well, nothing says that a number without a name is of this one.
    const least = (own[0]?.guessed?.size ?? 0) > 0 ? sizeOf(own) - 1 : sizeOf(own)
    return own.length === 0 || most > least ? [] : [own]
  })
}
