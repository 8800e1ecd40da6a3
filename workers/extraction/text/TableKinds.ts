/** What stands in a cell, as far as its form tells: a text, or a value by its sign or unit; null where nothing is written. */
type Kind = string | null

const tuning = {
  /** Share of a column's cells that are of its kind. */
  of_kind: 0.7,
  /** Share of the values below which the right side of two columns is prose. */
  values: 0.5,
  /** By how much cells agree better along rows than down columns where rows are the properties and columns the records. */
  transposed: 0.2,
  /** Share of the names in a header, or before values, that are attributes of a thing. */
  attributes: 0.5,
  /** Rows below a header, or without one. */
  least_rows: 2
} as const

/**
 * What a column is called in which each row has its own: attributes, in the singular. "Pros" beside "Cons" head two lists, which stand in
 * the same bands as the cells of a table do.
 */
const ATTRIBUTES = new Set(
  ("name title role position job function person owner assignee responsible lead manager contact author speaker host presenter teacher "
    + "instructor artist director candidate party member player guest client customer company organisation organization employer department "
    + "team club brand manufacturer supplier model make type kind category genre class level grade stage phase status state priority "
    + "severity impact risk likelihood probability mitigation result outcome score rank rating item product service dish course ingredient "
    + "material colour color size weight height width length depth capacity volume speed power range battery display screen processor "
    + "memory storage warranty format language currency unit amount quantity qty count number no price cost fee rate total date day "
    + "time start end duration deadline due year month week period session subject topic place location venue room city town country "
    + "region address phone telephone email website origin destination route gate platform description comment note notes meaning "
    + "definition term symbol code id reference action task step exercise activity method source")
    .split(" ")
)

/** A month and a day of the week as tables have them, in short or in full: sources of regular expressions, whatever the case. */
export const TABLE_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?"
export const TABLE_WEEKDAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?"
const DATE = new RegExp(
  `^(?:${TABLE_WEEKDAY}|(?:\\p{L}{3,9},? )?${TABLE_MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?)?(?:,? \\d{4})?|(?:\\p{L}{3,9},? )?\\d{1,2}(?:st|nd|rd|th)?\\.? ${TABLE_MONTH}(?:,? \\d{4})?|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})$`,
  "iu"
)
const TIME =
  /^\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?)?(?:\s?[-–—]\s?\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?)?)?$|^\d{1,2}\s?[ap]\.?m\.?$/iu
const YEAR = /^(?:19|20)\d{2}$/u
const MARK = /^(?:yes|no|n\/a|[✓✔✗✘×])$/iu
/** Figures with a sign before them and at most a unit behind: "3 ports only" is prose. */
const FIGURES = /^[^\p{L}\d]*\d[\d\p{P}\p{S}\s]*(\p{L}{0,12}(?:\s?(?:\/|per)\s?\p{L}{1,9})?)[°%]?$/u

/** Kind of a cell by its form alone. */
const kindOf = (cell: string): Kind => {
  const text = cell.trim()
  if (!/[\p{L}\d✓✔✗✘×]/u.test(text)) return null
  if (TIME.test(text)) return "time"
  if (YEAR.test(text)) return "date"
  if (DATE.test(text)) return "date"
  if (MARK.test(text)) return "mark"
  const figures = FIGURES.exec(text)
  if (figures === null) return "text"
  return /[$€£¥]/u.exec(text)?.[0] ?? (text.includes("%") ? "%" : `number ${figures[1]!.toLowerCase()}`)
}

/** Cells of a table in rows, as many in each; undefined where a row has none. */
type Grid = ReadonlyArray<ReadonlyArray<string | undefined>>

const isValue = (kind: Kind): boolean => kind !== null && kind !== "text"
const present = (kinds: ReadonlyArray<Kind>): ReadonlyArray<Kind> => kinds.filter((kind) => kind !== null)
const share = <A>(some: ReadonlyArray<A>, holds: (one: A) => boolean): number =>
  some.length === 0 ? 0 : some.filter(holds).length / some.length

/** How often two neighbours of some rows of values are of one kind; undefined where none are neighbours. */
const agreement = (rows: ReadonlyArray<ReadonlyArray<Kind>>): number | undefined => {
  const pairs = rows.flatMap((row) =>
    row.slice(1).flatMap((kind, at) => kind === null || row[at] === null ? [] : [kind === row[at]])
  )
  return pairs.length === 0 ? undefined : share(pairs, (same) => same)
}

