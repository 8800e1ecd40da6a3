import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { TenantId } from "../identity/Id.ts"
import { hashApiKey } from "./ApiKeySecret.ts"
import { makeSecretLookup, type Pace } from "./SecretLookup.ts"

interface KnownKey {
  readonly id: string
  readonly tenant_id: TenantId
  readonly sha256: Uint8Array
  /** Its `last_used_at` is due. */
  readonly stale: boolean
}

/** Looks a key's secret up among those that are not revoked. */
export const makeKeyLookup = (sql: SqlClient.SqlClient) => {
  const lookUp = makeSecretLookup((hashes) =>
    sql<KnownKey>`
      SELECT secret_sha256 AS sha256, id, tenant_id,
        last_used_at IS NULL OR last_used_at < now() - interval '1 minute' AS stale
      FROM footnote.api_keys WHERE secret_sha256 = ANY(${hashes}) AND revoked_at IS NULL`
  )
  return (secret: string, pace?: Pace) => lookUp(hashApiKey(secret), pace)
}

/** Keeps `last_used_at` to the minute. Looked at again under the row's lock: of many requests at once one writes. */
export const touchKey = (
  sql: SqlClient.SqlClient,
  { id, stale }: Pick<KnownKey, "id" | "stale">
): Effect.Effect<void> =>
  stale
    ? Effect.orDie(Effect.asVoid(sql`UPDATE footnote.api_keys SET last_used_at = now() WHERE id = ${id}
        AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`))
    : Effect.void
