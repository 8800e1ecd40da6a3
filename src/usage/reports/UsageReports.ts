import { Clock, Context, Effect, Layer, Schema } from "effect"
import { toInstant } from "../../database/Instant.ts"
import { rowsOf } from "../../database/Rows.ts"
import { TenantSql } from "../../database/TenantSql.ts"
import { CurrentTenant } from "../../identity/CurrentTenant.ts"
import { CostQuota, type QuotaState } from "../ledger/CostQuota.ts"
import { periodAt, periodNamed } from "../ledger/Period.ts"
import type { UsageReport } from "./UsageReport.ts"

const SpentRow = Schema.Struct({
  tokens: Schema.Finite,
  cost: Schema.Finite
})

const JobSums = Schema.Struct({
  queued: Schema.Int,
  running: Schema.Int,
  succeeded: Schema.Int,
  failed: Schema.Int,
  cancelled: Schema.Int,
  audio_seconds: Schema.Finite,
  video_seconds: Schema.Finite,
  frames_sampled: Schema.Finite,
  frames_kept: Schema.Finite,
  model_seconds: Schema.Finite
})

/** Sums of binary fractions, without the noise of their last digits. */
const rounded = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places

/** The quota as callers see it. */
export const quotaView = ({ period, quota, reserved, used }: QuotaState): UsageReport["quota"] => ({
  limit: quota,
  used: rounded(used, 6),
  reserved: rounded(reserved, 6),
  resets_at: toInstant(period.to)
})

/** What the current tenant's jobs took, counted from the jobs and the ledger each time. */
export class UsageReports extends Context.Service<UsageReports, {
  /** A month by its name (`PeriodName`), the present one by default. */
  readonly read: (period?: string) => Effect.Effect<UsageReport, never, CurrentTenant>
}>()("footnote/usage/reports/UsageReports") {
  static readonly layer = Layer.effect(
    UsageReports,
    Effect.gen(function*() {
      const { inTenant, sql } = yield* TenantSql
      const quota = yield* CostQuota

      return UsageReports.of({
        read: Effect.fn("UsageReports.read")(function*(name) {
          const { tenant_id } = yield* CurrentTenant
          const present = periodAt(yield* Clock.currentTimeMillis)
          const { from, name: period, to } = name === undefined ? present : periodNamed(name)
          const counted = period === present.name
            ? sql`(finished_at IS NULL OR (finished_at >= ${from} AND finished_at < ${to}))`
            : sql`finished_at >= ${from} AND finished_at < ${to}`
          const { jobs, spent } = yield* inTenant(tenant_id)(Effect.gen(function*() {
            const [jobs] = yield* rowsOf(JobSums)(sql`
              SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
                count(*) FILTER (WHERE status = 'running')::int AS running,
                count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
                count(*) FILTER (WHERE status = 'failed')::int AS failed,
                count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
                coalesce(sum(audio_seconds), 0) AS audio_seconds, coalesce(sum(video_seconds), 0) AS video_seconds,
                coalesce(sum(frames_sampled), 0)::float8 AS frames_sampled,
                coalesce(sum(frames_kept), 0)::float8 AS frames_kept, coalesce(sum(model_seconds), 0) AS model_seconds
              FROM footnote.jobs WHERE tenant_id = ${tenant_id} AND ${counted}`)
            const [spent] = yield* rowsOf(SpentRow)(sql`
              SELECT coalesce(sum(tokens), 0)::float8 AS tokens, coalesce(sum(cost), 0) AS cost
              FROM footnote.charges WHERE tenant_id = ${tenant_id} AND at >= ${from} AND at < ${to}`)
            return { jobs: jobs!, spent: spent! }
          }))
          const { audio_seconds, frames_kept, frames_sampled, model_seconds, video_seconds, ...byStatus } = jobs
          return {
            period,
            from: toInstant(from),
            to: toInstant(to),
            jobs: byStatus,
            audio_seconds: rounded(audio_seconds, 3),
            video_seconds: rounded(video_seconds, 3),
            frames_sampled,
            frames_kept,
            model_seconds: rounded(model_seconds, 3),
            tokens: spent.tokens,
            cost: rounded(spent.cost, 6),
            quota: quotaView(yield* Effect.orDie(quota.state(tenant_id)))
          }
        })
      })
    })
  ).pipe(Layer.provide(CostQuota.layer))
}
