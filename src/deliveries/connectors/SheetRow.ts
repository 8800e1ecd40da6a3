import type { Schema } from "effect"
import { createHash } from "node:crypto"
import { isOfCalendar } from "../../database/Instant.ts"
import { cut, plain, plainJson } from "../../text/PlainText.ts"
import type { SheetsConfig } from "../model/DestinationConfig.ts"
import { valueAt } from "./content/Columns.ts"
import type { DeliveryPayload } from "./content/Connector.ts"
import { jobFacts } from "./content/JobFacts.ts"
import { evidenceText, quoteLine, spansAt } from "./content/SpokenMoment.ts"

/** Google's limit for one cell. */
const mostCell = 50_000
/** Google recommends 2 MB for a request. */
const mostRow = 1_500_000
/** A note is read by hovering over its cell. */
const mostNoteLines = 5

/** The kinds of values that are never read as a formula, whatever they begin with. */
interface Cell {
  readonly userEnteredValue?:
    | { readonly stringValue: string }
    | { readonly numberValue: number }
    | { readonly boolValue: boolean }
  readonly userEnteredFormat?: {
    readonly numberFormat: { readonly type: "DATE" | "DATE_TIME"; readonly pattern: string }
  }
  readonly note?: string
}

const dayMillis = 24 * 3600 * 1000
/** Sheets counts days from here; before 1900 it counts otherwise than the calendar. */
const firstDay = Date.UTC(1899, 11, 30)

