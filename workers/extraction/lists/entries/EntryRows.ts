import { type Material, type Mention, mentionAt } from "../../candidates/Mention.ts"
import type { Candidate } from "../../text/Candidate.ts"
import type { Leaf } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { normaliseValue, tokenise } from "../../text/Tokens.ts"
import { type Cell, cellsOf } from "../texts/Cells.ts"
import { bySpan, type Entry, mentionOf, nearestLeaf, type Shape, toldLeaf } from "./Entry.ts"
import { amountFor, type EntryValue } from "./EntryValues.ts"
import { bareText, textsOf, withoutNamed } from "./RowTexts.ts"
import { isCalledSum } from "./SumRows.ts"
import { type Columns, columnsOf, type Header } from "./TableHeader.ts"
import { type Assignment, textColumns } from "./TextColumns.ts"

/** A minus that belongs to the number after it; a value below zero is said by no word of the quote alone. */
const isNegative = ({ from, passage: { text }, to }: EntryValue): boolean =>
  /(?:^|\s)[-−–]$/u.test(text.slice(Math.max(0, from - 2), from)) || isBracketed(text, from, to)

/** "($30)" is how accounts write an amount below zero. */
const isBracketed = (text: string, from: number, to: number): boolean =>
  /\([$€£¥]?\s?$/u.test(text.slice(Math.max(0, from - 3), from)) && /^\s?[$€£¥]?\)/u.test(text.slice(to, to + 3)) &&
  /[$€£¥]/u.test(text.slice(Math.max(0, from - 2), to + 2))

/** Gives each property the value of a line that fits it best: what its unit or kind says first, then what is left in the order of the header. */
export const fill = (
  values: ReadonlyArray<EntryValue>,
  open: ReadonlyArray<Leaf>,
  header: ReadonlyArray<Leaf>
): ReadonlyMap<Leaf, EntryValue> => {
  const out = new Map<Leaf, EntryValue>()
  const groups = bySpan(values)
  const used = new Set<ReadonlyArray<EntryValue>>()
  for (const sure of [true, false]) {
    const rest = groups.filter((group) =>
      !used.has(group) && group.some((one) => one.sure === sure && !out.has(one.leaf))
    )
    const numeric = open.filter((leaf) => !out.has(leaf) && (leaf.type === "number" || leaf.type === "integer"))
    // Not as many bare numbers as properties: nothing says which is which.
    if (!sure && rest.length !== numeric.length) break
    for (const group of rest) {
      const free = group.filter((each) => each.sure === sure && !out.has(each.leaf))
      const next = sure ? undefined : header.find((leaf) => !out.has(leaf))
      // Nothing says which of several like properties a bare number is of.
      const one = free.find(({ leaf }) => leaf === next) ??
        (sure ? nearestLeaf(free) : free.length === 1 ? free[0] : toldLeaf(free))
      if (one === undefined) continue
      used.add(group)
      out.set(one.leaf, one)
    }
  }
  return out
}

/** What fills the properties, without what is below zero. */
export const mentionsOf = (filled: ReadonlyMap<Leaf, EntryValue>): Map<Leaf, Mention> =>
  new Map(Array.from(filled).flatMap(([leaf, one]) => isNegative(one) ? [] : [[leaf, mentionOf(one)] as const]))

/** Gives each property the value in its own column; in a column of something else only what says itself of which property it is, and is alone. */
const fillColumns = (
  values: ReadonlyArray<EntryValue>,
  candidates: ReadonlyArray<Candidate>,
  cells: ReadonlyArray<Cell>,
  columns: Columns,
  open: ReadonlyArray<Leaf>
): Map<Leaf, Mention> => {
  const inside = ({ from, to }: Pick<EntryValue, "from" | "to">, at: number): boolean =>
    cells[at]!.from <= from && to <= cells[at]!.to
  return mentionsOf(
    new Map(open.flatMap((leaf) => {
      const own = values.filter((one) => one.leaf === leaf)
      const at = columns.indexOf(leaf)
      const found = at >= 0
        ? own.filter((one) => inside(one, at))
        : own.filter((one) => one.sure && columns.every((column, place) => column === undefined || !inside(one, place)))
      // What the header names is a sum of money, whether or not its property speaks of any.
      const amounts = at < 0 || found.length > 0
        ? []
        : candidates.filter((one) => inside(one, at)).flatMap((one) => amountFor(leaf, one) ?? [])
      const [one] = found.length > 0 ? found : amounts.length === 1 ? amounts : []
      const clear = at >= 0 || new Set(found.map(({ from }) => from)).size === 1
      return one === undefined || !clear ? [] : [[leaf, one] as const]
    }))
  )
}

/** One line of the screen as an entry, with what tells how sure its parts are. */
export interface Row extends Entry {
  readonly line: Passage
  /** The other lines of a row whose cells stand one below the other. */
  readonly below?: ReadonlyArray<Passage>
  /** Whether any of its values is more than a text. */
  readonly typed: boolean
  /** Whether one of them says which property it is of, or all are texts. */
  readonly sure: boolean
  /** How many properties a header names of its cells; none where there is no header. */
  readonly headed: number
  /** Its texts in order, where nothing has said yet which property each is of. */
  readonly pieces: ReadonlyArray<Mention>
  /** Set where it is made as the rows beside it are: what its columns are was decided for all of them. */
  readonly uniform?: true
}

const LONGEST_NAME = 6
/** A line of a table is a line of a picture: what is longer is none. */
const LONGEST_LINE = 500

