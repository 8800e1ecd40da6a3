import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { cpus } from "node:os"
import { advisoryLocks, waitForLock } from "../../database/AdvisoryLocks.ts"
import { rowsOf } from "../../database/Rows.ts"
import { TenantId } from "../../identity/Id.ts"
import { Pool } from "../../processes/Pools.ts"
import { sinceBoot } from "../../processes/SinceBoot.ts"
import { type Demand, type MachineStanding, mostTasks } from "../../queue/ProcessorShares.ts"

/** Their tasks compute; those of the others mostly wait for somebody else's server. */
export const computing: ReadonlyArray<Pool> = ["media", "speech", "vision", "extraction"]

/** Lines are fair: whoever waits in one is among the first of it. */
const headOfLine = 32

/**
 * So long after its last task a tenant counts as one that wants a processor. Its next job is often a moment away, and whoever has a
 * thousand tasks in line would take all processors in between: the deceptive idleness of Iyer and Druschel (Anticipatory scheduling,
 * SOSP 2001).
 */
const rememberedMillis = 2000

const DemandRow = Schema.Struct({
  tenant_id: TenantId,
  weight: Schema.Finite,
  held: Schema.Finite,
  waiting: Schema.Finite,
  jobs: Schema.Finite,
  waiting_in: Schema.NullOr(Schema.Array(Pool)),
  machine: Schema.String,
  processors: Schema.Finite
})

/** One worker process's view of its machine. */
export const makeMachineStandings = (sql: SqlClient) => {
  const seen = new Map<TenantId, { readonly weight: number; readonly until: number }>()
  let leftOut = new Map<TenantId, ReadonlyArray<Pool>>()

  const look = (worker: number) =>
    rowsOf(DemandRow)(
      sql`
      WITH here AS (
        SELECT no, pools, machine, processors FROM footnote.workers
        WHERE machine = (SELECT machine FROM footnote.workers WHERE no = ${worker})
          AND seen_at > now() - interval '30 seconds'),
      open AS (
        SELECT t.job_id, 1 AS held, t.pool FROM footnote.tasks t
        WHERE t.worker IN (SELECT no FROM here) AND t.pool IN ${sql.in(computing)}
        UNION ALL
        SELECT line.job_id, 0, served.pool FROM (SELECT DISTINCT jsonb_array_elements_text(pools) AS pool FROM here) served,
          LATERAL (SELECT t.job_id FROM footnote.tasks t
            WHERE t.pool = served.pool AND NOT t.done AND t.worker IS NULL AND NOT t.delayed
            ORDER BY t.tag LIMIT ${headOfLine}) line
        WHERE served.pool IN ${sql.in(computing)})
      SELECT j.tenant_id, t.weight, sum(open.held)::int AS held, (count(*) - sum(open.held))::int AS waiting,
        count(DISTINCT open.job_id)::int AS jobs,
        array_agg(DISTINCT open.pool) FILTER (WHERE open.held = 0) AS waiting_in,
        (SELECT machine FROM here LIMIT 1) AS machine, (SELECT sum(processors) FROM here)::int AS processors
      FROM open JOIN footnote.jobs j ON j.id = open.job_id JOIN footnote.tenants t ON t.id = j.tenant_id
      GROUP BY j.tenant_id, t.weight`.unprepared
    )

  /** Those that want something now, and those that did a moment ago. */
  const demandsOf = Effect.fnUntraced(function*(rows: ReadonlyArray<typeof DemandRow.Type>) {
    const now = yield* sinceBoot
    const demands = new Map<TenantId, Demand>()
    for (const [tenant, { until, weight }] of seen) {
      if (now < until) demands.set(tenant, { held: 0, waiting: 1, weight, jobs: 1 })
      else seen.delete(tenant)
    }
    for (const { held, jobs, tenant_id, waiting, weight } of rows) {
      demands.set(tenant_id, { held, jobs, waiting, weight })
      seen.set(tenant_id, { weight, until: now + rememberedMillis })
    }
    return demands
  })

  return {
    /** Who wants the worker's machine; nobody where its workers do not tell what machine they are on. */
    look,
    /**
     * How the worker's machine stands, by that look at it and within the caller's transaction; undefined where nobody wants it. Where
     * several tenants do, its workers claim one at a time until the transaction ends, and it is looked at again: two that count at the
     * same moment would both give a tenant its last processor. `waited` says that this one had to.
     */
    standingOn: Effect.fnUntraced(function*(
      worker: number,
      looked: ReadonlyArray<typeof DemandRow.Type>
    ): Effect.fn.Return<MachineStanding & { readonly waited: boolean } | undefined, SqlError> {
      let rows = looked
      let waited = false
      const [first] = rows
      if (first === undefined) return undefined
      if ((yield* demandsOf(rows)).size > 1) {
        waited = yield* waitForLock(sql, advisoryLocks.machineStandings, sql`hashtext(${first.machine})`)
        rows = yield* look(worker)
      }
      const standing = { processors: Math.min(first.processors, cpus().length), demands: yield* demandsOf(rows) }
      const most = mostTasks(standing)
      leftOut = new Map(
        rows.filter(({ held, tenant_id }) => held >= most.get(tenant_id)!)
          .map(({ tenant_id, waiting_in }) => [tenant_id, waiting_in ?? []])
      )
      return { ...standing, waited }
    }),
    /**
     * Where tasks wait that this process left alone when it last looked, since their tenant had its share; they are whoever's who
     * asks once one of the tenant's ends.
     */
    poolsWaitingFor: (tenant_id: TenantId): ReadonlyArray<Pool> => leftOut.get(tenant_id) ?? []
  }
}
