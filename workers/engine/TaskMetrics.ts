import { Clock, Effect, Exit, Metric } from "effect"
import type { HeldTask } from "../../src/jobs/engine/Tasks.ts"
import type { ServiceFault, StageFailure } from "../../src/jobs/model/JobFailure.ts"
import type { TaskAnswer } from "./Stage.ts"

const seconds = Metric.histogram("footnote_task_seconds", {
  description: "Time that a worker spent on one task of a stage, by stage.",
  boundaries: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800]
})
const tasks = Metric.counter("footnote_tasks_total", {
  description: "Tasks that a worker has ended with, by stage and outcome.",
  incremental: true
})

const pauses = Metric.counter("footnote_task_pauses_total", {
  description: "Tasks that were put off for a fault of the service itself, by stage and fault.",
  incremental: true
})

/** Counts a task that is put off. */
export const countPause = (stage: string, fault: ServiceFault) =>
  Metric.update(Metric.withAttributes(pauses, { stage, fault }), 1)

/** `interrupted`: the job was cancelled, the lease was lost, or the worker ends. */
const outcomeOf = (exit: Exit.Exit<TaskAnswer, StageFailure>): string =>
  Exit.match(exit, {
    onSuccess: (answer) => "retry_at" in answer ? "rescheduled" : "done",
    onFailure: (cause) => {
      const failure = cause.reasons.find((reason) => reason._tag === "Fail")?.error
      if (failure?.fault !== undefined) return "paused"
      if (failure !== undefined) return failure.retryable ? "failed_retryable" : "failed"
      return Exit.hasInterrupts(exit) ? "interrupted" : "died"
    }
  })

/** Counts and times what a handler makes of a task. */
export const measured =
  (task: HeldTask) =>
  <R>(work: Effect.Effect<TaskAnswer, StageFailure, R>): Effect.Effect<TaskAnswer, StageFailure, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (began) =>
      Effect.onExit(
        work,
        Effect.fnUntraced(function*(exit) {
          const elapsed = (yield* Clock.currentTimeMillis) - began
          const labels = { stage: task.stage }
          yield* Metric.update(Metric.withAttributes(seconds, labels), elapsed / 1000)
          yield* Metric.update(Metric.withAttributes(tasks, { ...labels, outcome: outcomeOf(exit) }), 1)
        })
      ))
