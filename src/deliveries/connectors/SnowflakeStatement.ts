import type { Schema } from "effect"
import { createHash } from "node:crypto"
import { plain, plainJson } from "../../text/PlainText.ts"
import type { SnowflakeConfig } from "../model/DestinationConfig.ts"
import { valueAt } from "./content/Columns.ts"
import type { DeliveryPayload } from "./content/Connector.ts"
import { jobFacts } from "./content/JobFacts.ts"

/** Only texts are bound; the statement says what they become. */
type Column = readonly [name: string, type: string, value: (payload: DeliveryPayload) => Schema.Json]

/** JSON over this is left out, with its address in the row. */
const mostJson = 1024 * 1024

const quoted = (identifier: string): string => {
  // Checked when the destination was made; a statement is never built of anything else.
  if (!/^[^"\p{Cc}\p{Cs}]{1,255}$/u.test(identifier)) throw new Error("not an identifier")
  return `"${identifier}"`
}

const tableOf = (config: SnowflakeConfig): string =>
  [config.database, config.schema, config.table].map(quoted).join(".")

const columnsOf = (config: SnowflakeConfig): ReadonlyArray<Column> => [
  ["JOB_ID", "TEXT", (payload) => jobFacts(payload).job_id],
  ["DELIVERY_ID", "TEXT", (payload) => jobFacts(payload).delivery_id],
  ["STATUS", "TEXT", (payload) => jobFacts(payload).status],
  ["SOURCE_URI", "TEXT", (payload) => jobFacts(payload).source_uri],
  ["SCHEMA_ID", "TEXT", (payload) => jobFacts(payload).schema_id],
  ["CREATED_AT", "TIMESTAMP_TZ", (payload) => jobFacts(payload).created_at],
  ["FINISHED_AT", "TIMESTAMP_TZ", (payload) => jobFacts(payload).finished_at],
  ["DURATION_S", "FLOAT", (payload) => jobFacts(payload).duration_s],
  ["RESULT", "VARIANT", (payload) => payload.result],
  ["EVIDENCE", "VARIANT", (payload) => payload.evidence as unknown as Schema.Json],
  ["EVIDENCE_COUNT", "NUMBER", (payload) => payload.evidence.length],
  ["EVIDENCE_URL", "TEXT", (payload) => jobFacts(payload).evidence_url],
  ["RESULT_URL", "TEXT", (payload) => jobFacts(payload).result_url],
  ...(config.columns ?? []).map(({ column, path }): Column => [column, "VARIANT", (payload) => valueAt(path, payload)])
]

const placeholder = (type: string) => {
  if (type === "TEXT") return "?"
  return type === "VARIANT" ? "PARSE_JSON(?)" : `?::${type}`
}

const bound = (type: string, value: Schema.Json): string | null => {
  if (value === null) return null
  if (type !== "VARIANT") return plain(String(value))
  const json = JSON.stringify(plainJson(value))
  return Buffer.byteLength(json) <= mostJson ? json : null
}

/** What the SQL API is asked to run. `bindings` count from 1. */
export interface Statement {
  readonly statement: string
  readonly bindings?: Readonly<Record<string, { readonly type: "TEXT"; readonly value: string | null }>>
}

const bind = (values: ReadonlyArray<string | null>): Required<Statement>["bindings"] =>
  Object.fromEntries(values.map((value, at) => [String(at + 1), { type: "TEXT", value }]))

const merge = (config: SnowflakeConfig, rowOf: (selected: string) => string): string => {
  const columns = columnsOf(config)
  const names = columns.map(([name]) => quoted(name))
  const selected = columns.map(([name, type]) => `${placeholder(type)} AS ${quoted(name)}`)
  const updated = names.slice(1).map((name) => `${name} = s.${name}`)
  return `MERGE INTO ${tableOf(config)} AS t USING (${rowOf(`SELECT ${selected.join(", ")}`)}) AS s `
    + `ON t."JOB_ID" = s."JOB_ID" WHEN MATCHED THEN UPDATE SET ${updated.join(", ")} `
    + `WHEN NOT MATCHED THEN INSERT (${names.join(", ")}) VALUES (${names.map((name) => `s.${name}`).join(", ")})`
}

/**
 * The row of a job: written where there is none, brought up to date where there is one, so that running it twice is the same
 * as once. Everything that comes from a video or a caller is a bind; names are checked and quoted.
 */
export const mergeStatement = (config: SnowflakeConfig, payload: DeliveryPayload): Statement => ({
  statement: merge(config, (row) => row),
  bindings: bind(columnsOf(config).map(([, type, value]) => bound(type, value(payload))))
})

/**
 * The same for no row at all: it changes nothing, and Snowflake refuses it wherever it would refuse a delivery, for the
 * database, the schema, the table, a column or a right.
 */
export const rehearsalStatement = (config: SnowflakeConfig): Statement => ({
  statement: merge(config, (row) => `SELECT * FROM (${row}) WHERE FALSE`),
  bindings: bind(columnsOf(config).map(() => null))
})

/** The table that `mergeStatement` fills, for a destination whose table is not there yet. */
export const createStatement = (config: SnowflakeConfig): Statement => ({
  statement: `CREATE TABLE IF NOT EXISTS ${tableOf(config)} (${
    columnsOf(config).map(([name, type]) => `${quoted(name)} ${type}`).join(", ")
  })`
})

/** One row where the schema is there and may be used. */
export const schemaStatement = (config: SnowflakeConfig): Statement => ({
  statement: `SELECT SCHEMA_NAME FROM ${quoted(config.database)}.INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME = ?`,
  bindings: bind([config.schema])
})

/** The names of the columns that the table has. */
export const tableColumnsStatement = (config: SnowflakeConfig): Statement => ({
  statement: `SELECT COLUMN_NAME FROM ${quoted(config.database)}.INFORMATION_SCHEMA.COLUMNS `
    + "WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
  bindings: bind([config.schema, config.table])
})

/** Adds to the table what a row has beyond these columns; undefined where it has all of them. */
export const growStatement = (config: SnowflakeConfig, there: ReadonlySet<string>): Statement | undefined => {
  const missing = columnsOf(config).filter(([name]) => !there.has(name))
  return missing.length === 0 ? undefined : {
    statement: `ALTER TABLE ${tableOf(config)} ADD COLUMN ${
      missing.map(([name, type]) => `${quoted(name)} ${type}`).join(", ")
    }`
  }
}

/** Derived, so that every attempt of a delivery names the same request. Version 5 by layout. */
export const requestId = (delivery_id: string, purpose: string): string => {
  const hex = createHash("sha1").update(`footnote/${delivery_id}/${purpose}`).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
