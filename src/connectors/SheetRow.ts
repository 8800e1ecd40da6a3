import type { Schema } from "effect"
import { createHash } from "node:crypto"
import type { SheetsConfig } from "../destinations/DestinationConfig.ts"
import { valueAt } from "./Columns.ts"
import type { Parcel } from "./Connector.ts"
import { jobFacts } from "./JobFacts.ts"
import { cut, plain, plainJson } from "./PlainText.ts"

/** Google's limit for one cell. */
const mostCell = 50_000
/** Google recommends 2 MB for a request. */
const mostRow = 1_500_000

/** The kinds of values that are never read as a formula, whatever they begin with. */
export interface Cell {
  readonly userEnteredValue?:
    | { readonly stringValue: string }
    | { readonly numberValue: number }
    | { readonly boolValue: boolean }
}

const cell = (value: Schema.Json, longest: number, tooLong: string): Cell => {
  if (value === null) return {}
  if (typeof value === "number") return { userEnteredValue: { numberValue: value } }
  if (typeof value === "boolean") return { userEnteredValue: { boolValue: value } }
  if (typeof value === "string") return { userEnteredValue: { stringValue: cut(plain(value), longest) } }
  const json = JSON.stringify(plainJson(value))
  return { userEnteredValue: { stringValue: json.length <= longest ? json : tooLong } }
}

/** The cells of a delivery's row, left to right. JSON that does not fit into a cell is not cut: a link stands for it. */
export const sheetRow = (columns: SheetsConfig["columns"], parcel: Parcel): ReadonlyArray<Cell> => {
  const values = columns === undefined
    ? Object.values(jobFacts(parcel))
    : columns.map(({ path }) => valueAt(path, parcel))
  const row = (longest: number) => values.map((value) => cell(value, longest, parcel.links.result))
  const whole = row(mostCell)
  return JSON.stringify(whole).length <= mostRow ? whole : row(Math.floor(mostRow / 2 / values.length))
}

/** The mark that a delivery's row is written under: a number in Google's range, and another one for each `salt`. */
export const fenceId = (delivery_id: string, salt: number): number =>
  (createHash("sha256").update(`${delivery_id}/${salt}`).digest().readUInt32BE() & 0x7fffffff) || 1

const fenceKey = "footnote_delivery"

/**
 * One batch, which Google applies as a whole or not at all: the mark of this delivery, refused where it is there already,
 * its row, and the end of marks that are needed no more.
 */
export const appendBatch = (options: {
  readonly sheetId: number
  readonly metadataId: number
  readonly delivery_id: string
  readonly cells: ReadonlyArray<Cell>
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
    {
      appendCells: {
        sheetId: options.sheetId,
        fields: "userEnteredValue",
        rows: [{ values: options.cells }]
      }
    },
    ...options.settled.map((metadataValue) => ({
      deleteDeveloperMetadata: {
        dataFilter: { developerMetadataLookup: { metadataKey: fenceKey, metadataValue } }
      }
    }))
  ]
})
