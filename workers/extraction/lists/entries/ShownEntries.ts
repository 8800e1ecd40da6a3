import { type Material, type Mention, mentionText } from "../../candidates/Mention.ts"
import { FULL_NAME } from "../../candidates/PersonClassifier.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { identifierWords, normaliseValue, stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import type { Entry, Shape } from "./Entry.ts"
import { namesPeople } from "./EntryNames.ts"
import { fill, mentionsOf, type Row, rowOf, withTexts } from "./EntryRows.ts"
import type { EntryValue } from "./EntryValues.ts"
import { withPricedUnits } from "./PricedUnits.ts"
import { numberedLines } from "./RowTexts.ts"
import { withoutFields, withoutSums } from "./SumRows.ts"
import { isOf, tableHeaders } from "./TableHeader.ts"
import { headsCount, rowsOfList } from "./TableSections.ts"
import { uniformRows } from "./UniformRows.ts"

/** "Lecturer: Ruth Andersen" over "Course: Oceanography" is no table yet. */
const LEAST_TEXT_ROWS = 3
/** Properties that a header names at least, for its table to be the list's whatever else may be. */
const LEAST_NAMED = 2

/** Whether a line's name can be what an entry of the list is called: a property's own name is none, and who is listed has a person's. */
const isNamed = ({ registry }: Material, shape: Shape): (row: Row) => boolean => {
  const properties = shape.others.map(({ name }) => identifierWords(name))
  const people = new Set(registry.people.map(({ name }) => normaliseValue(name)))
  const ofPeople = namesPeople(shape)
  return ({ headed, name, typed, values }) => {
    const words = tokenise(String(name.value)).map(({ norm }) => norm)
    // "Stage 1 from 220" and "dep 08:15" are a property with its numbers.
    const telling = words.filter((word) => /\p{L}/u.test(word) && !STOP_WORDS.has(word))
    const own = telling.length > 0 ? telling : words
    if (properties.some((property) => own.every((word) => isOf(word, property)))) return false
    const texts = shape.texts.flatMap((leaf) => values.get(leaf) ?? [])
    // "Julia Brooks | Daniel Reed" are two of them.
    return !ofPeople || typed || headed > 0 ||
      (FULL_NAME.test(String(name.value)) && !texts.some(({ value }) => people.has(normaliseValue(value))))
  }
}

const signature = ({ values }: Row): string => Array.from(values.keys(), (leaf) => leaf.template).toSorted().join()

/** Rows that fill more properties are rather the list's: seven of two cells weigh less than three of three. */
const weightOf = (group: ReadonlyArray<Row>): number => group.length * group[0]!.values.size ** 2

/** Lines of one frame that fill the same properties, at least two of them. */
const tables = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const alike = Array.from(Map.groupBy(rows, (row) => `${row.line.source_ref} ${signature(row)}`).values())
  const largest =
    alike.filter((group) => group.length >= (group[0]!.typed || group[0]!.headed >= LEAST_NAMED ? 2 : LEAST_TEXT_ROWS))
      .toSorted((a, b) => weightOf(b) - weightOf(a))[0]
  if (largest === undefined) return []
  // Rows with a gap or another sign belong to the table in which they stand.
  const frames = new Set(largest.map(({ line }) => line.source_ref))
  // "2-5 players", alone elsewhere, is no row of it: a bare number there may count anything.
  const same = new Set(
    alike.filter((group) => signature(group[0]!) === signature(largest[0]!) && (group.length > 1 || group[0]!.sure))
      .flat()
  )
  const own = rows.filter((row) => same.has(row) || frames.has(row.line.source_ref))
  // Beside rows that stand one below the other a line is a cell, a heading or a sum.
  return largest[0]!.below === undefined ? own : own.filter(({ below }) => below !== undefined)
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
    const told = mentionsOf(fill(rest.slice(0, 4).flatMap(valuesOf).filter(({ sure }) => sure), shape.others, []))
    const values = told.size > 0 ? told : lineBelow(rest, shape)
    const name = mentionText(wholeOf(first), first.text)
    return name === undefined || values.size === 0 ? [] : [{ name, values }]
  })
  return entries.length >= 2 ? entries : []
}

/** What an entry holds besides its name, in one text. */
const contentOf = ({ values }: Entry): string =>
  Array.from(values, ([{ template }, { value }]) => `${template} ${normaliseValue(value)}`).toSorted().join("\n")

/**
 * The entries without those that are shown again: the same name in another picture is the same entry, and within one picture only where
 * nothing it holds is another: two purchases at one shop are two. Where entries hold lists of their own, the rows of a name are one of these.
 */
