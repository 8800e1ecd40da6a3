import { Schema } from "effect"
import { toInstant } from "../../database/Instant.ts"
import type { BatchRecord } from "./Batch.ts"

/** A batch and how its items stand. */
export const BatchRow = Schema.Struct({
  id: Schema.String,
  size: Schema.Finite,
  created_at: Schema.Date,
  completed_at: Schema.NullOr(Schema.Date),
  queued: Schema.Finite,
  running: Schema.Finite,
  succeeded: Schema.Finite,
  failed: Schema.Finite,
  cancelled: Schema.Finite,
  refused: Schema.Finite
})
export type BatchRow = typeof BatchRow.Type

const counted = (status: string) => `count(*) FILTER (WHERE j.status = '${status}')::int AS ${status}`

/** Of rows of `footnote.batches` as `b`; to be grouped by `b.id` and whatever else is shown of it. */
export const batchColumns = `b.id, b.size, b.created_at, b.completed_at,
  ${["queued", "running", "succeeded", "failed", "cancelled"].map(counted).join(", ")},
  count(*) FILTER (WHERE i.refusal IS NOT NULL)::int AS refused`

/** What `batchColumns` count. */
export const batchItems = `LEFT JOIN footnote.batch_items i ON i.batch_id = b.id
  LEFT JOIN footnote.jobs j ON j.id = i.job_id AND j.tenant_id = i.tenant_id`

export const batchGroup = "b.id, b.size, b.created_at, b.completed_at"

export const toBatch = (row: BatchRow): BatchRecord => {
  const { cancelled, failed, queued, refused, running, succeeded } = row
  const ended = succeeded + failed + cancelled + refused
  return {
    id: row.id,
    status: row.completed_at === null ? "running" : "completed",
    size: row.size,
    counts: { queued, running, succeeded, failed, cancelled, refused },
    progress: { fraction: Math.round((1000 * ended) / row.size) / 1000 },
    created_at: toInstant(row.created_at),
    completed_at: row.completed_at === null ? null : toInstant(row.completed_at)
  }
}
