import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../database/Rows.ts"
import { lifetimeMillis } from "../../idempotency/IdempotencyKey.ts"
import { JobId, type TenantId } from "../../identity/Id.ts"

const KeyRow = Schema.Struct({
  same: Schema.Boolean,
  job_id: JobId,
  gone: Schema.Boolean,
  created_at: Schema.Date
})

/** What a key says about a request: nothing yet, the job it made, a different body, or a job that is gone. */
export type Reservation =
  | { readonly kind: "fresh" }
  | { readonly kind: "replay"; readonly job_id: JobId }
  | { readonly kind: "conflict" }
  | { readonly kind: "orphaned" }

export interface IdempotencyKey {
  readonly key: string
  /** Over the RFC 8785 form of the request's body. */
  readonly body_sha256: Uint8Array
  /**
   * The caller's key without its operation, as versions up to 0.1.0 kept those of retries and extractions too. What such a
   * row holds is this operation's exactly where the bodies are one: a request that was sent to the version before makes nothing twice.
   */
  readonly bare_key?: string | undefined
}

/**
 * One job per key and tenant within 24 hours. Both methods run inside the creating transaction, after it has locked the
 * tenant's row: of two first uses at the same moment the second one waits and sees the first one's job. `look` may be asked
 * before, without the lock: what it says then is true or, where it is `fresh`, is asked again. A replay tells the job as it is
 * now, so no answer is kept; what other operations make has `KeyedRequests`.
 */
export class IdempotencyKeys extends Context.Service<IdempotencyKeys, {
  /** An orphaned key is forgotten here, so that the next try with it is a first use; the caller must commit. */
  readonly look: (tenant_id: TenantId, idempotency: IdempotencyKey) => Effect.Effect<Reservation, SqlError>
  readonly reserve: (
    tenant_id: TenantId,
    idempotency: IdempotencyKey,
    job_id: JobId
  ) => Effect.Effect<void, SqlError>
}>()("footnote/jobs/engine/IdempotencyKeys") {
  static readonly layer = Layer.effect(
    IdempotencyKeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lookAt = Effect.fnUntraced(function*(
        tenant_id: TenantId,
        key: string,
        body_sha256: Uint8Array
      ): Effect.fn.Return<Reservation, SqlError> {
        const [row] = yield* rowsOf(KeyRow)(sql`
          SELECT k.body_sha256 = ${body_sha256} AS same, k.job_id, k.created_at, j.id IS NULL AS gone
          FROM footnote.idempotency_keys k
          LEFT JOIN footnote.jobs j ON j.id = k.job_id AND j.tenant_id = k.tenant_id AND j.deleted_at IS NULL
          WHERE k.tenant_id = ${tenant_id} AND k.key = ${key}`)
        if (row === undefined) return { kind: "fresh" }
        if (row.created_at.getTime() + lifetimeMillis <= (yield* Clock.currentTimeMillis)) return { kind: "fresh" }
        if (!row.same) return { kind: "conflict" }
        if (!row.gone) return { kind: "replay", job_id: row.job_id }
        // One request is told; whoever saw the same orphan meanwhile finds it gone, and a healed key is not taken for it.
        const told = yield* sql`DELETE FROM footnote.idempotency_keys
          WHERE tenant_id = ${tenant_id} AND key = ${key} AND job_id = ${row.job_id} RETURNING key`
        return { kind: told.length > 0 ? "orphaned" : "fresh" }
      })

      return IdempotencyKeys.of({
        look: Effect.fnUntraced(function*(tenant_id, { bare_key, body_sha256, key }) {
          const found = yield* lookAt(tenant_id, key, body_sha256)
          if (found.kind !== "fresh" || bare_key === undefined) return found
          const earlier = yield* lookAt(tenant_id, bare_key, body_sha256)
          return earlier.kind === "conflict" ? found : earlier
        }),
        reserve: Effect.fnUntraced(function*(tenant_id, { body_sha256, key }, job_id) {
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          yield* sql`INSERT INTO footnote.idempotency_keys ${
            sql.insert({ tenant_id, key, body_sha256, job_id, created_at })
          } ON CONFLICT (tenant_id, key) DO UPDATE
            SET body_sha256 = excluded.body_sha256, job_id = excluded.job_id, created_at = excluded.created_at`
        })
      })
    })
  )
}
