import { unitAfter } from "../../lexicon/Units.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { TABLE_MONTH, TABLE_WEEKDAY } from "../../text/TableKinds.ts"
import { normaliseValue } from "../../text/Tokens.ts"

/** What a part of a line is by its form alone. */
type Sort = "text" | "number" | "money" | "percent" | "time" | "period" | "day"

/** One part of a line. `unit` ends a number: its sign, or the word behind it. */
export interface Part {
  readonly sort: Sort
  readonly from: number
  readonly to: number
  readonly text: string
  readonly unit?: string
  /** Where it stands on another line than its row begins with. */
  readonly line?: Passage
}

/** Lines below each other that are made of parts of the same sorts: a table, whether or not a header says of what. */
export interface UniformLines {
  /** The line right above them, where it has as many cells. */
  readonly header: Passage | undefined
  /** What the lines right above say of the columns behind the first, one each, where cells stand one below the other. */
  readonly heads?: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{
    readonly line: Passage
    /** The other lines of a row whose cells stand one below the other. */
    readonly below?: ReadonlyArray<Passage>
    readonly parts: ReadonlyArray<Part>
  }>
}

/** Between cells: wide gaps, bars, leaders, a dash with blanks on both sides that joins no days or times: "Mon - Fri 06:00 - 22:00". */
const GAP = new RegExp(
  String
    .raw`\s{2,}|\t|\s*[|·•]\s*|\s*(?:\.{3,}|…|_{3,})\s*|(?<!\b${TABLE_WEEKDAY})(?<!\d[:.]\d{2})\s+[–—-]\s+|(?<=\b${TABLE_WEEKDAY})\s+[–—-]\s+(?!${TABLE_WEEKDAY})|(?<=\d[:.]\d{2})\s+[–—-]\s+(?!\d{1,2}[:.]\d{2})|:\s+`,
  "giu"
)
const DAYS = new RegExp(`^${TABLE_WEEKDAY}\\s?[-–—]\\s?${TABLE_WEEKDAY}$`, "iu")
const CLOCK = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{1,3})?(?:\s?[ap]\.?m\.?)?`
const PERIOD = new RegExp(`^(?:${CLOCK}\\s?[-–—]\\s?${CLOCK})$`, "iu")
const TIME = /^\d{1,2}:\d{2}(?:[:.]\d{1,3})?(?:\s?[ap]\.?m\.?)?$|^\d{1,2}(?:\.\d{2})?\s?[ap]\.?m\.?$/iu
const DAY = new RegExp(
  String
    .raw`^(?:${TABLE_WEEKDAY}|(?:\p{L}{3,9}\.?,? )?\d{1,2}(?:st|nd|rd|th)?\.? ${TABLE_MONTH}(?:,? \d{4})?|(?:\p{L}{3,9}\.?,? )?${TABLE_MONTH} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})$`,
  "iu"
)
const FIGURES = String.raw`[-−+]?\d{1,3}(?:[,’' ]\d{3})+(?:\.\d+)?|[-−+]?\d+(?:[.,]\d+)?`
const NUMBER = new RegExp(`^([$€£¥]\\s?)?(?:${FIGURES})(\\s?(?:[$€£¥%°]\\p{L}?|\\p{L}[\\p{L}²³/]{0,11}))?$`, "u")

/** What a stretch of a line is where it is one value as a whole; undefined for a text. */
const valueOf = (text: string, units: ReadonlySet<string>): Pick<Part, "sort" | "unit"> | undefined => {
  if (PERIOD.test(text)) return { sort: "period" }
  if (DAYS.test(text)) return { sort: "text" }
  if (TIME.test(text)) return { sort: "time" }
  if (DAY.test(text)) return { sort: "day" }
  const match = NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign, behind = ""] = match
  const unit = behind.trim()
  if (sign !== undefined && unit !== "") return undefined
  if (unit === "%") return { sort: "percent", unit }
  if (sign !== undefined || /^[$€£¥]$/u.test(unit)) return { sort: "money", unit: sign?.trim() ?? unit }
  if (unit === "") return { sort: "number" }
  const known = unitAfter(` ${unit}`) !== undefined || unit.startsWith("°") || units.has(normaliseValue(unit))
  return known ? { sort: unitAfter(` ${unit}`)?.dimension === "money" ? "money" : "number", unit } : undefined
}

interface Stretch {
  readonly from: number
  readonly text: string
}

/** Without what stands around a cell: blanks, marks, the "x" of "3 x seat slat". */
const trimmed = ({ from, text }: Stretch): Stretch => {
  const rest = text.replace(/^(?:[\s,;*+]+|[x×]\s+)+/u, "")
  return { from: from + text.length - rest.length, text: rest.replace(/(?:[\s,;/*+]+|\s+[x×])+$/u, "") }
}

/** The most words that one value has: "Sat 7 Feb 2026". */
const MOST_WORDS = 4

/** "$5 / month", "€19 a month": for what a price is, and no column. */
const RATE = /^(?:\/|(?:per|an?|each|every)\b)/iu

/** A cell as a value, or as a text with the values that stand at its beginning and at its end. */
const partsIn = (cell: Stretch, units: ReadonlySet<string>): ReadonlyArray<Part> => {
  const bare = trimmed(cell)
  const part = ({ from, text }: Stretch, value: Pick<Part, "sort" | "unit">): Part => ({
    ...value,
    from,
    to: from + text.length,
    text
  })
  const whole = valueOf(bare.text, units)
  if (whole !== undefined) return [part(bare, whole)]
  const [before, behind]: [Array<Part>, Array<Part>] = [[], []]
  let rest = bare
  for (let peeled = true; peeled;) {
    peeled = false
    // "Mon - Fri 06:00 - 22:00": behind the days a period, and no two times.
    if (valueOf(rest.text, units)?.sort === "period") break
    const words = Array.from(
      rest.text.matchAll(/\S+/gu),
      ({ 0: { length }, index }) => ({ index, end: index + length })
    )
    for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0 && !peeled; count--) {
      const end = words[count - 1]!.end
      const first = trimmed({ from: rest.from, text: rest.text.slice(0, end).replace(/(?<=^\d{1,3})[.)]$/u, "") })
      const value = valueOf(first.text, units)
      // "3 ports", "5 mg/kg": a bare number before words is theirs, unless it numbers the row or stands before "x".
      const opens = before.length === 0 && (cell.from === 0 || /^\s+[x×]\s/u.test(rest.text.slice(end)))
      if (value === undefined || (value.sort === "number" && value.unit === undefined && !opens)) continue
      before.push(part(first, value))
      rest = trimmed({ from: rest.from + end, text: rest.text.slice(end) })
      peeled = true
    }
    for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0 && !peeled; count--) {
      const start = words[words.length - count]!.index
      const last = trimmed({ from: rest.from + start, text: rest.text.slice(start) })
      const value = valueOf(last.text, units)
      if (value === undefined) continue
      behind.unshift(part(last, value))
      rest = trimmed({ from: rest.from, text: rest.text.slice(0, start) })
      peeled = true
    }
  }
  const rated = before.length > 0 && RATE.test(rest.text)
  const middle = /[\p{L}\p{N}]/u.test(rest.text) && !rated
    ? [part(rest, valueOf(rest.text, units) ?? { sort: "text" })]
    : []
  return [...before, ...middle, ...behind]
}

const cellsIn = (text: string): ReadonlyArray<Stretch> => {
  const gaps = [...text.matchAll(GAP)]
  return [...gaps, null].map((gap, at) => {
    const before = gaps[at - 1]
    const from = before === undefined ? 0 : before.index + before[0].length
    return { from, text: text.slice(from, gap === null ? text.length : gap.index) }
  }).filter((cell) => cell.text.trim() !== "")
}

/** The parts of a whole line; none of one that is too long for a table or holds several things. */
export const partsOfLine = ({ text }: Passage, units: ReadonlySet<string>): ReadonlyArray<Part> =>
  text.length > LONGEST_LINE || SEVERAL.test(text) ? [] : cellsIn(text).flatMap((cell) => partsIn(cell, units))

interface Read {
  readonly line: Passage
  readonly cells: ReadonlyArray<Stretch>
  readonly parts: ReadonlyArray<ReadonlyArray<Part>>
}

export const sortsOf = (parts: ReadonlyArray<Part>): string => parts.map(({ sort }) => sort).join(" ")
const isWords = (parts: ReadonlyArray<Part>): boolean => parts.every(({ sort }) => sort === "text")

/** Of cells of one column their parts where all have the same sorts, else each cell as a text; undefined where one is no text. */
const columnOf = (rows: ReadonlyArray<Read>, at: number): ReadonlyArray<ReadonlyArray<Part>> | undefined => {
  const own = rows.map(({ parts }) => parts[at]!)
  if (own.every((parts) => sortsOf(parts) === sortsOf(own[0]!))) return own
  const whole = rows.map(({ cells }) => trimmed(cells[at]!))
  return whole.every(({ text }) => /\p{L}/u.test(text))
    ? whole.map(({ from, text }): ReadonlyArray<Part> => [{ sort: "text", from, to: from + text.length, text }])
    : undefined
}

/** "1 onion, 2 carrots, 1 lemon" is a row of several things. */
const SEVERAL = /\p{L}, \d+ \p{L}/u
const isMixed = ({ sort, text }: Part): boolean => sort === "text" && /[$€£¥%]/u.test(text)
const LEAST_ROWS = 2
/** Of a text and a bare number alone: two teams with their goals are no table. */
const LEAST_BARE_ROWS = 3
/** A line of a table is a line of a picture: what is longer is none. */
const LONGEST_LINE = 200

const uniform = (run: ReadonlyArray<Read>): UniformLines | undefined => {
  const [first, ...rest] = run
  const headed = first !== undefined && isWords(first.parts.flat()) && rest.some(({ parts }) => !isWords(parts.flat()))
  const rows = headed ? rest : run
  if (rows.length < LEAST_ROWS) return undefined
  const columns = rows[0]!.cells.map((_, at) => columnOf(rows, at))
  // A sum within a text is one that was not understood.
  if (columns.some((column) => column?.flat().some(isMixed) !== false)) return undefined
  const lines = rows.map(({ line }, at) => ({ line, parts: columns.flatMap((column) => column![at]!) }))
  const bare = lines[0]!.parts.length <= 2 &&
    lines[0]!.parts.every(({ sort, unit }) => sort === "text" || (sort === "number" && unit === undefined))
  return isWords(lines[0]!.parts) || (bare && lines.length < LEAST_BARE_ROWS)
    ? undefined
    : { header: headed ? first.line : undefined, rows: lines }
}

/**
 * The runs of lines of one frame that are made alike, with at least one value in each: "1  Castle Weir BC  6:58.2" over "2  Thornbeck RC  7:01.4".
 * Of lines without gaps only those count whose parts are of the same sorts; where there are gaps, a column in which they differ is one of texts.
 * Nothing where no two lines below each other are alike. `units` are words that may end a number besides the known units of measure.
 */
export const uniformLines = (
  lines: ReadonlyArray<Passage>,
  units: ReadonlySet<string>
): ReadonlyArray<UniformLines> => {
  const read = lines.map((line): Read => {
    const cells = line.text.length > LONGEST_LINE || SEVERAL.test(line.text) ? [] : cellsIn(line.text)
    return { line, cells, parts: cells.map((cell) => partsIn(cell, units)) }
  })
  const runs: Array<Array<Read>> = []
  for (const one of read) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const width = last?.cells.length ?? 0
    // "Five Acres  07:40  NEW": one row says more than the others.
    const cut = width > 1 && one.cells.length === width + 1 &&
        sortsOf(one.parts.slice(0, width).flat()) === sortsOf(last!.parts.flat())
      ? { ...one, cells: one.cells.slice(0, width), parts: one.parts.slice(0, width) }
      : one
    const alike = last !== undefined && cut.cells.length === width &&
      (width > 1 || sortsOf(cut.parts.flat()) === sortsOf(last.parts.flat()))
    if (alike) run!.push(cut)
    else runs.push([one])
  }
  return runs.flatMap((run) => run[0]!.cells.length === 0 ? [] : uniform(run) ?? [])
}
