import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Metric } from "effect"
import { TestClock } from "effect/testing"
import type { HeldTask } from "../../../src/jobs/engine/Tasks.ts"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { measured } from "../../../workers/engine/TaskMetrics.ts"
import { imaginedSpec } from "../../support/NoopStages.ts"

const task: HeldTask = {
  id: "1",
  attempt: 0,
  pool: "media",
  job_id: "job_1",
  tenant_id: "ten_1",
  request_id: null,
  traceparent: null,
  stage: "probe",
  index: 0,
  spec: imaginedSpec(),
  input: {}
}

const retry_at = new Date(0)
const failing = (retryable: boolean) => new StageFailure({ code: "INTERNAL", message: "Imagined.", retryable })

it.effect("counts every task once, by what came of it, and times it", () =>
  Effect.gen(function*() {
    const work = measured(task)
    yield* work(Effect.delay(Effect.succeed({ output: 1 }), "7 seconds")).pipe(
      Effect.forkChild,
      Effect.tap(() => TestClock.adjust("7 seconds")),
      Effect.flatMap(Fiber.join)
    )
    yield* work(Effect.succeed({ retry_at }))
    yield* Effect.exit(work(failing(true)))
    yield* Effect.exit(work(failing(false)))
    yield* Effect.exit(work(Effect.die(new Error("broken"))))
    const running = yield* Effect.forkChild(work(Effect.never), { startImmediately: true })
    yield* Fiber.interrupt(running)
    const seen = (yield* Metric.snapshot).filter(({ attributes }) => attributes?.["stage"] === "probe")
    const counted = seen.filter(({ id }) => id === "footnote_tasks_total")
    assert.deepStrictEqual(
      Object.fromEntries(
        counted.map(({ attributes, state }) => [attributes?.["outcome"], (state as { count: number }).count])
      ),
      { done: 1, rescheduled: 1, failed_retryable: 1, failed: 1, died: 1, interrupted: 1 }
    )
    const timed = seen.find(({ id }) => id === "footnote_task_seconds")?.state as {
      readonly count: number
      readonly max: number
    }
    assert.strictEqual(timed.count, 6)
    assert.strictEqual(timed.max, 7)
    // Counts of its own: those of the process hold what other tests did.
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
