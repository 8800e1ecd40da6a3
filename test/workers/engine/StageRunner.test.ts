import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { HeldTask } from "../../../src/jobs/engine/Tasks.ts"
import { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { pipeline } from "../../../src/jobs/model/Pipeline.ts"
import { runDelivery, runStage } from "../../../workers/engine/StageRunner.ts"
import { captured } from "../../support/LogLines.ts"
import { imaginedSpec } from "../../support/NoopStages.ts"

const blob = { key: "a", size_bytes: 1, sha256: "0".repeat(64) }
const held = (more: Partial<HeldTask>): HeldTask => ({
  id: "1",
  attempt: 2,
  pool: "speech",
  job_id: "job_1",
  tenant_id: "ten_1",
  request_id: null,
  traceparent: null,
  stage: "transcribe",
  index: 3,
  spec: imaginedSpec(),
  input: { pcm: blob, speech: blob, chunk: 3 },
  ...more
})
const silent = () => Effect.void

describe("runStage", () => {
  it.effect("gives the handler its task, with a place of this attempt's own to write", () =>
    Effect.gen(function*() {
      const answer = yield* runStage({
        transcribe: (task) =>
          Effect.succeed({ words: { ...blob, key: task.blobPrefix }, model_seconds: task.input.chunk, models: [] })
      })(held({}), silent)
      assert.deepStrictEqual(answer, {
        output: { words: { ...blob, key: "jobs/job_1/transcribe/3/2" }, model_seconds: 3, models: [] }
      })
    }))

  it.effect("fails with STAGE_TIMEOUT, for good, and interrupts the handler when its time is over", () =>
    Effect.gen(function*() {
      let stopped = false
      const running = yield* Effect.forkChild(
        Effect.flip(
          runStage({
            transcribe: () =>
              Effect.onInterrupt(Effect.never, () =>
                Effect.sync(() => {
                  stopped = true
                }))
          })(held({}), silent)
        ),
        { startImmediately: true }
      )
      yield* TestClock.adjust(`${pipeline.transcribe.timeout_seconds - 1} seconds`)
      assert.isFalse(stopped)
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Fiber.join(running), { code: "STAGE_TIMEOUT", retryable: false })
      assert.isTrue(stopped)
    }))

  it.effect("fails with STAGE_TIMEOUT also where the handler cannot be stopped, ten seconds later", () =>
    Effect.gen(function*() {
      const running = yield* Effect.forkChild(
        Effect.flip(runStage({ transcribe: () => Effect.uninterruptible(Effect.never) })(held({}), silent)),
        { startImmediately: true }
      )
      yield* TestClock.adjust(`${pipeline.transcribe.timeout_seconds} seconds`)
      assert.isUndefined(running.pollUnsafe())
      yield* TestClock.adjust("10 seconds")
      assert.deepInclude(yield* Fiber.join(running), { code: "STAGE_TIMEOUT", retryable: false })
    }))

  it.effect("has stopped the handler before its own interruption is over", () =>
    Effect.gen(function*() {
      const steps: Array<string> = []
      const begun = yield* Deferred.make<void>()
      const may = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(
        runStage({
          transcribe: () =>
            Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
              Effect.onInterrupt(() =>
                Effect.andThen(Deferred.await(may), Effect.sync(() => void steps.push("stopped")))
              )
            )
        })(held({}), silent)
      )
      yield* Deferred.await(begun)
      const interrupted = yield* Effect.forkChild(
        Effect.tap(Fiber.interrupt(running), () => Effect.sync(() => void steps.push("interrupted"))),
        { startImmediately: true }
      )
      yield* Deferred.succeed(may, undefined)
      yield* Fiber.join(interrupted)
      assert.deepStrictEqual(steps, ["stopped", "interrupted"])
    }))

  it.effect("ends its own interruption ten seconds later where the handler cannot be stopped, and tells of it with its ids", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const begun = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(
        logged(
          runStage({
            transcribe: () => Effect.uninterruptible(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
          })(held({}), silent)
        ),
        { startImmediately: true }
      )
      yield* Deferred.await(begun)
      const interrupted = yield* Effect.forkChild(Fiber.interrupt(running), { startImmediately: true })
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(interrupted.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(interrupted)
      assert.deepStrictEqual(lines.map(({ annotations }) => annotations), [
        { task_id: "1", job_id: "job_1", stage: "transcribe", attempt: "2" }
      ])
    }))

  it.effect("passes a handler's failure on", () =>
    Effect.gen(function*() {
      const failure = new StageFailure({ code: "SOURCE_CORRUPT", message: "No.", retryable: false })
      const failed = yield* Effect.flip(runStage({ transcribe: () => Effect.fail(failure) })(held({}), silent))
      assert.strictEqual(failed, failure)
    }))

  it.effect("fails with INTERNAL where input or output do not fit the stage, or nobody handles it", () =>
    Effect.gen(function*() {
      const misfit = { words: { ...blob, sha256: "none" }, model_seconds: Number.NaN, models: [] }
      const failures = [
        yield* Effect.flip(runStage({ transcribe: () => Effect.succeed(misfit) })(held({}), silent)),
        yield* Effect.flip(runStage({ transcribe: () => Effect.succeed(misfit) })(held({ input: {} }), silent)),
        yield* Effect.flip(runStage({})(held({}), silent))
      ]
      for (const failure of failures) assert.deepInclude(failure, { code: "INTERNAL", retryable: false })
    }))
})

describe("runDelivery", () => {
  it.effect("turns retry_at into another attempt and null into the end", () =>
    Effect.gen(function*() {
      const at = DateTime.toDateUtc(DateTime.makeUnsafe(0))
      const task = held({ stage: "deliver", input: { delivery_id: "dlv_1" } })
      assert.deepStrictEqual(yield* runDelivery(() => Effect.succeed({ retry_at: at }))(task), { retry_at: at })
      assert.deepStrictEqual(yield* runDelivery(() => Effect.succeed({ retry_at: null }))(task), { output: null })
    }))

  it.effect("ends a delivery that hangs after ten minutes, to be tried again", () =>
    Effect.gen(function*() {
      const task = held({ stage: "deliver", input: { delivery_id: "dlv_1" } })
      const running = yield* Effect.forkChild(Effect.flip(runDelivery(() => Effect.never)(task)), {
        startImmediately: true
      })
      yield* TestClock.adjust("599 seconds")
      assert.isUndefined(running.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Fiber.join(running), { code: "STAGE_TIMEOUT", retryable: true })
    }))
})
