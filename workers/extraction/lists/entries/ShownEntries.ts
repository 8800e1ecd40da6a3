import { type Material, type Mention, mentionAt, mentionText } from "../../candidates/Mention.ts"
import { FULL_NAME } from "../../candidates/PersonClassifier.ts"
import { unitsOf } from "../../lexicon/Units.ts"
import type { Candidate } from "../../text/Candidate.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { identifierWords, normaliseValue, stem, tokenise } from "../../text/Tokens.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import { bySpan, type Entry, mentionOf, nearestLeaf, type Shape, toldLeaf } from "./Entry.ts"
import { namesPeople } from "./EntryNames.ts"
import { type EntryValue, hasOthersSign } from "./EntryValues.ts"
import { type Cell, cellsOf, type Columns, tableHeaders } from "./TableHeader.ts"
import { rowsOfList } from "./TableSections.ts"

/** What separates the columns of a line: wide gaps, bars, dashes, colons. */
const COLUMN = /\s{2,}|\t|\s*[|·•]\s*|\s+[–—-]\s+|:\s+/u
const SUM = /^(?:sub ?)?total\b|^sum\b|\btotals?$/iu
const EDGE = /^[\s.,:;|·•×/\\()+–—*=-]+|[\s.,:;|·•×/\\(+–—*=-]+$/gu

/** Stands for what is cut out of a line: no text has it (Unicode keeps the code point for private use). */
const CUT = "\uE000"

/** The texts of a line beside its numbers and their units, in order. */
const textsOf = (
  line: Passage,
  numbers: ReadonlyArray<{ readonly from: number; readonly to: number }>
): ReadonlyArray<string> => {
  let rest = line.text
  for (const { from, to } of numbers) {
    const unit = /^\s?([\p{L}°%′″'"]+)/u.exec(line.text.slice(to))
    const end = unit !== null && (unitsOf(unit[1]).size > 0 || /^[°%′″'"]/u.test(unit[1]!))
      ? to + unit[0].length
      : to
    rest = rest.slice(0, from) + CUT.repeat(end - from) + rest.slice(end)
  }
  return rest.split(CUT).flatMap((piece) => piece.split(COLUMN))
    .map((piece) => piece.replace(/[$€£¥]/gu, " ").replaceAll(EDGE, "").replace(/^x\s+|\s+x$/iu, "").trim())
    .filter((piece) => /\p{L}/u.test(piece) && !(piece.length < 3 && piece === piece.toLowerCase()))
}

/** A minus that belongs to the number after it; a value below zero is said by no word of the quote alone. */
const isNegative = ({ from, passage: { text }, to }: EntryValue): boolean =>
  /(?:^|\s)[-−–]$/u.test(text.slice(Math.max(0, from - 2), from)) || isBracketed(text, from, to)

/** "($30)" is how accounts write an amount below zero. */
const isBracketed = (text: string, from: number, to: number): boolean =>
  /\([$€£¥]?\s?$/u.test(text.slice(Math.max(0, from - 3), from)) && /^\s?[$€£¥]?\)/u.test(text.slice(to, to + 3)) &&
  /[$€£¥]/u.test(text.slice(Math.max(0, from - 2), to + 2))

/** Gives each property the value of a line that fits it best: what its unit or kind says first, then what is left in the order of the header. */
const fill = (
  values: ReadonlyArray<EntryValue>,
  open: ReadonlyArray<Leaf>,
  header: ReadonlyArray<Leaf>
): Map<Leaf, Mention> => {
  const out = new Map<Leaf, Mention | undefined>()
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
      out.set(one.leaf, isNegative(one) ? undefined : mentionOf(one))
    }
  }
  return new Map(Array.from(out).flatMap(([leaf, found]) => found === undefined ? [] : [[leaf, found]]))
}

/** Gives each property the value in its own column; in a column of something else only what says itself of which property it is, and is alone. */
const fillColumns = (
  values: ReadonlyArray<EntryValue>,
  cells: ReadonlyArray<Cell>,
  columns: Columns,
  open: ReadonlyArray<Leaf>
): Map<Leaf, Mention> => {
  const inside = ({ from, to }: EntryValue, at: number): boolean => cells[at]!.from <= from && to <= cells[at]!.to
  return new Map(open.flatMap((leaf) => {
    const own = values.filter((one) => one.leaf === leaf)
    const at = columns.indexOf(leaf)
    const found = at >= 0
      ? own.filter((one) => inside(one, at))
      : own.filter((one) => one.sure && columns.every((column, place) => column === undefined || !inside(one, place)))
    const [one] = found
    const clear = at >= 0 || new Set(found.map(({ from }) => from)).size === 1
    return one === undefined || !clear || isNegative(one) ? [] : [[leaf, mentionOf(one)] as const]
  }))
}

interface Row extends Entry {
  readonly line: Passage
  /** Whether any of its values is more than a text. */
  readonly typed: boolean
  /** Whether one of them says which property it is of, or all are texts. */
  readonly sure: boolean
  /** Whether a header says what each of its cells is. */
  readonly headed: boolean
}

/** "Lecturer: Ruth Andersen" over "Course: Oceanography" is no table yet. */
const LEAST_TEXT_ROWS = 3

const NUMERIC = /^(?:number|money|percent|time|date)$/u

const bareText = (text: string): string => text.replace(/[$€£¥]/gu, " ").replaceAll(EDGE, "").trim()

/** The text of one cell of a line as a value; undefined where it has none. */
const cellText = (line: Passage, { from, text }: Cell): Mention | undefined => {
  const bare = bareText(text)
  return /\p{L}/u.test(bare) ? mentionAt(line, from + text.indexOf(bare), bare) : undefined
}

/** A row of a table with a header: each cell belongs to its column's property, and to none where the column is of something else. */
const rowUnder = (
  line: Passage,
  values: ReadonlyArray<EntryValue>,
  shape: Shape,
  cells: ReadonlyArray<Cell>,
  columns: Columns
): Row | undefined => {
  const anchor = columns.indexOf(shape.anchor)
  const name = anchor < 0 ? undefined : cellText(line, cells[anchor]!)
  if (name === undefined || SUM.test(String(name.value)) || tokenise(String(name.value)).length > 6) return undefined
  const found = fillColumns(values, cells, columns, shape.others.filter((leaf) => !shape.texts.includes(leaf)))
  const typed = found.size > 0
  for (const leaf of shape.texts) {
    const at = columns.indexOf(leaf)
    const text = at < 0 ? undefined : cellText(line, cells[at]!)
    if (text !== undefined) found.set(leaf, text)
  }
  return found.size === 0 ? undefined : { name, values: found, line, typed, sure: true, headed: true }
}

const rowOf = (
  line: Passage,
  values: ReadonlyArray<EntryValue>,
  shape: Shape,
  candidates: ReadonlyArray<Candidate>,
  header: ReadonlyArray<Leaf>,
  columns: Columns | undefined
): Row | undefined => {
  const cells = columns === undefined ? [] : cellsOf(line.text)
  if (columns !== undefined && cells.length === columns.length) return rowUnder(line, values, shape, cells, columns)
  const numbers = candidates.filter((one) => !hasOthersSign(one) && NUMERIC.test(one.kind))
  const [text, ...more] = textsOf(line, numbers)
  const name = text === undefined ? undefined : mentionText(wholeOf(line), text)
  if (name === undefined || SUM.test(String(name.value)) || tokenise(text!).length > 6) return undefined
  // A bare number is a count; "Rovers 3" gives no minute. Nothing says of which column the cells of a row with a gap are.
  const telling = columns !== undefined && cells.length > 1
    ? values.filter(({ sure }) => sure)
    : values.some(({ sure }) => sure)
    ? values
    : values.filter(({ measured }) => !measured)
  const found = fill(telling, shape.others, header)
  const typed = found.size > 0
  if (columns === undefined) {
    shape.texts.forEach((leaf, at) => {
      const piece = more[at] === undefined ? undefined : mentionText({ ...wholeOf(line), from: name.span.to }, more[at])
      if (piece !== undefined) found.set(leaf, piece)
    })
  }
  return found.size === 0
    ? undefined
    : { name, values: found, line, typed, sure: !typed || values.some(({ sure }) => sure), headed: false }
}

/** Least rows above a sum: two small numbers often add up to a third. */
const LEAST_SUMMANDS = 3

/** The rows without the last one of a frame where each of its numbers is the sum of those above it. */
const withoutSums = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const sums = new Set(
    Array.from(Map.groupBy(rows, ({ line }) => line.source_ref).values()).flatMap((own) => {
      const last = own.at(-1)!
      const above = own.slice(0, -1)
      const numbers = Array.from(last.values).filter(([, { value }]) => typeof value === "number")
      const isSum = above.length >= LEAST_SUMMANDS && numbers.length > 0 &&
        numbers.every(([leaf, { value }]) =>
          value !== 0 && above.reduce((sum, row) => sum + Number(row.values.get(leaf)?.value ?? 0), 0) === value
        )
      return isSum ? [last] : []
    })
  )
  return rows.filter((row) => !sums.has(row))
}

/** Whether a line's name can be what an entry of the list is called: a property's own name is none, and who is listed has a person's. */
const isNamed = ({ registry }: Material, shape: Shape): (row: Row) => boolean => {
  const properties = shape.others.map(({ name }) => new Set(identifierWords(name).map(stem)))
  const people = new Set(registry.people.map(({ name }) => normaliseValue(name)))
  const ofPeople = namesPeople(shape)
  return ({ headed, name, typed, values }) => {
    const words = tokenise(String(name.value)).map(({ norm }) => stem(norm))
    if (properties.some((property) => words.every((word) => property.has(word)))) return false
    const texts = shape.texts.flatMap((leaf) => values.get(leaf) ?? [])
    // "Julia Brooks | Daniel Reed" are two of them.
    return !ofPeople || typed || headed ||
      (FULL_NAME.test(String(name.value)) && !texts.some(({ value }) => people.has(normaliseValue(value))))
  }
}

/** Lines of one frame that fill the same properties, at least two of them. */
const tables = (rows: ReadonlyArray<Row>): ReadonlyArray<Entry> => {
  const signature = ({ values }: Row): string => Array.from(values.keys(), (leaf) => leaf.template).toSorted().join()
  const alike = Array.from(Map.groupBy(rows, (row) => `${row.line.source_ref} ${signature(row)}`).values())
  const largest =
    alike.filter((group) => group.length >= (group[0]!.typed ? 2 : LEAST_TEXT_ROWS)).toSorted((a, b) =>
      b.length * b[0]!.values.size - a.length * a[0]!.values.size
    )[0]
  if (largest === undefined) return []
  // Rows with a gap or another sign belong to the table in which they stand.
  const frames = new Set(largest.map(({ line }) => line.source_ref))
  // "2-5 players", alone elsewhere, is no row of it: a bare number there may count anything.
  const same = new Set(
    alike.filter((group) => signature(group[0]!) === signature(largest[0]!) && (group.length > 1 || group[0]!.sure))
      .flat()
  )
  return rows.filter((row) => same.has(row) || frames.has(row.line.source_ref))
}

/** The line below the only other one of a frame, for the only other property of an entry: "Living room" over "5.2 × 4.1 m". */
const lineBelow = (rest: ReadonlyArray<Passage>, { others, texts }: Shape): Map<Leaf, Mention> => {
  const [below, ...more] = rest
  const [text] = texts
  const found = below === undefined || more.length > 0 || text === undefined || others.length > 1
    ? undefined
    : mentionText(wholeOf(below), below.text)
  return new Map(found === undefined || !/\d/u.test(below!.text) ? [] : [[text!, found]])
}

/** A name alone on the first line of a frame with its values on the next ones, in at least two frames. */
const captions = (
  frames: ReadonlyArray<ReadonlyArray<Passage>>,
  valuesOf: (line: Passage) => ReadonlyArray<EntryValue>,
  shape: Shape
): ReadonlyArray<Entry> => {
  const entries = frames.flatMap(([first, ...rest]): ReadonlyArray<Entry> => {
    if (
      first === undefined || valuesOf(first).some(({ sure }) => sure) || tokenise(first.text).length > 6 ||
      !/^\p{Lu}/u.test(first.text)
    ) return []
    const told = fill(rest.slice(0, 4).flatMap(valuesOf).filter(({ sure }) => sure), shape.others, [])
    const values = told.size > 0 ? told : lineBelow(rest, shape)
    const name = mentionText(wholeOf(first), first.text)
    return name === undefined || values.size === 0 ? [] : [{ name, values }]
  })
  return entries.length >= 2 ? entries : []
}

const distinct = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const seen = new Set<string>()
  return entries.filter(({ name }) => {
    const key = normaliseValue(name.value)
    return !seen.has(key) && seen.add(key)
  })
}

/** The order in which the last line above without digits names at least two of the number properties; none where there is no such. */
const headers = (lines: ReadonlyArray<Passage>, { others }: Shape) => {
  const numeric = others.filter(({ type }) => type === "number" || type === "integer")
  const named = lines.filter(({ text }) => !/\d/u.test(text)).flatMap((line) => {
    const stems = line.tokens.map(({ norm }) => stem(norm))
    const places = numeric.flatMap((leaf) => {
      const words = new Set(identifierWords(leaf.name).map(stem))
      const at = stems.findIndex((one) => words.has(one))
      return at < 0 ? [] : [{ leaf, at }]
    })
    const order = places.toSorted((a, b) => a.at - b.at).map(({ leaf }) => leaf)
    return order.length < 2 ? [] : [{ line, order }]
  })
  return ({ index, source_ref }: Passage): ReadonlyArray<Leaf> =>
    named.findLast(({ line }) => line.source_ref === source_ref && line.index < index)?.order ?? []
}

/** Entries that the screen shows: rows of a table, or captions with their values. */
export const entriesShown = (
  material: Material,
  shape: Shape,
  values: ReadonlyArray<EntryValue>,
  rivals: ReadonlyArray<List>
): { readonly entries: ReadonlyArray<Entry>; readonly table: boolean } => {
  const lines = material.reading.passages.filter(({ channel, index }) =>
    channel === "ocr" && !material.reading.suspects.has(index)
  )
  const byLine = Map.groupBy(values, ({ passage }) => passage)
  const valuesOf = (line: Passage): ReadonlyArray<EntryValue> => byLine.get(line) ?? []
  const frames = Array.from(Map.groupBy(lines, ({ source_ref }) => source_ref).values())
  const scanned = Map.groupBy(material.reading.candidates, ({ passage }) => passage)
  const headerOf = headers(lines, shape)
  const headed = tableHeaders(frames, shape)
  const found = lines.flatMap((line) => {
    const header = headed.get(line)
    if (header?.line === line) return []
    return rowOf(line, valuesOf(line), shape, scanned.get(line) ?? [], headerOf(line), header?.columns) ?? []
  })
  const named = withoutSums(found).filter(isNamed(material, shape))
  const rows = tables(rowsOfList(material.reading, lines, named, shape.list, rivals))
  return rows.length > 0
    ? { entries: distinct(rows), table: true }
    : { entries: distinct(captions(frames, valuesOf, shape)), table: false }
}
