import { callsAnother } from "../../candidates/Disowned.ts"
import type { Leaf } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { type Cell, cellsOf } from "../texts/Cells.ts"
import type { Shape } from "./Entry.ts"

/** Which property each column of a table is of; undefined for a column of something else. */
export type Columns = ReadonlyArray<Leaf | undefined>

/** A line that says of which property each column below it is. */
export interface Header {
  readonly line: Passage
  readonly columns: Columns
  /** How many of its columns name a property. */
  readonly named: number
}

const LONGEST_CELL = 4
const MOST_COLUMNS = 30

const wholeWords = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => word.length > 1 && !STOP_WORDS.has(word))
const contentOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => wholeWords(words).map(stem)

/** "Qty", "pts" and "min" are short for the word that begins alike and has their letters in order. */
const isShortFor = (short: string, word: string): boolean => {
  if (short.length < 2 || short.length > 5 || short.length >= word.length || short[0] !== word[0]) return false
  if (word.startsWith(short)) return short.length > 2
  let at = 0
  for (const letter of word) if (letter === short[at]) at++
  return at === short.length && !/[aeiou]/u.test(short)
}

/** Whether a word of a column is one of a name's, or short for it: "Pts" keeps the s that a stem has lost. */
export const isOf = (word: string, name: ReadonlyArray<string>): boolean =>
  name.some((other) => stem(other) === stem(word) || isShortFor(word, other) || isShortFor(word, stem(other)))

/** How well the words of a column name a property: how many do, less those that do not. */
const fitOf = (cell: ReadonlyArray<string>, text: string, leaf: Leaf): number => {
  const name = wholeWords(identifierWords(leaf.name))
  const own = cell.filter((word) => isOf(word, name))
  if (own.length === 0 || callsAnother(text, leaf)) return -Infinity
  return own.length - cell.filter((word) => !own.includes(word) && !leaf.terms.has(stem(word))).length / 2
}

/** The property of each column, each property once: where two columns name one alike, neither is its. */
export const columnsOf = (cells: ReadonlyArray<Cell>, leaves: ReadonlyArray<Leaf>): Columns => {
  const words = cells.map(({ text }) => wholeWords(tokenise(text).map(({ norm }) => norm)))
  const out: Array<Leaf | undefined> = cells.map(() => undefined)
  const fits = leaves.flatMap((leaf) => cells.map(({ text }, at) => ({ leaf, at, fit: fitOf(words[at]!, text, leaf) })))
    .filter(({ fit }) => fit > 0).toSorted((a, b) => b.fit - a.fit)
  const taken = new Set<Leaf>()
  for (const { at, fit, leaf } of fits) {
    if (taken.has(leaf) || out[at] !== undefined) continue
    taken.add(leaf)
    if (!fits.some((other) => other.leaf === leaf && other.at !== at && other.fit === fit)) out[at] = leaf
  }
  return out
}

const isDigit = (text: string): boolean => /\d/u.test(text)

/** The column of what entries are called, where no column is named so: one that the list is named by, else the first of texts. */
const withAnchor = (
  columns: Columns,
  cells: ReadonlyArray<Cell>,
  below: ReadonlyArray<ReadonlyArray<Cell>>,
  { anchor, list }: Shape
): Columns => {
  if (columns.includes(anchor)) return columns
  const named = new Set(contentOf(identifierWords(list.name)))
  const free = cells.flatMap(({ text }, at) =>
    columns[at] === undefined && below.every((row) => /\p{L}/u.test(row[at]!.text) && !isDigit(row[at]!.text[0] ?? ""))
      ? [{ at, own: contentOf(tokenise(text).map(({ norm }) => norm)).some((word) => named.has(word)) }]
      : []
  )
  const place = (free.find(({ own }) => own) ?? free[0])?.at
  return columns.map((leaf, at) => at === place ? anchor : leaf)
}

/** The header that a line is of the lines below it in its frame, as many cells as they have; undefined for any other line. */
const headerOf = (line: Passage, rest: ReadonlyArray<Passage>, shape: Shape): Header | undefined => {
  const cells = cellsOf(line.text)
  if (
    cells.length < 2 || cells.length > MOST_COLUMNS || isDigit(line.text) ||
    cells.some(({ text }) => tokenise(text).length > LONGEST_CELL)
  ) {
    return undefined
  }
  const below = rest.map(({ text }) => cellsOf(text)).filter((row) => row.length === cells.length)
  if (below.length < 2) return undefined
  const columns = columnsOf(cells, [shape.anchor, ...shape.others])
  // Numbers below words are a table as well; of texts only one that names a property is known to be its header.
  const counts = cells.some((_, at) => below.every((row) => isDigit(row[at]!.text)))
  const named = columns.filter((leaf) => leaf !== undefined).length
  return counts || named > 0 ? { line, columns: withAnchor(columns, cells, below, shape), named } : undefined
}

/** The header that each line of some frames stands under, as its columns; undefined where no header is above it in its frame. */
export const tableHeaders = (
  frames: ReadonlyArray<ReadonlyArray<Passage>>,
  shape: Shape
): ReadonlyMap<Passage, Header> => {
  const out = new Map<Passage, Header>()
  for (const lines of frames) {
    let current: Header | undefined
    lines.forEach((line, at) => {
      // A header is followed by its rows: looking further would read a long frame once for each of its lines.
      current = headerOf(line, lines.slice(at + 1, at + 6), shape) ?? current
      if (current !== undefined) out.set(line, current)
    })
  }
  return out
}

/**
 * Whether a place of a line on screen may hold a value of a property: it lies in no header and, under one, in no column of another
 * property. What says of which property it is may stand in a column that is of none; a bare number there is none.
 */
export const inOwnColumn = (
  passages: ReadonlyArray<Passage>,
  shape: Shape
): (leaf: Leaf, passage: Passage, from: number) => boolean => {
  const lines = passages.filter(({ channel }) => channel === "ocr")
  const headers = tableHeaders(Array.from(Map.groupBy(lines, ({ source_ref }) => source_ref).values()), shape)
  return (leaf, passage, from) => {
    const header = headers.get(passage)
    if (header === undefined) return true
    const cells = header.line === passage ? [] : cellsOf(passage.text)
    if (cells.length !== header.columns.length) return header.line !== passage
    const column = header.columns[cells.findIndex((cell) => cell.from <= from && from < cell.to)]
    return column === leaf || (column === undefined && leaf.type !== "number" && leaf.type !== "integer")
  }
}
