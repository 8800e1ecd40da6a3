import { Effect, Metric, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { isDatabaseAway } from "../../src/database/DatabaseAway.ts"
import type { HeldTask, SettledTask, Tasks } from "../../src/jobs/engine/Tasks.ts"
import { StageFailure } from "../../src/jobs/model/JobFailure.ts"
import { tolerated } from "../../src/observability/Tolerated.ts"
import type { Pool } from "../../src/processes/Pools.ts"
import { endRecordRetries, settlementRetries } from "../../src/retries/RetryPolicy.ts"

const unsettled = Metric.counter("footnote_tasks_unsettled_total", {
  description: "Tasks that failed because what they had made could not be recorded, by stage.",
  incremental: true
})

/** What a line of the log about a task names it by. */
export const idsOf = ({ attempt, id, job_id, stage }: HeldTask) => ({
  task_id: id,
  job_id,
  stage,
  attempt: String(attempt)
})

/** What is true of a task has to reach the database, within 10 s; where it does not, the lease's end says the same, only later. */
export const untilWritten = <E>(task: HeldTask, write: Effect.Effect<void, E>) =>
  write.pipe(
    Effect.sandbox,
    Effect.retry({ times: endRecordRetries.times, schedule: Schedule.spaced(`${endRecordRetries.every_ms} millis`) }),
    tolerated("Recording how a task has ended", "its lease ends, and another attempt begins", idsOf(task))
  )

/**
 * Records what tasks have made. While the database is away it waits. One that cannot be recorded for a reason of its own is tried
 * alone and beside the lane, which goes on; after a few tries its task fails for good, and with it its job. `done` is told of each
 * task that is off the lane's hands.
 */
export const makeSettle = (
  tasks: Pick<Tasks["Service"], "settle" | "fail">,
  pool: Pool,
  done: (settled: ReadonlyArray<SettledTask>) => Effect.Effect<void>
) => {
  const away = tolerated("Recording what tasks have made", "tried again until the database is back", { pool })
  const whileAway = (settled: ReadonlyArray<SettledTask>): Effect.Effect<void, SqlError> =>
    tasks.settle(pool, settled).pipe(
      Effect.catchCause((cause) =>
        isDatabaseAway(cause)
          ? Effect.failCause(cause).pipe(
            away,
            Effect.andThen(Effect.delay(whileAway(settled), `${settlementRetries.away_every_ms} millis`))
          )
          : Effect.failCause(cause)
      )
    )

  const alone = (one: SettledTask) =>
    whileAway([one]).pipe(
      Effect.sandbox,
      Effect.retry({
        times: settlementRetries.times,
        schedule: Schedule.exponential(`${settlementRetries.first_ms} millis`)
      }),
      Effect.catch((cause) =>
        Effect.gen(function*() {
          const { task } = one
          yield* Metric.update(Metric.withAttributes(unsettled, { stage: task.stage }), 1)
          yield* Effect.logError("What a task has made cannot be recorded; the task fails for good", cause).pipe(
            Effect.annotateLogs(idsOf(task))
          )
          const message = "What the stage has made could not be recorded."
          yield* untilWritten(task, tasks.fail(task, new StageFailure({ code: "INTERNAL", message, retryable: false })))
        })
      ),
      Effect.andThen(Effect.suspend(() => done([one])))
    )

  return Effect.fnUntraced(function*(settled: ReadonlyArray<SettledTask>) {
    yield* whileAway(settled).pipe(
      Effect.andThen(done(settled)),
      Effect.catchCause(() =>
        Effect.forEach(settled, (one) =>
          whileAway([one]).pipe(
            Effect.andThen(done([one])),
            Effect.catchCause(() => Effect.forkScoped(alone(one)))
          ), { discard: true })
      )
    )
  })
}