const mayName = ({ value }: Mention): boolean => !isCalledSum(value) && tokenise(String(value)).length <= LONGEST_NAME

/** The text of one cell of a line as a value; undefined where it has none. */
const cellText = (line: Passage, { from, text }: Cell): Mention | undefined => {
  const bare = bareText(text)
  return /\p{L}/u.test(bare) ? mentionAt(line, from + text.indexOf(bare), bare) : undefined
}

/** What a row is read from. */
export interface RowSource {
  readonly line: Passage
  readonly values: ReadonlyArray<EntryValue>
  readonly candidates: ReadonlyArray<Candidate>
  /** The number properties in the order of a header. */
  readonly order: ReadonlyArray<Leaf>
  readonly header: Header | undefined
  /** Whether it opens with the number of its row. */
  readonly numbered: boolean
}

/** A row of a table with a header: each cell belongs to its column's property, and to none where the column is of something else. */
const rowUnder = (
  { candidates, line, values }: RowSource,
  shape: Shape,
  cells: ReadonlyArray<Cell>,
  { columns, named }: Header
): Row | undefined => {
  const anchor = columns.indexOf(shape.anchor)
  const name = anchor < 0 ? undefined : cellText(line, cells[anchor]!)
  if (name === undefined || !mayName(name)) return undefined
  const open = shape.others.filter((leaf) => !shape.texts.includes(leaf))
  const found = fillColumns(values, candidates, cells, columns, open)
  const typed = found.size > 0
  for (const leaf of shape.texts) {
    const at = columns.indexOf(leaf)
    const text = at < 0 ? undefined : cellText(line, cells[at]!)
    if (text !== undefined) found.set(leaf, text)
  }
  return found.size === 0 ? undefined : { name, values: found, line, typed, sure: true, headed: named, pieces: [] }
}

/** The row that a line is; undefined where it has no name or nothing besides. */
export const rowOf = (source: RowSource, shape: Shape): Row | undefined => {
  const { candidates, header, line, numbered, order, values } = source
  if (line.text.length > LONGEST_LINE) return undefined
  const cells = header === undefined ? [] : cellsOf(line.text)
  if (header !== undefined && cells.length === header.columns.length) return rowUnder(source, shape, cells, header)
  // A bare number is a count; "Rovers 3" gives no minute. Nothing says of which column the cells of a row with a gap are.
  const telling = header !== undefined && cells.length > 1
    ? values.filter(({ sure }) => sure)
    : values.some(({ sure }) => sure)
    ? values
    : values.filter(({ measured }) => !measured)
  const filled = fill(withoutNamed(line, telling, numbered), shape.others, order)
  const taken = Array.from(filled.values())
  // A cell that is a label of another property is no text as well.
  const texts = textsOf(line, candidates, taken, numbered).filter(({ span }) =>
    !taken.some(({ from, to }) => from <= span.from && span.to <= to)
  )
  const [name] = texts
  const found = mentionsOf(filled)
  const pieces = header === undefined && shape.texts.length > 0 && texts.length > 1 ? texts : []
  return name === undefined || !mayName(name) || (found.size === 0 && pieces.length === 0)
    ? undefined
    : {
      name,
      values: found,
      line,
      typed: found.size > 0,
      sure: found.size === 0 || values.some(({ sure }) => sure),
      headed: 0,
      pieces
    }
}

/** What the texts between dashes and colons of a header are called by, where each names a property: "Symptom: Cause". */
const namedBy = ({ line, pieces }: Row, shape: Shape): Assignment | undefined => {
  const cells = pieces.map(({ span, value }): Cell => ({ from: span.from, to: span.to, text: String(value) }))
  const leaves = columnsOf(cells, [shape.anchor, ...shape.texts])
  return /\d/u.test(line.text) || leaves.includes(undefined) ? undefined : { leaves, told: true }
}

/** The rows with their texts given to properties, once for all that have as many in one frame. */
export const withTexts = (
  { registry }: Material,
  shape: Shape,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  const people = new Set(registry.people.map(({ name }) => normaliseValue(name)))
  const most = shape.texts.length + 1
  const keyOf = ({ line, pieces }: Row): string => `${line.source_ref} ${Math.min(most, pieces.length)}`
  const assigned = new Map(
    Array.from(Map.groupBy(rows.filter(({ pieces }) => pieces.length > 0), keyOf)).map(([key, own]) => {
      const named = namedBy(own[0]!, shape)
      const { leaves, told } = named ?? textColumns(own.map(({ pieces }) => pieces), shape, people)
      return [key, { header: named === undefined ? undefined : own[0]!, leaves, told }]
    })
  )
  return rows.flatMap((row): ReadonlyArray<Row> => {
    if (row.pieces.length === 0) return [row]
    const { header, leaves, told } = assigned.get(keyOf(row))!
    const name = row.pieces[leaves.indexOf(shape.anchor)]
    if (header === row || name === undefined || !mayName(name)) return []
    // "Z1 Tomato  22.4  vents": beside numbers a second text is as often a unit or a label; all 7 such texts of two sets of videos were wrong.
    const guessed = !told && row.typed && most === 2 && row.uniform !== true
    const texts = leaves.flatMap((leaf, at) =>
      leaf === undefined || leaf === shape.anchor || guessed ? [] : [[leaf, row.pieces[at]!] as const]
    )
    if (row.values.size + texts.length === 0) return []
    return [{ ...row, name, values: new Map([...row.values, ...texts]), ...(told ? {} : { untold: true }) }]
  })
}
