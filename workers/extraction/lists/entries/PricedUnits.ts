import { mentionAt } from "../../candidates/Mention.ts"
import { identifierWords } from "../../text/Tokens.ts"
import type { Shape } from "./Entry.ts"
import type { Row } from "./EntryRows.ts"

/** Texts that say of how much something is the price. */
const UNIT = /^(?:(?:price )?(?:unit|per)|(?:sold|priced) (?:by|per)|unit of sale|pack(?: size)?|portion)$/u
/** "£2 bunch", "£2.50 each", "€3.20 / kg", "£2.10 half dozen". */
const BEHIND = /^\s*(?:[|·]\s*)?(?:\/\s*|per\s+|an?\s+)?(\p{L}[\p{L}\p{N}]*(?: [\p{L}\p{N}]+){0,2})\s*$/iu
/** "Eggs, dozen", "Carrots per kg". */
const IN_NAME = /^(.*\p{L}.*?)(?:,\s+(?:per\s+)?|\s+(?:per|by the)\s+)(\p{L}[\p{L}\p{N}]*(?: [\p{L}\p{N}]+)?)$/iu

const LEAST_ROWS = 2

/** A row with the unit of its price, from behind that or the end of its name; undefined where neither says one. */
const withUnit = (row: Row, leaf: Shape["anchor"]): Row | undefined => {
  if (row.values.has(leaf)) return undefined
  const prices = Array.from(row.values.values()).filter(({ span, value }) =>
    typeof value === "number" && span.passage === row.line
  )
  const end = Math.max(0, ...prices.map(({ span }) => span.to))
  const behind = end === 0 ? undefined : BEHIND.exec(row.line.text.slice(end))?.[1]
  const after = behind === undefined ? undefined : mentionAt(row.line, row.line.text.lastIndexOf(behind), behind)
  if (after !== undefined) return { ...row, values: new Map([...row.values, [leaf, after]]) }
  const { span } = row.name
  const [, bare, unit] = IN_NAME.exec(String(row.name.value)) ?? []
  if (bare === undefined || unit === undefined) return undefined
  const name = mentionAt(span.passage, span.from, bare)
  const within = mentionAt(span.passage, span.to - unit.length, unit)
  return name === undefined || within === undefined
    ? undefined
    : { ...row, name, values: new Map([...row.values, [leaf, within]]) }
}

/**
 * Rows with what their price is for, where entries have a text for it: "Rainbow chard £2 bunch", "Eggs, dozen  3.10". Unchanged where fewer
 * than two rows of the list say it so.
 */
export const withPricedUnits = (rows: ReadonlyArray<Row>, { texts }: Shape): ReadonlyArray<Row> => {
  const leaf = texts.find(({ name }) => UNIT.test(identifierWords(name).join(" ")))
  if (leaf === undefined) return rows
  const told = rows.map((row) => withUnit(row, leaf))
  return told.filter((row) => row !== undefined).length < LEAST_ROWS ? rows : told.map((row, at) => row ?? rows[at]!)
}
