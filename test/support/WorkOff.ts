import { Effect } from "effect"
import { type HeldTask, Tasks } from "../../src/jobs/engine/Tasks.ts"
import type { Pool } from "../../src/processes/Pools.ts"
import { noopOutput } from "./NoopStages.ts"

export const stagePools: ReadonlyArray<Pool> = ["fetch", "media", "speech", "vision", "extraction"]

export const settleNoop = Effect.fnUntraced(function*(held: ReadonlyArray<HeldTask>) {
  const tasks = yield* Tasks
  for (const [pool, ours] of Map.groupBy(held, (task) => task.pool)) {
    yield* tasks.settle(pool, ours.map((task) => ({ task, output: noopOutput(task) })))
  }
})

/** Takes and settles tasks by hand, without a worker, until there is none left in these pools. */
export const workOff = Effect.fnUntraced(
  function*(pools: ReadonlyArray<Pool>, seen: (task: HeldTask) => void = () => {}) {
    const tasks = yield* Tasks
    for (let worked = true; worked;) {
      worked = false
      for (const pool of pools) {
        const held = yield* tasks.claim(pool, 100, 1)
        worked ||= held.length > 0
        for (const task of held) seen(task)
        yield* settleNoop(held)
      }
    }
  }
)