/** A date, or a moment in UTC, as Sheets keeps it; undefined for every other text, and for days that no calendar has. */
const dateCell = (text: string): Cell | undefined => {
  const [, day, time] =
    /^((?:19|[2-9]\d)\d{2}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u
      .exec(text) ?? []
  if (day === undefined) return undefined
  if (!isOfCalendar(day)) return undefined
  const at = Date.parse(time === undefined ? `${day}T00:00:00Z` : text)
  if (Number.isNaN(at)) return undefined
  return {
    userEnteredValue: { numberValue: (at - firstDay) / dayMillis },
    userEnteredFormat: {
      numberFormat: time === undefined
        ? { type: "DATE", pattern: "yyyy-mm-dd" }
        : { type: "DATE_TIME", pattern: "yyyy-mm-dd hh:mm:ss" }
    }
  }
}

const cell = (value: Schema.Json, longest: number, tooLong: string): Cell => {
  if (value === null) return {}
  if (typeof value === "number") return { userEnteredValue: { numberValue: value } }
  if (typeof value === "boolean") return { userEnteredValue: { boolValue: value } }
  if (typeof value === "string") {
    return dateCell(value) ?? { userEnteredValue: { stringValue: cut(plain(value), longest) } }
  }
  const json = JSON.stringify(plainJson(value))
  return { userEnteredValue: { stringValue: json.length <= longest ? json : tooLong } }
}

/** The words and seconds of a value, as a note to its cell. */
const noteOf = (path: string, payload: DeliveryPayload): Pick<Cell, "note"> => {
  const spans = path.startsWith("/") ? spansAt(payload.evidence, path) : []
  if (spans.length === 0) return {}
  const left = spans.length - mostNoteLines
  const lines = spans.slice(0, mostNoteLines).map((span) => quoteLine(span))
  return { note: [...lines, ...(left > 0 ? [`… ${left} more`] : [])].join("\n") }
}

interface Column {
  readonly name: string
  readonly value: Schema.Json
  readonly note: Pick<Cell, "note">
}

const columnsOf = (config: SheetsConfig["columns"], payload: DeliveryPayload): ReadonlyArray<Column> =>
  config === undefined
    ? [
      ...Object.entries(jobFacts(payload)),
      ["page_url", payload.links.page] as const,
      ["evidence", evidenceText(payload.evidence, mostCell)] as const
    ].map(([name, value]) => ({ name, value, note: {} }))
    : config.map(({ column, path }) => ({ name: column, value: valueAt(path, payload), note: noteOf(path, payload) }))

const alike = (name: string): string => name.normalize("NFKC").trim().toLowerCase()

/** Where each column stands in the sheet, and the names that its first row lacks. */
interface Layout {
  readonly at: ReadonlyArray<number>
  /** Written into the first row from this place on; empty where nothing is to be written. */
  readonly added: ReadonlyArray<string>
  readonly added_at: number
}

/**
 * The place of each column by what the sheet's first row says now: people move columns. An empty first row becomes the header;
 * names that a header lacks are added at its end. A first row that knows none of the names is no header of ours: it stays
 * as it is, and cells are put from left to right.
 */
const layoutOf = (names: ReadonlyArray<string>, firstRow: ReadonlyArray<string>): Layout => {
  const places = new Map<string, Array<number>>()
  for (const [at, title] of firstRow.entries()) {
    if (title.trim() !== "") places.set(alike(title), [...(places.get(alike(title)) ?? []), at])
  }
  const isHeader = names.some((name) => places.has(alike(name)))
  if (places.size > 0 && !isHeader) return { at: names.map((_, at) => at), added: [], added_at: 0 }
  const added: Array<string> = []
  const at = names.map((name) => places.get(alike(name))?.shift() ?? firstRow.length + added.push(plain(name)) - 1)
  return { at, added, added_at: firstRow.length }
}

const texts = (names: ReadonlyArray<string>): ReadonlyArray<Cell> =>
  names.map((name) => ({ userEnteredValue: { stringValue: name } }))

/** A delivery's row, each value under its name, and what the header lacks. */
export interface SheetRow {
  readonly cells: ReadonlyArray<Cell>
  readonly header: { readonly at: number; readonly cells: ReadonlyArray<Cell> } | undefined
}

/** JSON that does not fit into a cell is not cut: a link stands for it. */
export const sheetRow = (
  config: SheetsConfig["columns"],
  payload: DeliveryPayload,
  firstRow: ReadonlyArray<string>
): SheetRow => {
  const columns = columnsOf(config, payload)
  const { added, added_at, at } = layoutOf(columns.map(({ name }) => name), firstRow)
  const row = (longest: number) => {
    const cells: Array<Cell> = Array.from({ length: Math.max(0, ...at) + 1 }, () => ({}))
    for (const [number, { note, value }] of columns.entries()) {
      cells[at[number]!] = { ...cell(value, longest, payload.links.page), ...note }
    }
    return cells
  }
  const whole = row(mostCell)
  const cells = JSON.stringify(whole).length <= mostRow ? whole : row(Math.floor(mostRow / 2 / columns.length))
  return { cells, header: added.length === 0 ? undefined : { at: added_at, cells: texts(added) } }
}

/** The mark that a delivery's row is written under: a number in Google's range, and another one for each `salt`. */
export const fenceId = (delivery_id: string, salt: number): number =>
  (createHash("sha256").update(`${delivery_id}/${salt}`).digest().readUInt32BE() & 0x7fffffff) || 1

const fenceKey = "footnote_delivery"

/**
 * One batch, which Google applies as a whole or not at all: the mark of this delivery, refused where it is there already,
 * what the header lacks, its row, and the end of marks that are needed no more.
 */
export const appendBatch = (options: {
  readonly sheetId: number
  /** How many columns the sheet has: a new one has 26, and nothing can be written beyond them. */
  readonly columns: number
  readonly metadataId: number
  readonly delivery_id: string
  readonly row: SheetRow
  readonly settled: ReadonlyArray<string>
}) => ({
  requests: [
    {
      createDeveloperMetadata: {
        developerMetadata: {
          metadataId: options.metadataId,
          metadataKey: fenceKey,
          metadataValue: options.delivery_id,
          location: { sheetId: options.sheetId },
          visibility: "DOCUMENT"
        }
      }
    },
    ...columnRequests(options.sheetId, options.row.cells.length - options.columns),
    ...headerRequests(options.sheetId, options.row),
    {
      appendCells: {
        sheetId: options.sheetId,
        fields: "userEnteredValue,userEnteredFormat.numberFormat,note",
        rows: [{ values: options.row.cells }]
      }
    },
    ...options.settled.map((metadataValue) => ({
      deleteDeveloperMetadata: {
        dataFilter: { developerMetadataLookup: { metadataKey: fenceKey, metadataValue } }
      }
    }))
  ]
})

const columnRequests = (sheetId: number, length: number) =>
  length <= 0 ? [] : [{ appendDimension: { sheetId, dimension: "COLUMNS", length } }]

const headerRequests = (sheetId: number, { header }: SheetRow) =>
  header === undefined ? [] : [
    {
      updateCells: {
        start: { sheetId, rowIndex: 0, columnIndex: header.at },
        fields: "userEnteredValue",
        rows: [{ values: header.cells }]
      }
    }
  ]
