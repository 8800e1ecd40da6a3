import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../database/Rows.ts"
import type { JobId } from "../../identity/Id.ts"
import { Signals } from "../../queue/Signals.ts"
import { type RenderInput, type RenderOutput, renderSeconds } from "../model/Rendition.ts"
import { FairRelease } from "./FairRelease.ts"
import { EndedJob } from "./JobHooks.ts"

const LineRow = Schema.Struct({ waiting: Schema.Finite, turn: Schema.Finite })

interface RenderTask {
  readonly job_id: JobId
  readonly index: number
  readonly input: unknown
}

/** Where what is asked for stands: it waits for its task or has been made already, there is no such job any more, or too much waits. */
type Requested = "requested" | "gone" | "busy"

/**
 * Tasks that make something of a finished job's source for people to look at. They change nothing of the job; what they leave is in
 * `footnote.renditions`. Every method joins the surrounding transaction or is one.
 */
export class RenderTasks extends Context.Service<RenderTasks, {
  /** Puts a task in line unless the same has been made or is waiting; one that failed is tried again. At most so many wait for a tenant. */
  readonly request: (job_id: string, input: RenderInput, most_waiting: number) => Effect.Effect<Requested, SqlError>
  readonly settled: (task: RenderTask, output: RenderOutput) => Effect.Effect<void, SqlError>
  /** Its task cannot be brought to an end; `why` is in words for people. */
  readonly failed: (task: RenderTask, why: string) => Effect.Effect<void, SqlError>
  /** What was made under this key is no more, and can be asked for anew. */
  readonly forget: (key: string) => Effect.Effect<void, SqlError>
}>()("footnote/jobs/engine/RenderTasks") {
  static readonly layer = Layer.effect(RenderTasks, Effect.suspend(() => make))
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const signals = yield* Signals
  const { release } = yield* FairRelease

  const request = Effect.fnUntraced(
    function*(job_id: string, input: RenderInput, most_waiting: number): Effect.fn.Return<Requested, SqlError> {
      const [job] = yield* rowsOf(EndedJob)(
        sql`
        SELECT j.id, j.tenant_id, t.weight FROM footnote.jobs j JOIN footnote.tenants t ON t.id = j.tenant_id
        WHERE j.id = ${job_id} AND j.status = 'succeeded' AND j.deleted_at IS NULL FOR NO KEY UPDATE OF j`.unprepared
      )
      if (job === undefined) return "gone"
      const [known] = yield* sql`SELECT FROM footnote.renditions
        WHERE job_id = ${job_id} AND name = ${input.name} AND status <> 'failed'`.unprepared
      if (known !== undefined) return "requested"
      const [line] = yield* rowsOf(LineRow)(
        sql`
        SELECT count(*)::int AS waiting, nextval('footnote.rendition_task_no')::int AS turn FROM footnote.renditions
        WHERE tenant_id = ${job.tenant_id} AND status = 'waiting'`.unprepared
      )
      const { turn, waiting } = line!
      if (waiting >= most_waiting) return "busy"
      yield* sql`INSERT INTO footnote.renditions (tenant_id, job_id, name, turn)
        VALUES (${job.tenant_id}, ${job_id}, ${input.name}, ${turn})
        ON CONFLICT (job_id, name) DO UPDATE
        SET turn = ${turn}, status = 'waiting', error = NULL, created_at = now(), finished_at = NULL`.unprepared
      yield* release({
        job,
        stage: "render",
        pool: "media",
        timeout_seconds: renderSeconds[input.kind],
        from: turn,
        inputs: [input]
      })
      return "requested"
    }
  )

  return RenderTasks.of({
    request: (job_id, input, most_waiting) => sql.withTransaction(request(job_id, input, most_waiting)),

    forget: (key) => Effect.asVoid(sql`DELETE FROM footnote.renditions WHERE key = ${key}`.unprepared),

    settled: Effect.fnUntraced(function*({ index, input, job_id }, { blob, content_type }) {
      const { name } = input as RenderInput
      const made = yield* sql`
        UPDATE footnote.renditions SET status = 'ready', key = ${blob.key}, size_bytes = ${blob.size_bytes},
          sha256 = ${blob.sha256}, content_type = ${content_type}, finished_at = now()
        WHERE job_id = ${job_id} AND name = ${name} AND turn = ${index} AND status = 'waiting' RETURNING name`
        .unprepared
      if (made.length === 0) return
      yield* sql`UPDATE footnote.jobs SET stored_bytes = stored_bytes + ${blob.size_bytes} WHERE id = ${job_id}`
        .unprepared
      yield* signals.changed(job_id)
    }),

    failed: Effect.fnUntraced(function*({ index, input, job_id }, why) {
      const { name } = input as RenderInput
      yield* sql`UPDATE footnote.tasks SET done = true, worker = NULL
        WHERE job_id = ${job_id} AND stage = 'render' AND idx = ${index}`.unprepared
      yield* sql`UPDATE footnote.renditions SET status = 'failed', error = ${why}, finished_at = now()
        WHERE job_id = ${job_id} AND name = ${name} AND turn = ${index} AND status = 'waiting'`.unprepared
      yield* signals.changed(job_id)
    })
  })
})
