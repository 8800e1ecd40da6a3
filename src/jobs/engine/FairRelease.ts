import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import { rowsOf } from "../../database/Rows.ts"
import { type JobId, type TenantId } from "../../identity/Id.ts"
import type { Pool } from "../../processes/Pools.ts"
import { Queue } from "../../queue/Queue.ts"
import { Signals } from "../../queue/Signals.ts"
import { stageNames } from "../model/Pipeline.ts"
import { EngineOptions } from "./EngineOptions.ts"

const TagRow = Schema.Struct({
  start: Schema.Finite
})

/** Two are no stages of the pipeline: `deliver` tells the outside world of a job that is over, `render` shows what it was made of. */
export const TaskStage = Schema.Literals([...stageNames, "deliver", "render"])
export type TaskStage = typeof TaskStage.Type

export interface NewTasks {
  readonly job: { readonly id: JobId; readonly tenant_id: TenantId; readonly weight: number }
  readonly stage: TaskStage
  readonly pool: Pool
  readonly timeout_seconds: number
  /** Number of the first task within its stage. */
  readonly from: number
  readonly inputs: ReadonlyArray<unknown>
  readonly start_after?: Date | undefined
}

/** Derived, so that releasing a task a second time is the same task. Version 5 by layout. */
const taskId = (job_id: JobId, stage: TaskStage, index: number): string => {
  const hex = createHash("sha1").update(`footnote/${job_id}/${stage}/${index}`).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What a transaction puts in line once all else of it is done. */
const Held = Context.Reference<Array<NewTasks> | undefined>("footnote/jobs/engine/FairRelease/Held", {
  defaultValue: () => undefined
})

const byLine = (a: NewTasks, b: NewTasks) => {
  const [left, right] = [a, b].map(({ job, pool, stage }) => `${pool} ${job.tenant_id} ${job.id} ${stage}`) as [
    string,
    string
  ]
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * Puts tasks in line, fairly between tenants: start-time fair queueing (Goyal, Vin and Cheng, 1996). A tenant's tasks are
 * tagged from the later of the line's head and its own last tag, 1/weight apart, and the tag is the queue's priority: two
 * tenants with work share the workers by weight, however much either has waiting.
 */
export class FairRelease extends Context.Service<FairRelease, {
  readonly release: (tasks: NewTasks) => Effect.Effect<void, SqlError>
  /**
   * Work of one transaction, whose tasks are put in line at its end, line by line in one order for all transactions. Each locks the
   * tenant's place in the line until its commit: in the order of their jobs, two transactions waited for each other 29 times over
   * 700 jobs, a second each.
   */
  readonly inOrder: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
}>()("footnote/jobs/engine/FairRelease") {
  static readonly layer = Layer.effect(
    FairRelease,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Queue
      const signals = yield* Signals
      const options = yield* EngineOptions

      /** Takes a stretch of tags for the tenant and gives its beginning. */
      const takeTags = (pool: Pool, tenant_id: TenantId, length: number) =>
        // Where nobody waits, service stands at the pool's largest tag. Without this clause a tenant with a past got 0 of
        // 1,093 slots beside a fresh one; with it 556 : 555.
        rowsOf(TagRow)(
          sql`
          WITH v AS (SELECT coalesce(
            (SELECT tag FROM footnote.tasks WHERE pool = ${pool} AND NOT done AND worker IS NULL AND NOT delayed ORDER BY tag LIMIT 1),
            (SELECT max(finish) FROM footnote.fair_shares WHERE pool = ${pool}), 0) AS v)
          INSERT INTO footnote.fair_shares VALUES (${pool}, ${tenant_id}, (SELECT v FROM v) + ${length}::float8)
          ON CONFLICT (pool, tenant_id) DO UPDATE
            SET finish = greatest(fair_shares.finish, (SELECT v FROM v)) + ${length}::float8
          RETURNING finish - ${length}::float8 AS start`.unprepared
        )

      const put = Effect.fnUntraced(function*(tasks: NewTasks) {
        const { from, inputs, job, pool, stage, start_after, timeout_seconds } = tasks
        if (inputs.length === 0) return
        const [tags] = yield* takeTags(pool, job.tenant_id, inputs.length / job.weight)
        const rows = inputs.map((input, at) => ({
          id: taskId(job.id, stage, from + at),
          idx: from + at,
          tag: tags!.start + (at + 1) / job.weight,
          input
        }))
        yield* sql`INSERT INTO footnote.tasks (id, job_id, stage, idx, pool, tag, input, delayed, due_at)
          SELECT x.id, ${job.id}, ${stage}, x.idx, ${pool}, x.tag, x.input, ${start_after !== undefined},
            ${start_after ?? null}
          FROM json_to_recordset(${JSON.stringify(rows)}::json) x(id uuid, idx int, tag float8, input json)
          ON CONFLICT DO NOTHING`.unprepared
        yield* queue.add(
          pool,
          rows.map((row) => ({
            id: row.id,
            priority: -Math.ceil(row.tag),
            tenant_id: job.tenant_id,
            // The holder gives up first; this ends the lease of one that hangs.
            expire_seconds: timeout_seconds + 60,
            start_after,
            retry_delay_seconds: options.retry_delay_seconds
          }))
        )
        yield* signals.tasks(pool)
      })

      return FairRelease.of({
        release: (tasks) =>
          Effect.flatMap(Held, (held) => held === undefined ? put(tasks) : Effect.sync(() => void held.push(tasks))),
        inOrder: (work) =>
          Effect.suspend(() => {
            const held: Array<NewTasks> = []
            return work.pipe(
              Effect.provideService(Held, held),
              Effect.tap(() => Effect.forEach(held.toSorted(byLine), put, { discard: true }))
            )
          })
      })
    })
  )
}