const namesAttribute = (text: string | undefined): boolean => {
  // "Room: 204" is a label with its value.
  if (text === undefined || /\d|:\s*\S/u.test(text)) return false
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return words.length > 0 && words.length <= 3 && ATTRIBUTES.has(words.at(-1)!)
}

const areAttributes = (cells: ReadonlyArray<string | undefined>): boolean => {
  const written = cells.filter((cell) => cell !== undefined)
  const named = written.filter(namesAttribute).length
  return named >= 2 && named >= tuning.attributes * written.length
}

/** Whether a cell is nothing but the mark or the number of an item: "•", "2.". */
export const isBullet = (cell: string | undefined): boolean => /^\s*(?:[•·▪◦‣*–—-]|\d{1,2}[.)])\s*$/u.test(cell ?? "")

const BULLETED = /^\s*(?:[•·▪◦‣*]\s*[\p{L}\d]|[–—-]\s*\p{L})/u

/**
 * Whether each row of a grid is about one thing: its columns hold one kind of values each, or are named as attributes. Two lists side by
 * side, cards one beside the other and prose in columns are read down, and are no rows.
 */
export const isOfRows = (grid: Grid): boolean => {
  if (grid.every(([first]) => isBullet(first))) return true
  const kinds = grid.map((row) => row.map((cell) => cell === undefined ? null : kindOf(cell)))
  const columns = kinds[0]!.length
  const headed = kinds[0]!.every((kind) => !isValue(kind)) && kinds.slice(1).some((row) => row.some(isValue))
  const body = headed ? kinds.slice(1) : kinds
  if (body.length < tuning.least_rows) return false
  const down = Array.from({ length: columns }, (_, at) => present(body.map((row) => row[at]!)))
  const values = down.map((column) => share(column, isValue))
  const texts = values.filter((one) => one <= 1 - tuning.of_kind).length
  const numbers = values.filter((one) => one >= tuning.of_kind).length
  if (share(grid.flat().filter((cell) => cell !== undefined), (cell) => BULLETED.test(cell)) >= tuning.values) {
    return false
  }
  const labels = grid.map((row) => row[0])
  const labelled = columns === 2 &&
    (share(labels, (label) => label?.trimEnd().endsWith(":") === true) >= tuning.of_kind || areAttributes(labels))
  if (labelled || (grid.length > tuning.least_rows && areAttributes(grid[0]!))) return true
  // A row with one text and values that are alike is a property with its value for each of the columns.
  const inRows = agreement(body.map((row) => row.slice(1)))
  const inColumns = agreement(Array.from({ length: columns - 1 }, (_, at) => body.map((row) => row[at + 1]!)))
  if (inRows !== undefined && inColumns !== undefined && inRows - inColumns > tuning.transposed) return false
  if (numbers === 0) return columns === 2 && !headed && texts === 1 && values[1]! >= tuning.values
  // Years and hours are what rows of numbers are about, where no other column has such.
  const [first, ...others] = down.map((column) => new Set(column))
  const timed = headed && first!.size > 0 && [...first!].every((kind) => kind === "date" || kind === "time") &&
    !others.some((other) => [...first!].some((kind) => other.has(kind)))
  return texts > 0 ? texts + numbers > columns / 2 : timed && numbers === columns
}

/** By how many columns the kinds of a grid repeat: two menus side by side are two tables. Undefined where they do not. */
export const periodOf = (grid: Grid): number | undefined => {
  const columns = grid[0]!.length
  const kinds = Array.from({ length: columns }, (_, at) => {
    const body = present(grid.slice(1).map((row) => row[at] === undefined ? null : kindOf(row[at])))
    return share(body, isValue) >= tuning.of_kind ? "value" : "text"
  })
  return [2, 3].find((period) =>
    columns > period && columns % period === 0 && kinds[0] === "text" && kinds[1] === "value" &&
    kinds.every((kind, at) => kind === kinds[at % period]) &&
    grid[0]!.every((cell, at) =>
      cell === undefined || isValue(kindOf(cell)) === (kinds[at] === "value") || cell === grid[0]![at % period]
    )
  )
}
