import type { Schema } from "effect"
import { createHash } from "node:crypto"
import type { SnowflakeConfig } from "../destinations/DestinationConfig.ts"
import { valueAt } from "./Columns.ts"
import type { Parcel } from "./Connector.ts"
import { jobFacts } from "./JobFacts.ts"
import { plain, plainJson } from "./PlainText.ts"

/** Only texts are bound; the statement says what they become. */
type Column = readonly [name: string, type: string, value: Schema.Json]

/** JSON over this is left out, with its address in the row. */
const mostJson = 1024 * 1024

const quoted = (identifier: string): string => {
  // Checked when the destination was made; a statement is never built of anything else.
  if (!/^[A-Za-z_][A-Za-z0-9_$]{0,254}$/u.test(identifier)) throw new Error("not an identifier")
  return `"${identifier}"`
}

const tableOf = (config: SnowflakeConfig): string =>
  [config.database, config.schema, config.table].map(quoted).join(".")

const columnsOf = (config: SnowflakeConfig, parcel: Parcel): ReadonlyArray<Column> => {
  const facts = jobFacts(parcel)
  return [
    ["JOB_ID", "TEXT", facts.job_id],
    ["DELIVERY_ID", "TEXT", facts.delivery_id],
    ["STATUS", "TEXT", facts.status],
    ["SOURCE_URI", "TEXT", facts.source_uri],
    ["SCHEMA_ID", "TEXT", facts.schema_id],
    ["CREATED_AT", "TIMESTAMP_TZ", facts.created_at],
    ["FINISHED_AT", "TIMESTAMP_TZ", facts.finished_at],
    ["DURATION_S", "FLOAT", facts.duration_s],
    ["RESULT", "VARIANT", facts.result],
    ["EVIDENCE", "VARIANT", parcel.evidence as unknown as Schema.Json],
    ["EVIDENCE_COUNT", "NUMBER", facts.evidence_count],
    ["EVIDENCE_URL", "TEXT", facts.evidence_url],
    ["RESULT_URL", "TEXT", facts.result_url],
    ...(config.columns ?? []).map(({ column, path }) => [column, "VARIANT", valueAt(path, parcel)] as const)
  ]
}

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

/**
 * The row of a job: written where there is none, brought up to date where there is one, so that running it twice is the same
 * as once. Everything that comes from a video or a caller is a bind; names are checked and quoted.
 */
export const mergeStatement = (config: SnowflakeConfig, parcel: Parcel): Statement => {
  const columns = columnsOf(config, parcel)
  const names = columns.map(([name]) => quoted(name))
  const selected = columns.map(([name, type]) => `${placeholder(type)} AS ${quoted(name)}`)
  const updated = names.slice(1).map((name) => `${name} = s.${name}`)
  return {
    statement: `MERGE INTO ${tableOf(config)} AS t USING (SELECT ${selected.join(", ")}) AS s `
      + `ON t."JOB_ID" = s."JOB_ID" WHEN MATCHED THEN UPDATE SET ${updated.join(", ")} `
      + `WHEN NOT MATCHED THEN INSERT (${names.join(", ")}) VALUES (${names.map((name) => `s.${name}`).join(", ")})`,
    bindings: Object.fromEntries(
      columns.map(([, type, value], at) => [String(at + 1), { type: "TEXT", value: bound(type, value) }])
    )
  }
}

/** The table that `mergeStatement` fills, for a destination whose table is not there yet. */
export const createStatement = (config: SnowflakeConfig, parcel: Parcel): Statement => ({
  statement: `CREATE TABLE IF NOT EXISTS ${tableOf(config)} (${
    columnsOf(config, parcel).map(([name, type]) => `${quoted(name)} ${type}`).join(", ")
  })`
})

/** Derived, so that every attempt of a delivery names the same request. Version 5 by layout. */
export const requestId = (delivery_id: string, purpose: string): string => {
  const hex = createHash("sha1").update(`footnote/${delivery_id}/${purpose}`).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
