import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { rowsOf } from "../../database/Rows.ts"
import { TenantId } from "../../identity/Id.ts"
import { countUnderWay, EndpointRecord, type UnderWay, type WaitingEndpoint } from "./TenantShare.ts"

const InFlightRow = Schema.Struct({ ...EndpointRecord.fields, tenant_id: TenantId, in_flight: Schema.Finite })
const WaitingRow = Schema.Struct({ ...InFlightRow.fields, endpoint: Schema.String, since: Schema.Finite })

/** Looked at in each direction for one freed place, whatever a tenant has waiting; the janitor looks at all once a second. */
const mostAround = 32

interface Shared {
  readonly waiting: ReadonlyArray<WaitingEndpoint>
  readonly under_way: UnderWay
}

/**
 * Which endpoints wait for nothing but room: none whose breaker is open, that asked for rest, that is paced, or whose destination is not
 * active. Goes from endpoint to endpoint over an index: however many deliveries wait for one, it is one step.
 */
export const makeWaitingEndpoints = (sql: SqlClient.SqlClient) => {
  const underWay = (where: Statement.Fragment) =>
    rowsOf(InFlightRow)(
      sql`
      SELECT f.tenant_id, count(*)::int AS in_flight, coalesce(e.failures, 0) AS failures, e.answered_at IS NOT NULL AS answered
      FROM footnote.deliveries f LEFT JOIN footnote.endpoints e ON e.id = f.endpoint
      WHERE f.status = 'delivering' AND ${where} GROUP BY f.tenant_id, e.id`.unprepared
    )

  /** Of the `waiting` endpoints of `found` those that nothing stands in the way of. */
  const unhindered = (found: Statement.Fragment) =>
    rowsOf(WaitingRow)(
      sql`
      WITH RECURSIVE ${found}
      SELECT w.tenant_id, w.endpoint, coalesce(e.failures, 0) AS failures, e.answered_at IS NOT NULL AS answered,
        (SELECT count(*)::int FROM footnote.deliveries f WHERE f.endpoint = w.endpoint AND f.status = 'delivering') AS in_flight,
        extract(epoch FROM greatest(e.used_at, (SELECT d.next_attempt_at FROM footnote.deliveries d
          WHERE d.parked AND d.endpoint = w.endpoint ORDER BY d.id LIMIT 1)))::float8 * 1000 AS since
      FROM waiting w LEFT JOIN footnote.endpoints e ON e.id = w.endpoint
        LEFT JOIN footnote.destinations t ON t.id = w.endpoint
      WHERE (t.id IS NULL OR t.status = 'active' AND t.deleted_at IS NULL)
        AND coalesce(greatest(e.open_until, e.blocked_until, e.paced_until), '-infinity') <= now()`.unprepared
    )

  const first = (where: Statement.Fragment) =>
    sql`(SELECT d.tenant_id, d.endpoint FROM footnote.deliveries d WHERE d.parked AND ${where}
      ORDER BY d.tenant_id, d.endpoint LIMIT 1)`

  const all = sql`waiting AS (
    ${first(sql`true`)}
    UNION ALL
    SELECT n.* FROM waiting w CROSS JOIN LATERAL ${
    first(sql`(d.tenant_id, d.endpoint) > (w.tenant_id, w.endpoint)`)
  } n)`

  /** Up to `mostAround` after an endpoint, in the order of their ids, and as many from the tenant's first on to that one. */
  const near = (tenant_id: TenantId, endpoint: string) => {
    const next = (where: Statement.Fragment) => first(sql`d.tenant_id = ${tenant_id} AND ${where}`)
    return sql`waiting AS (
      SELECT s.*, 1 AS step FROM (
        SELECT n.*, true AS ahead FROM ${next(sql`d.endpoint > ${endpoint}`)} n
        UNION ALL SELECT n.*, false FROM ${next(sql`d.endpoint <= ${endpoint}`)} n) s
      UNION ALL
      SELECT n.*, w.ahead, w.step + 1 FROM waiting w
        CROSS JOIN LATERAL ${next(sql`d.endpoint > w.endpoint AND (w.ahead OR d.endpoint <= ${endpoint})`)} n
      WHERE w.step < ${mostAround})`
  }

  return {
    /** Of every tenant that has any, in two queries. */
    all: Effect.gen(function*() {
      const waiting = yield* unhindered(all)
      if (waiting.length === 0) return []
      const others = Map.groupBy(yield* underWay(sql`true`), ({ tenant_id }) => tenant_id)
      return Array.from(Map.groupBy(waiting, ({ tenant_id }) => tenant_id), ([tenant_id, rows]): Shared => ({
        waiting: rows,
        under_way: countUnderWay(others.get(tenant_id) ?? [])
      }))
    }),
    /** Those of the tenant whose turn comes next after this one's: with more than 64 that wait the turn goes round by their ids. */
    around: Effect.fnUntraced(function*(tenant_id: TenantId, endpoint: string) {
      const waiting = yield* unhindered(near(tenant_id, endpoint))
      if (waiting.length === 0) return undefined
      const shared: Shared = { waiting, under_way: countUnderWay(yield* underWay(sql`f.tenant_id = ${tenant_id}`)) }
      return shared
    })
  }
}
