import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Tracer } from "effect"
import { type HeldTask, Tasks } from "../../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { runWorker } from "../../../workers/engine/Worker.ts"
import { noopOutput } from "../../support/NoopStages.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"

/** Told when a worker looked whether anything waits. */
const looking = (looked: Deferred.Deferred<void>) =>
  Layer.effect(
    Tasks,
    Effect.map(Tasks, (tasks) =>
      Tasks.of({
        ...tasks,
        isWaiting: (pool) => Effect.tap(tasks.isWaiting(pool), Deferred.succeed(looked, undefined))
      }))
  )

it.live("a worker's polls and leases are in no trace, and each of its tasks is in its job's", () =>
  Effect.gen(function*() {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const looked = yield* Deferred.make<void>()
    const taken = yield* Deferred.make<void>()
    const handle = (task: HeldTask) =>
      Effect.as(Deferred.succeed(taken, undefined), { output: noopOutput(task) }).pipe(Effect.withSpan("stage.fetch"))
    yield* Effect.forkScoped(
      runWorker({ pools: [{ pool: "fetch", slots: 4, handle }], drain_seconds: 0 }).pipe(
        Effect.provide(looking(looked)),
        Effect.provideService(Tracer.Tracer, tracer)
      )
    )
    yield* Deferred.await(looked)
    assert.deepStrictEqual(spans.map(({ name }) => name), [])
    const jobs = yield* Jobs
    yield* jobs.create(newJob(yield* makeTenant()))
    yield* Deferred.await(taken)
    assert.include(spans.map(({ name }) => name), "stage.fetch")
  }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
