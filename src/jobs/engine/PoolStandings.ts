import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks, waitForLock } from "../../database/AdvisoryLocks.ts"
import { rowsOf } from "../../database/Rows.ts"
import { TenantId } from "../../identity/Id.ts"
import { type Pool, pools } from "../../processes/Pools.ts"
import type { PoolStanding } from "../../queue/LastSlot.ts"

const HeldCount = Schema.Struct({
  tenant_id: TenantId,
  tasks: Schema.Finite
})

const Workers = Schema.Struct({
  workers: Schema.Finite,
  slots: Schema.NullOr(Schema.Finite)
})

/**
 * How a pool stands, counted from rows within the caller's transaction. Where several workers serve it they claim one at a
 * time, until the transaction ends: two that count at the same moment would both give away the last slot but one. `waited`
 * says that this one had to.
 */
export const standingOf = Effect.fnUntraced(
  function*(
    sql: SqlClient,
    pool: Pool
  ): Effect.fn.Return<PoolStanding & { readonly waited: boolean }, SqlError> {
    const [live] = yield* rowsOf(Workers)(
      sql`
      SELECT count(*)::int AS workers,
        CASE WHEN bool_and(slots ? ${pool}) THEN sum((slots->>${pool})::int)::int END AS slots
      FROM footnote.workers WHERE seen_at > now() - interval '30 seconds' AND pools ? ${pool}`.unprepared
    )
    const { slots, workers } = live!
    if (slots === null || slots < 2) return { slots, held: new Map(), waited: false }
    const waited = workers > 1
      && (yield* waitForLock(sql, advisoryLocks.poolStandings, sql`${pools.indexOf(pool)}`))
    const held = yield* rowsOf(HeldCount)(
      sql`
      SELECT j.tenant_id, count(*)::int AS tasks FROM footnote.tasks t JOIN footnote.jobs j ON j.id = t.job_id
      WHERE t.worker IS NOT NULL AND t.pool = ${pool} GROUP BY j.tenant_id`.unprepared
    )
    return { slots, held: new Map(held.map(({ tasks, tenant_id }) => [tenant_id, tasks])), waited }
  }
)
