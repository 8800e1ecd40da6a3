import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../../database/AdvisoryLocks.ts"
import { rowsOf } from "../../database/Rows.ts"
import { ApiError } from "../../errors/ApiError.ts"
import { type TenantId } from "../../identity/Id.ts"
import { intFrom } from "../../observability/Configuration.ts"
import { bytes } from "../../observability/Setting.ts"

const StorageRow = Schema.Struct({
  quota: Schema.Finite,
  used: Schema.Finite
})

export class StorageQuotaExceeded extends ApiError<StorageQuotaExceeded>()("STORAGE_QUOTA_EXCEEDED") {}

/** `STORAGE_QUOTA_BYTES`: what a tenant keeps at most where its row says nothing else; 0 is no limit. */
export const storageQuotaBytes = intFrom(
  "STORAGE_QUOTA_BYTES",
  0,
  100 * 1024 ** 3,
  "what a tenant's uploads and jobs may keep; 0 is no limit. A tenant's own: `npm run tenants -- limits set`",
  bytes
)

/** What a tenant keeps, counted from rows, and what it may keep at most; null is no limit. */
export interface StorageState {
  readonly quota: number | null
  readonly used: number
}

/**
 * How a tenant stands, in the caller's transaction. An upload counts as long as its bytes are kept, one that has begun with the length that
 * was announced; a job with what it has fetched and decoded, once it is over with what is left of it.
 */
export const storageState = (
  sql: SqlClient.SqlClient,
  tenant_id: TenantId,
  otherwise: number
): Effect.Effect<StorageState, SqlError> =>
  rowsOf(StorageRow)(sql`
    SELECT coalesce(t.storage_quota, ${otherwise})::float8 AS quota, (
      (SELECT coalesce(sum(size_bytes), 0) FROM footnote.uploads WHERE tenant_id = ${tenant_id})
      + (SELECT coalesce(sum(length_bytes), 0) FROM footnote.incoming_uploads WHERE tenant_id = ${tenant_id})
      + (SELECT coalesce(sum(stored_bytes), 0) FROM footnote.jobs
        WHERE tenant_id = ${tenant_id} AND stored_bytes > 0 AND deleted_at IS NULL))::float8 AS used
    FROM footnote.tenants t WHERE t.id = ${tenant_id}`).pipe(
    Effect.map(([row]) => ({ quota: row!.quota === 0 ? null : row!.quota, used: row!.used }))
  )

/** How many more bytes fit. */
export const roomOf = ({ quota, used }: StorageState): number => quota === null ? Infinity : Math.max(0, quota - used)

/** Why it is refused, and what helps. */
export const storageRefusal = ({ quota, used }: StorageState): string =>
  `The tenant keeps ${used} bytes and may keep ${quota}. Delete uploads or finished jobs to make room; uploads go by themselves `
  + "after 7 days, unfinished ones after 24 hours."

/**
 * Fails with `STORAGE_QUOTA_EXCEEDED` where so many more bytes do not fit. Until the transaction ends no other of the tenant is
 * let in, so that two cannot both take the last room.
 */
export const requireRoom = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  tenant_id: TenantId,
  otherwise: number,
  bytes: number
): Effect.fn.Return<void, StorageQuotaExceeded | SqlError> {
  yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.storageQuota}, hashtext(${tenant_id}))`
  const state = yield* storageState(sql, tenant_id, otherwise)
  if (roomOf(state) < bytes) return yield* new StorageQuotaExceeded({ message: storageRefusal(state) })
})

/** How a tenant stands, for workers before they write; no limit where there is no database to ask. */
export const TenantStorage = Context.Reference<(tenant_id: TenantId) => Effect.Effect<StorageState, SqlError>>(
  "footnote/usage/ledger/StorageQuota/TenantStorage",
  { defaultValue: () => () => Effect.succeed({ quota: null, used: 0 }) }
)

export const layerTenantStorage = Layer.effect(
  TenantStorage,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const otherwise = yield* storageQuotaBytes
    return (tenant_id: TenantId) => storageState(sql, tenant_id, otherwise)
  })
)
