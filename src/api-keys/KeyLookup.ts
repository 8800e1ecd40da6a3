import { Effect, Exit, Request, RequestResolver, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { hashApiKey } from "./ApiKeySecret.ts"

interface KnownKey {
  readonly id: string
  readonly tenant_id: string
  /** Its `last_used_at` is due. */
  readonly stale: boolean
}

class Lookup extends Request.Class<{ readonly hash: Uint8Array }, KnownKey | undefined> {}

const nameOf = (hash: Uint8Array) => Buffer.from(hash).toString("base64")

/** `in turn` is for those who have tried too often: whatever they send, it is 50 statements a second at most. */
export type Pace = "at once" | "in turn"

/** How long those whose turn it is not yet are gathered. */
const turnMillis = 20

/**
 * Looks a secret up among the keys that are not revoked. Requests that come in the same turn of the event loop share one
 * statement, which begins after all of them have come: nothing is kept, so a revoked key is unknown at once. `in turn` they are
 * gathered for longer, and one statement runs at a time. A `SqlError` is a defect, of all that shared the statement.
 */
export const makeKeyLookup = (sql: SqlClient.SqlClient) => {
  const atOnce = RequestResolver.make<Lookup>(Effect.fnUntraced(function*(entries) {
    const hashes = entries.map(({ request }) => request.hash)
    const rows = yield* sql<KnownKey & { readonly secret_sha256: Uint8Array }>`
      SELECT secret_sha256, id, tenant_id, last_used_at IS NULL OR last_used_at < now() - interval '1 minute' AS stale
      FROM footnote.api_keys WHERE secret_sha256 = ANY(${hashes}) AND revoked_at IS NULL`.pipe(Effect.orDie)
    const found = new Map(rows.map((row) => [nameOf(row.secret_sha256), row]))
    for (const entry of entries) entry.completeUnsafe(Exit.succeed(found.get(nameOf(entry.request.hash))))
  }))
  const gate = Semaphore.makeUnsafe(1)
  const inTurn = RequestResolver.make<Lookup>((entries, key) => gate.withPermits(1)(atOnce.runAll(entries, key))).pipe(
    RequestResolver.setDelay(turnMillis)
  )
  return (secret: string, pace: Pace = "at once") =>
    Effect.request(new Lookup({ hash: hashApiKey(secret) }), pace === "at once" ? atOnce : inTurn)
}
