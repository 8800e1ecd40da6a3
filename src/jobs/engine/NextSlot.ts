import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../../database/Rows.ts"
import { JobId, type TenantId } from "../../identity/Id.ts"
import { JobEvents } from "./JobEvents.ts"

const StandingRow = Schema.Struct({
  id: JobId,
  elapsed: Schema.NullOr(Schema.Finite),
  typical: Schema.NullOr(Schema.Finite)
})

/** How a job stands: seconds since it began (null before that), the share that is done, and what such jobs take. */
interface Standing {
  readonly elapsed: number | null
  readonly fraction: number
  readonly typical: number | null
}

/** Below this share what is left cannot be told from it. */
const leastFraction = 0.05
const unknownSeconds = 5
const mostSeconds = 3600

/** Seconds until a job ends, by its own pace, else by what the tenant's jobs take; undefined where neither is known. */
const secondsLeft = ({ elapsed, fraction, typical }: Standing): number | undefined => {
  if (elapsed !== null && fraction >= leastFraction) return elapsed * (1 - fraction) / fraction
  return typical === null ? undefined : Math.max(typical - (elapsed ?? 0), 1)
}

/** `Retry-After` in whole seconds for a tenant whose slots are taken: when the first of these jobs will have ended. */
export const secondsUntilFree = (jobs: ReadonlyArray<Standing>): number => {
  const known = jobs.flatMap((job) => secondsLeft(job) ?? [])
  return known.length === 0 ? unknownSeconds : Math.min(Math.max(Math.ceil(Math.min(...known)), 1), mostSeconds)
}

/** The same for the tenant's active jobs as they stand. */
export const nextSlotSeconds = Effect.fnUntraced(function*(tenant_id: TenantId) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* JobEvents
  const rows = yield* rowsOf(StandingRow)(sql`
    SELECT id, extract(epoch FROM now() - started_at)::float8 AS elapsed,
      (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - started_at)) FROM (
        SELECT started_at, finished_at FROM footnote.jobs
        WHERE tenant_id = ${tenant_id} AND status = 'succeeded' ORDER BY finished_at DESC LIMIT 20) last) AS typical
    FROM footnote.jobs WHERE tenant_id = ${tenant_id} AND status IN ('queued', 'running')`)
  const progress = yield* events.progress(rows.map(({ id }) => id))
  return secondsUntilFree(
    rows.map(({ elapsed, id, typical }) => ({ elapsed, typical, fraction: progress.get(id)?.fraction ?? 0 }))
  )
})
