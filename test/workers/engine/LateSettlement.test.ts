import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { type HeldTask, Tasks } from "../../../src/jobs/engine/Tasks.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { runWorker } from "../../../workers/engine/Worker.ts"
import { captured } from "../../support/LogLines.ts"
import { noopOutput } from "../../support/NoopStages.ts"
import * as TestEngine from "../../support/TestEngine.ts"
import { makeTenant, newJob } from "../../support/TestEngine.ts"

/** Whose first settlement is recorded and answered only once the worker has given tasks up or asked twice more which are its own. */
const slowSettlement = (answered: Deferred.Deferred<void>) =>
  Layer.effect(
    Tasks,
    Effect.gen(function*() {
      const tasks = yield* Tasks
      const askedTwice = yield* Deferred.make<void>()
      let [recorded, asked] = [false, 0]
      return Tasks.of({
        ...tasks,
        touch: (pool, held) =>
          Effect.tap(
            tasks.touch(pool, held),
            () => recorded && ++asked === 2 ? Deferred.succeed(askedTwice, undefined) : Effect.void
          ),
        forgive: (lost) => Effect.andThen(Deferred.succeed(askedTwice, undefined), tasks.forgive(lost)),
        settle: (pool, settled) =>
          Effect.gen(function*() {
            yield* tasks.settle(pool, settled)
            if (recorded) return
            recorded = true
            yield* Deferred.await(askedTwice)
            yield* Deferred.succeed(answered, undefined)
          })
      })
    })
  )

const doneAtOnce = (task: HeldTask) => Effect.succeed({ output: noopOutput(task) })

describe("a worker that has not yet heard that its settlement is recorded", () => {
  it.live("warns of no lost task", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const jobs = yield* Jobs
      const answered = yield* Deferred.make<void>()
      yield* jobs.create(newJob(yield* makeTenant()))
      yield* Effect.forkScoped(
        runWorker({ pools: [{ pool: "fetch", slots: 1, handle: doneAtOnce }], drain_seconds: 0 }).pipe(
          Effect.provide(slowSettlement(answered)),
          logged
        )
      )
      yield* Deferred.await(answered)
      assert.deepStrictEqual(lines.filter((line) => line.text.startsWith("Tasks are no longer this worker's")), [])
    }).pipe(Effect.scoped, Effect.provide(TestEngine.layer())))
})
