import { callsAnother } from "../../candidates/Disowned.ts"
import type { Reading } from "../../candidates/Reading.ts"
import type { List } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { tokenise } from "../../text/Tokens.ts"
import { cellsOf } from "../texts/Cells.ts"
import { headingOf, saysOfOthers } from "../texts/ListHeadings.ts"
import { type Subject, subjectOf } from "../texts/ListSubject.ts"

interface Placed {
  readonly line: Passage
  readonly below?: ReadonlyArray<Passage>
}

const LONGEST_HEADING = 5

/** "Open deals (2)": how many follow. */
const FOLLOWING = /\s*\(\d+\)$/u

/** Whether a line heads so many as it says, and is no row with a number. */
export const headsCount = (text: string): boolean => FOLLOWING.test(text) && /^\p{Lu}[^\d]*\(/u.test(text)

const mayHead = ({ text }: Passage): boolean =>
  /^\p{Lu}/u.test(text) && !/\d/u.test(text.replace(FOLLOWING, "")) && cellsOf(text).length === 1 &&
  tokenise(text).length <= LONGEST_HEADING

/** Whether the line on top of a slide says what the columns of the rows below it are, and not what these rows are. */
const isHeader = ({ text }: Passage, lines: ReadonlyArray<Passage>, rows: ReadonlySet<Passage>): boolean => {
  const { length } = cellsOf(text)
  return length > 1 && lines.some((line) => rows.has(line) && cellsOf(line.text).length === length)
}

/** Of each row the headings that it stands under: the line above it that is no row, and the title of its slide. */
const headingsOf = (
  { document }: Reading,
  lines: ReadonlyArray<Passage>,
  rows: ReadonlySet<Passage>
): ReadonlyMap<Passage, ReadonlyArray<string>> => {
  const titles = new Map(
    document.slides.flatMap(({ heading, lines: own }) =>
      heading === null || isHeader(heading, own, rows) ? [] : own.map((line) => [line, heading.text] as const)
    )
  )
  const out = new Map<Passage, ReadonlyArray<string>>()
  let above: Passage | undefined
  for (const line of lines) {
    if (above?.source_ref !== line.source_ref) above = undefined
    if (!rows.has(line)) {
      if (mayHead(line)) above = line
      continue
    }
    const title = titles.get(line)
    out.set(line, [above?.text.replace(FOLLOWING, ""), title].filter((text) => text !== undefined))
  }
  return out
}

const names = (heading: string, subject: Subject): boolean => headingOf(heading, subject) !== undefined

/**
 * The rows that stand under a heading of the list where one names it; else those whose headings name no other list and nothing that is
 * over, old, only planned or of others: "Income" and "Expenses" are two tables, "Old prices" holds none that are asked for. Where one heading
 * is the list's name alone, rows under one that adds to it are of another: "Our prices" and "Prices at the airport".
 */
export const rowsOfList = <Row extends Placed>(
  reading: Reading,
  lines: ReadonlyArray<Passage>,
  rows: ReadonlyArray<Row>,
  list: List,
  rivals: ReadonlyArray<List>
): ReadonlyArray<Row> => {
  const headings = headingsOf(reading, lines, new Set(rows.flatMap(({ below = [], line }) => [line, ...below])))
  const texts = new Set(Array.from(headings.values()).flat())
  const subject = subjectOf(list)
  const others = rivals.filter((other) => other !== list).map(subjectOf)
  const named = Array.from(texts).filter((text) => names(text, subject) && !saysOfOthers(text, subject))
  const plain = named.filter((text) => headingOf(text, subject)?.foreign.length === 0)
  const own = new Set(plain.length > 0 ? plain : named)
  const foreign = new Set(
    Array.from(texts).filter((text) =>
      !own.has(text) &&
      (callsAnother(text, list) || saysOfOthers(text, subject) || others.some((other) => names(text, other)))
    )
  )
  const isNamed = rows.some(({ line }) => headings.get(line)?.some((text) => own.has(text)))
  return rows.filter(({ line }) => {
    const [nearest, ...above] = headings.get(line) ?? []
    // A board that is longer than the picture goes on without its heading.
    if (nearest === undefined) return true
    if (foreign.has(nearest)) return false
    return isNamed
      ? [nearest, ...above].some((text) => text !== undefined && own.has(text))
      : !above.some((text) => foreign.has(text))
  })
}