const distinct = <E extends Entry>(entries: ReadonlyArray<E>, { nested }: List): ReadonlyArray<E> => {
  const frames = new Map<string, string>()
  const seen = new Set<string>()
  return entries.filter((entry) => {
    const key = normaliseValue(entry.name.value)
    const frame = entry.name.span.passage.source_ref
    const first = frames.get(key) ?? frame
    frames.set(key, first)
    const whole = nested.length > 0 ? key : `${key}\n${contentOf(entry)}`
    return first === frame && !seen.has(whole) && seen.add(whole)
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

const isCounted = ({ uniform, values }: Row): boolean =>
  uniform === true && Array.from(values.values()).some(({ value }) => typeof value === "number")

const typed = (rows: ReadonlyArray<Row>): number => rows.reduce((sum, { values }) => sum + values.size, 0)
const fullness = (rows: ReadonlyArray<Row>): number =>
  rows.reduce((sum, { pieces, values }) => sum + values.size + Math.max(1, pieces.length), 0)

const linesOf = ({ below = [], line }: Row): ReadonlyArray<Passage> => [line, ...below]

/** The rows with those in their place that are read from how lines are made alike, where these say as much of the same lines. */
const withUniform = (
  rows: ReadonlyArray<Row>,
  uniform: ReadonlyArray<ReadonlyArray<Row>>
): ReadonlyArray<Row> => {
  const better = uniform.filter((table) => {
    const lines = new Set(table.flatMap(linesOf))
    const own = rows.filter(({ line }) => lines.has(line))
    return typed(table) >= typed(own) && fullness(table) >= fullness(own)
  })
  const lines = new Set(better.flat().flatMap(linesOf))
  return [...rows.filter(({ line }) => !lines.has(line)), ...better.flat()]
    .toSorted((a, b) => a.line.index - b.line.index)
}

/** What the screen shows of a list. */
export interface Shown {
  readonly entries: ReadonlyArray<Entry>
  /** Whether they are rows of a table. */
  readonly table: boolean
  /** Whether a header names at least two of the properties over most of them. */
  readonly headed: boolean
  /** Whether they are all made alike, with a number that is of one of the properties. */
  readonly counted: boolean
}

/** A line in brackets tells of the one above it: "(until now: Wed 9:30 – 18:00)". */
const ASIDE = /^\s*\(.*\)\s*$/u

/** Entries that the screen shows: rows of a table, or captions with their values. `fields` are the result's fields outside of lists. */
export const entriesShown = (
  material: Material,
  shape: Shape,
  values: ReadonlyArray<EntryValue>,
  rivals: ReadonlyArray<List>,
  fields: ReadonlyArray<Leaf>
): Shown => {
  const lines = material.reading.passages.filter(({ channel, index, text }) =>
    channel === "ocr" && !material.reading.suspects.has(index) && !ASIDE.test(text)
  )
  const byLine = Map.groupBy(values, ({ passage }) => passage)
  const valuesOf = (line: Passage): ReadonlyArray<EntryValue> => byLine.get(line) ?? []
  const frames = Array.from(Map.groupBy(lines, ({ source_ref }) => source_ref).values())
  const scanned = Map.groupBy(material.reading.candidates, ({ passage }) => passage)
  const orderOf = headers(lines, shape)
  const headed = tableHeaders(frames, shape)
  const numbered = numberedLines(frames)
  const single = lines.flatMap((line) => {
    const header = headed.get(line)
    if (header?.line === line || headsCount(line.text)) return []
    const source = { line, values: valuesOf(line), candidates: scanned.get(line) ?? [], order: orderOf(line), header }
    return rowOf({ ...source, numbered: numbered.has(line) }, shape) ?? []
  })
  const found = withUniform(single, uniformRows(frames, shape, rivals, material.reading.recordedAt))
  const named = withoutFields(withoutSums(withTexts(material, shape, found), shape), fields)
    .filter(isNamed(material, shape))
  const rows = distinct(
    withPricedUnits(tables(rowsOfList(material.reading, lines, named, shape.list, rivals)), shape),
    shape.list
  )
  const headedRows = rows.filter((row) => row.headed >= LEAST_NAMED).length
  return rows.length > 0
    ? { entries: rows, table: true, headed: headedRows > rows.length / 2, counted: rows.every(isCounted) }
    : { entries: distinct(captions(frames, valuesOf, shape), shape.list), table: false, headed: false, counted: false }
}
