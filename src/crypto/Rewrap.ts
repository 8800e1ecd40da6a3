import { PgClient } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import { type SealedColumn, sealedColumns } from "./SealedColumns.ts"
import { Sealing } from "./Sealing.ts"

export interface KeyUse {
  readonly table: string
  readonly field: string
  /** Null where the value was sealed before keys had ids. */
  readonly key_id: string | null
  readonly values: number
}

const names = (sql: PgClient.PgClient, { field, row_id, table, tenant_id }: SealedColumn) => ({
  id: sql.literal(row_id),
  tenant: sql.literal(tenant_id),
  table: sql.literal(`footnote.${table}`),
  field: sql.literal(field),
  keyId: sql.literal(`${field}_key_id`)
})

/** How many values each key has sealed, column by column. */
export const keyUses = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const uses = yield* Effect.forEach(sealedColumns, (column) => {
    const { field, keyId, table } = names(sql, column)
    return sql<{ readonly key_id: string | null; readonly values: number }>`
      SELECT ${keyId} AS key_id, count(*)::int AS values FROM ${table} WHERE ${field} IS NOT NULL GROUP BY 1 ORDER BY 1`
      .pipe(Effect.map((rows) => rows.map((row): KeyUse => ({ table: column.table, field: column.field, ...row }))))
  })
  return uses.flat()
})

interface Rewrapped {
  readonly rewrapped: number
  /** Values that no key of the ring opens; they stay as they are. */
  readonly unopened: number
}

interface Row {
  readonly id: string
  readonly tenant_id: string
  readonly sealed: Uint8Array
}

/** How many rows one transaction takes: short enough that a delivery waiting for one of them does not notice. */
const batch = 500

/**
 * Brings every sealed value under the active key, in small transactions while the service runs; the encrypted bytes are not
 * touched. Whatever ends it, each value is under the old key or the new one, and the next run goes on. `progress` is told
 * after each batch. Rows that somebody else holds are left to the end and then waited for.
 */
export const rewrap = Effect.fn("Rewrap.rewrap")(function*(progress: (rewrapped: number) => Effect.Effect<void>) {
  const sql = yield* PgClient.PgClient
  const sealing = yield* Sealing
  let rewrapped = 0

  const some = Effect.fnUntraced(function*(column: SealedColumn, after: string, wait: boolean) {
    const { field, id, keyId, table, tenant } = names(sql, column)
    const rows = yield* sql<Row>`
      SELECT ${id} AS id, ${tenant} AS tenant_id, ${field} AS sealed FROM ${table}
      WHERE ${field} IS NOT NULL AND ${keyId} IS DISTINCT FROM ${sealing.active_key_id} AND ${id} > ${after}
      ORDER BY ${id} LIMIT ${batch} FOR NO KEY UPDATE ${sql.literal(wait ? "" : "SKIP LOCKED")}`
    const changed: Array<{ readonly id: string; readonly sealed: string }> = []
    for (const { id: row_id, sealed, tenant_id } of rows) {
      const moved = yield* Effect.result(
        sealing.rewrap(sealed, { tenant_id, table: column.table, row_id, field: column.field, key: column.key })
      )
      if (Result.isSuccess(moved)) changed.push({ id: row_id, sealed: Buffer.from(moved.success).toString("base64") })
    }
    if (changed.length > 0) {
      yield* sql`UPDATE ${table} t SET ${field} = decode(x.sealed, 'base64')
        FROM json_to_recordset(${JSON.stringify(changed)}::json) x(id text, sealed text) WHERE t.${id} = x.id`
    }
    rewrapped += changed.length
    return { last: rows.length < batch ? undefined : rows.at(-1)!.id, unopened: rows.length - changed.length }
  })

  const pass = Effect.fnUntraced(function*(column: SealedColumn, wait: boolean) {
    let unopened = 0
    for (let after: string | undefined = ""; after !== undefined;) {
      const done: { readonly last: string | undefined; readonly unopened: number } = yield* sql.withTransaction(
        some(column, after, wait)
      )
      unopened += done.unopened
      after = done.last
      yield* progress(rewrapped)
    }
    return unopened
  })

  let unopened = 0
  for (const column of sealedColumns) {
    yield* pass(column, false)
    unopened += yield* pass(column, true)
  }
  return { rewrapped, unopened } satisfies Rewrapped
})
