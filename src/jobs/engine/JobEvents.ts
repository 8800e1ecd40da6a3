import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../database/Rows.ts"
import type { JobId } from "../../identity/Id.ts"
import { Signals } from "../../queue/Signals.ts"
import { type JobEvent, type JobProgress, JobStatus } from "../model/Job.ts"
import { progressOf, StageRow, stageRowsOf } from "../model/Progress.ts"

const ProgressRow = Schema.Struct({
  id: Schema.String,
  stages: Schema.Array(StageRow)
})
const StatusRow = Schema.Struct({
  id: Schema.String,
  status: JobStatus
})

/** What happened to jobs, in order, for the event stream. */
export class JobEvents extends Context.Service<JobEvents, {
  /** Writes one event per job with its present state, `progress` only where it moved. The caller holds the row locks. */
  readonly append: (job_ids: ReadonlyArray<JobId>, type: JobEvent["type"]) => Effect.Effect<void, SqlError>
  /** The present progress by job id. */
  readonly progress: (job_ids: ReadonlyArray<JobId>) => Effect.Effect<ReadonlyMap<string, JobProgress>, SqlError>
}>()("footnote/jobs/engine/JobEvents") {
  static readonly layer = Layer.effect(
    JobEvents,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const signals = yield* Signals

      const progress = Effect.fnUntraced(function*(job_ids: ReadonlyArray<JobId>) {
        const rows = yield* rowsOf(ProgressRow)(sql`
          SELECT id, ${sql.literal(stageRowsOf("x.id"))} AS stages FROM unnest(${job_ids}::text[]) x(id)`)
        return new Map(rows.map(({ id, stages }) => [id, progressOf(stages)]))
      })

      const append = Effect.fnUntraced(function*(job_ids: ReadonlyArray<JobId>, type: JobEvent["type"]) {
        if (job_ids.length === 0) return
        const jobs = yield* rowsOf(StatusRow)(
          sql`
          SELECT id, status FROM footnote.jobs WHERE id IN ${sql.in(job_ids)}`.unprepared
        )
        const known = yield* progress(job_ids)
        const events = jobs.map(({ id, status }) => ({
          job_id: id,
          type,
          data: { status, progress: known.get(id)! }
        }))
        yield* sql`INSERT INTO footnote.job_events (job_id, seq, type, data)
          SELECT x.job_id, 1 + coalesce((SELECT max(seq) FROM footnote.job_events e WHERE e.job_id = x.job_id), 0), x.type, x.data
          FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) x(job_id text, type text, data jsonb)
          WHERE x.type <> 'progress' OR x.data IS DISTINCT FROM (
            SELECT e.data FROM footnote.job_events e WHERE e.job_id = x.job_id ORDER BY seq DESC LIMIT 1)`.unprepared
        yield* Effect.forEach(job_ids, signals.changed, { discard: true })
      })

      return JobEvents.of({ append, progress })
    })
  )
}
