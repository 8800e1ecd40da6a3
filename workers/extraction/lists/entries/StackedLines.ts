import { BULLET } from "../../text/ScreenLines.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import { type Part, partsOfLine, sortsOf, type UniformLines } from "./UniformLines.ts"

/** A line as it may stand in a stack. */
interface Read {
  readonly line: Passage
  readonly parts: ReadonlyArray<Part>
  /** The line whole, without its number, where it may be what a row is called. */
  readonly name: Part | undefined
}

const LONGEST_NAME = 60
/** What a thing cost before stands between its name and its price. */
const FORMER = /^(?:was|before|old price|rrp|instead of)\b/iu

const isValue = ({ sort }: Part): boolean => sort !== "text"
const isText = (parts: ReadonlyArray<Part>): boolean => parts.every(({ sort }) => sort === "text")

const nameIn = ({ text }: Passage, parts: ReadonlyArray<Part>): Part | undefined => {
  const from = BULLET.exec(text)?.[0].length ?? 0
  const name = text.slice(from).trimEnd()
  const mayName = name.length <= LONGEST_NAME && /^["“'‘(]?\p{L}/u.test(name) &&
    !/[$€£¥]|\p{L}:\s|\s{2,}|\t|\|/u.test(name)
  return mayName && (parts.some(({ sort }) => sort === "text") || parts.every(({ sort }) => sort === "day"))
    ? { sort: "text", from, to: from + name.length, text: name }
    : undefined
}

/** "x4", "× 2": how many of what stands above. */
const COUNT = /^[x×]\s?(?=\d{1,3}$)/iu

const countOf = ({ text }: Passage): ReadonlyArray<Part> | undefined => {
  const from = COUNT.exec(text)?.[0].length
  return from === undefined ? undefined : [{ sort: "number", from, to: text.length, text: text.slice(from) }]
}

const read = (line: Passage, units: ReadonlySet<string>): Read => {
  const parts = countOf(line) ?? partsOfLine(line, units)
  return { line, parts, name: nameIn(line, parts) }
}

/** How two lines at the same place of two rows are alike: as values of the same sorts behind the same words, or as texts; undefined where they are not. */
const likenessOf = (a: Read, b: Read): "values" | "texts" | undefined => {
  const values = a.parts.length > 0 && a.parts.some(isValue) && sortsOf(a.parts) === sortsOf(b.parts) &&
    a.parts.every((part, at) => isValue(part) || normaliseValue(part.text) === normaliseValue(b.parts[at]!.text))
  if (values) return "values"
  return a.name !== undefined && b.name !== undefined ? "texts" : undefined
}

/** Lines that may stand between two rows and are of neither: a remark, a heading, a row with a gap. */
const MOST_BETWEEN = 2

const isRow = ([name, ...rest]: ReadonlyArray<Read>): boolean =>
  name?.name !== undefined && rest.some(({ parts }) => parts.some(isValue)) &&
  rest.every(({ name: text, parts }) => parts.some(isValue) || text !== undefined)

interface Stack {
  readonly at: number
  readonly rows: ReadonlyArray<ReadonlyArray<Read>>
  /** What stands at each place behind the name. */
  readonly columns: ReadonlyArray<"values" | "texts">
}

const columnsOf = (
  [, ...first]: ReadonlyArray<Read>,
  [, ...second]: ReadonlyArray<Read>
): Stack["columns"] | undefined => {
  const columns = first.flatMap((one, place) => likenessOf(one, second[place]!) ?? [])
  return columns.length === first.length && columns.includes("values") ? columns : undefined
}

/** The rows of so many lines each that follow the one that begins at a line, each like it. */
const stackFrom = (lines: ReadonlyArray<Read>, at: number, height: number): Stack | undefined => {
  const first = lines.slice(at, at + height)
  if (first.length < height || !isRow(first)) return undefined
  const rows = [first]
  let columns: Stack["columns"] | undefined
  for (let next = at + height, between = 0; next + height <= lines.length && between <= MOST_BETWEEN;) {
    const row = lines.slice(next, next + height)
    const alike = isRow(row) ? columnsOf(first, row) : undefined
    if (alike !== undefined && (columns === undefined || alike.join() === columns.join())) {
      rows.push(row)
      columns = alike
      next += height
      between = 0
    } else {
      next++
      between++
    }
  }
  return columns === undefined ? undefined : { at, rows, columns }
}

const LEAST_ROWS = 2
/** Of a name and a bare number alone: two teams with their goals are no table. */
const LEAST_BARE_ROWS = 3
const HEIGHTS = [2, 3, 4, 5] as const

const isBare = ([, ...rest]: ReadonlyArray<Read>): boolean =>
  rest.length === 1 && rest[0]!.parts.every(({ sort, unit }) => sort === "number" && unit === undefined)

/** A name stands right over its value: of two stacks of as many lines the one in which it does. */
const nameIsNext = ({ columns: [first] }: Stack): number => first === "values" ? 1 : 0
const sizeOf = ({ rows }: Stack): number => rows.length * rows[0]!.length

const best = (lines: ReadonlyArray<Read>, most_texts: number): Stack | undefined =>
  lines.flatMap((_, at) => HEIGHTS.flatMap((height) => stackFrom(lines, at, height) ?? []))
    .filter(({ columns, rows }) =>
      rows.length >= (isBare(rows[0]!) ? LEAST_BARE_ROWS : LEAST_ROWS) &&
      columns.filter((column) => column === "texts").length < most_texts
    )
    .reduce<Stack | undefined>((high, one) => {
      if (high === undefined) return one
      const more = sizeOf(one) - sizeOf(high)
      return more > 0 || (more === 0 && nameIsNext(one) > nameIsNext(high)) ? one : high
    }, undefined)

const at = (line: Passage, part: Part): Part => ({ ...part, line })

const rowOf = (columns: Stack["columns"]) => ([name, ...rest]: ReadonlyArray<Read>): UniformLines["rows"][number] => ({
  line: name!.line,
  below: rest.map(({ line }) => line),
  parts: [
    name!.name!,
    ...rest.flatMap(({ line, name: text, parts }, place) =>
      (columns[place] === "texts" ? [text!] : parts).map((part) => at(line, part))
    )
  ]
})

/**
 * The rows of one frame whose cells stand one below the other, as cards of an app and boards with large print do: "Shoes", "£6", "£10", "Harness", "£5", "£8".
 * Every row has its name first and below it lines of the same sorts, one of values among them, and no more texts than `most_texts`. Nothing where no two rows are alike.
 */
export const stackedLines = (
  lines: ReadonlyArray<Passage>,
  units: ReadonlySet<string>,
  most_texts: number
): ReadonlyArray<UniformLines> => {
  const all = lines.filter(({ text }) => !FORMER.test(text)).map((line) => read(line, units))
  const found = best(all, most_texts)
  if (found === undefined) return []
  const [first] = found.rows
  const above = all.slice(Math.max(0, found.at - first!.length + 1), found.at)
  const heads = above.length === first!.length - 1 && above.every(({ parts }) => isText(parts))
    ? above.map(({ line: { text } }) => text)
    : []
  const [header] = all.slice(Math.max(0, found.at - 1), found.at)
  return [{ header: header?.line, heads, rows: found.rows.map(rowOf(found.columns)) }]
}
