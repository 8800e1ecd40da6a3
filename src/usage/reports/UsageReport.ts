import { Schema } from "effect"
import { Seconds } from "../../artifacts/Moment.ts"
import { Instant } from "../../database/Instant.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** How a tenant stands with what it may spend. */
export const Quota = Schema.Struct({
  limit: Schema.NullOr(Schema.Finite).annotate({ description: "For a calendar month in UTC; null is no limit." }),
  used: Schema.Finite.annotate({
    description: "Spent in the present month, by jobs of any outcome, erased ones included."
  }),
  reserved: Schema.Finite.annotate({
    description: "Held back for jobs that are not over, beyond what they have spent."
  }),
  resets_at: Instant
}).annotate({ identifier: "Quota" })

/** What a tenant's jobs took in one calendar month. */
export const UsageReport = Schema.Struct({
  period: Schema.String.annotate({ examples: ["2026-11"] }),
  from: Instant,
  to: Instant.annotate({ description: "The first moment after the period." }),
  jobs: Schema.Struct({
    queued: Count,
    running: Count,
    succeeded: Count,
    failed: Count,
    cancelled: Count
  }).annotate({
    description: "Queued and running ones stand in the present month, the others in the month they ended in."
  }),
  audio_seconds: Seconds,
  video_seconds: Seconds,
  frames_sampled: Count,
  frames_kept: Count,
  model_seconds: Seconds,
  tokens: Count.annotate({ description: "Read and written by models behind an address, in the month it happened." }),
  cost: Schema.Finite,
  quota: Quota
}).annotate({ identifier: "UsageReport" })
export type UsageReport = typeof UsageReport.Type

/** `YYYY-MM` from 2020 to 2199: what PostgreSQL and `Date` both know. */
export const PeriodName = Schema.String.annotate({
  description: "A month as `YYYY-MM`, the present one by default.",
  examples: ["2026-11"]
}).check(
  Schema.isPattern(/^(20[2-9]\d|21\d\d)-(0[1-9]|1[0-2])$/u, { message: "Expected a month such as 2026-11" })
)
