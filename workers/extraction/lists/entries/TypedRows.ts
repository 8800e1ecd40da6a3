import type { Material, Mention } from "../../candidates/Mention.ts"
import { wantsClock } from "../../text/FieldForms.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { fill, mentionsOf } from "./EntryRows.ts"
import { entryValues, isTyped } from "./EntryValues.ts"

/** An entry that has no name: what one line of the screen says of its properties. */
export type TypedRow = ReadonlyArray<readonly [Leaf, Mention]>

const LEAST_ROWS = 2
const LEAST_VALUES = 2

const templatesOf = (row: TypedRow): string => row.map(([{ template }]) => template).toSorted().join()

/** Whether a line says little else: a row of figures has no more than two words to a value. */
const isRow = ({ text }: Passage, row: TypedRow): boolean => (text.match(/\p{L}{2,}/gu)?.length ?? 0) <= 2 * row.length

/**
 * Rows of the screen whose entries nothing names: "dep 08:15  arr 08:50" over "dep 10:45  arr 11:20", "1 L £16.50" over "2.5 L £34.00".
 * At least two lines of one frame that fill the same two properties or more by their forms alone; else none.
 */
export const typedRows = ({ reading }: Material, list: List): ReadonlyArray<TypedRow> => {
  const leaves = Array.from(list.leaves.values()).filter(isTyped)
  const told = leaves.filter((leaf) => leaf.type === "number" || leaf.type === "integer" || wantsClock(leaf))
  if (told.length < LEAST_VALUES || !reading.passages.some(({ channel }) => channel === "ocr")) return []
  const byLine = Map.groupBy(entryValues(reading, leaves), ({ passage }) => passage)
  const rows = Array.from(byLine).flatMap(([line, values]) => {
    if (line.channel !== "ocr") return []
    const row = Array.from(mentionsOf(fill(values.filter(({ sure }) => sure), leaves, [])))
    return row.length >= LEAST_VALUES && isRow(line, row) ? [{ line, row }] : []
  })
  const alike = Array.from(Map.groupBy(rows, ({ line, row }) => `${line.source_ref} ${templatesOf(row)}`).values())
    .filter(({ length }) => length >= LEAST_ROWS)
  return alike.toSorted((a, b) => b.length * b[0]!.row.length - a.length * a[0]!.row.length)[0]
    ?.map(({ row }) => row) ?? []
}
