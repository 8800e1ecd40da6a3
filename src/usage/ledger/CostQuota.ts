import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../database/Rows.ts"
import { ApiError } from "../../errors/ApiError.ts"
import { type TenantId } from "../../identity/Id.ts"
import { type Period, periodAt } from "./Period.ts"

const StandingRow = Schema.Struct({
  quota: Schema.NullOr(Schema.Finite),
  used: Schema.Finite,
  reserved: Schema.Finite
})
const ExpectedRow = Schema.Struct({
  seen: Schema.NullOr(Schema.Finite),
  ceiling: Schema.NullOr(Schema.Finite)
})

export class CostQuotaExceeded extends ApiError<CostQuotaExceeded>()("COST_QUOTA_EXCEEDED") {}

/** How a tenant stands: all sums are counted from rows, none is kept. */
export interface QuotaState {
  /** Null is no limit. */
  readonly quota: number | null
  readonly used: number
  /** Held back for jobs that are not terminal, beyond what they have spent. */
  readonly reserved: number
  readonly period: Period
}

export interface ExpectedCost {
  /** The most that one of the tenant's last paid jobs on this stack cost; where there is none, the ceiling. */
  readonly cost: number
  /** What a job may cost at most; null where no model with a price has been seen. */
  readonly ceiling: number | null
}

/** Whether a job that is expected to cost this much may come in. */
const admits = ({ quota, reserved, used }: Omit<QuotaState, "period">, cost: number): boolean =>
  quota === null || (used + reserved < quota && used + reserved + cost <= quota)

/** How many of a tenant's last jobs say what the next one costs: of 21 alike, one costs more than the 20 before. */
const lastJobs = 20

/**
 * What a tenant may spend in a calendar month. A job is admitted where what was spent, what other jobs hold back and what it
 * is expected to cost fit the quota; it holds that back until it is terminal, so that many jobs at once cannot all
 * count on the same rest. A job that costs more than was expected is finished, and the next one is refused.
 */
export class CostQuota extends Context.Service<CostQuota, {
  /** What a new job has to hold back. The caller's transaction has locked the tenant's row. */
  readonly reserve: (
    tenant_id: TenantId,
    quota: number | null,
    model_stack: string
  ) => Effect.Effect<number, CostQuotaExceeded | SqlError>
  readonly state: (tenant_id: TenantId) => Effect.Effect<QuotaState, SqlError>
  readonly expected: (tenant_id: TenantId, model_stack: string) => Effect.Effect<ExpectedCost, SqlError>
  readonly admits: (state: QuotaState, cost: number) => boolean
}>()("footnote/usage/ledger/CostQuota") {
  static readonly layer = Layer.effect(CostQuota, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const state = Effect.fnUntraced(function*(tenant_id: TenantId) {
    const period = periodAt(yield* Clock.currentTimeMillis)
    const [row] = yield* rowsOf(StandingRow)(sql`
      SELECT t.cost_quota AS quota,
        (SELECT coalesce(sum(cost), 0) FROM footnote.charges
          WHERE tenant_id = t.id AND at >= ${period.from} AND at < ${period.to}) AS used,
        (SELECT coalesce(sum(greatest(j.cost_reserved - (
            SELECT coalesce(sum(cost), 0) FROM footnote.charges c WHERE c.job_id = j.id), 0)), 0)
          FROM footnote.jobs j WHERE j.tenant_id = t.id AND j.status IN ('queued', 'running')) AS reserved
      FROM footnote.tenants t WHERE t.id = ${tenant_id}`)
    return { ...row!, period } satisfies QuotaState
  })

  // Of jobs with a cost: one on the tenant's own model has tokens and costs 0, and said of the next that it holds back nothing (50 of
  // 50 came in at a quota of 5 where each could cost 2). A tenant whose own model is set holds back as any other, since the model
  // is chosen when a job is extracted: whoever took it out again before would have all that waits run on the deployment's for nothing.
  const expected = Effect.fnUntraced(function*(tenant_id: TenantId, model_stack: string) {
    const [row] = yield* rowsOf(ExpectedRow)(sql`
      SELECT (SELECT max(cost) FROM (
          SELECT cost FROM (
            SELECT cost, spec->>'model_stack' AS stack FROM footnote.jobs
            WHERE tenant_id = ${tenant_id} AND finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 200) recent
          WHERE stack = ${model_stack} AND cost > 0 LIMIT ${lastJobs}) last) AS seen,
        (SELECT max(job_tokens * greatest(input_price, output_price) / 1e6) FROM footnote.model_prices
          WHERE seen_at > now() - interval '1 day') AS ceiling`)
    const { ceiling, seen } = row!
    return { cost: Math.min(seen ?? ceiling ?? 0, ceiling ?? Infinity), ceiling } satisfies ExpectedCost
  })

  return CostQuota.of({
    state,
    expected,
    admits,
    reserve: Effect.fnUntraced(function*(tenant_id, quota, model_stack) {
      if (quota === null) return 0
      const standing = yield* state(tenant_id)
      const { cost } = yield* expected(tenant_id, model_stack)
      return admits(standing, cost) ? cost : yield* new CostQuotaExceeded({ message: refusal(standing, cost) })
    })
  })
})

/** Money without the noise of binary fractions. */
const amount = (value: number): string => String(Math.round(value * 1e6) / 1e6)

const refusal = ({ period, quota, reserved, used }: QuotaState, cost: number): string => {
  const held = reserved > 0 ? ` and ${amount(reserved)} is held back for jobs that are not over yet` : ""
  const wanted = used + reserved >= quota! ? "" : `; this job may cost ${amount(cost)}`
  return `Of the cost quota of ${amount(quota!)} for ${period.name}, ${amount(used)} is used${held}${wanted}. `
    + `It resets at ${period.to.toISOString()}.`
}
