import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { existsSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import { Compute } from "../../../workers/engine/Stage.ts"

const entry = fileURLToPath(new URL("fixture-compute.ts", import.meta.url))
const compute = ComputeProcess.layer({ entry })

const pidOf = (answer: unknown) => (answer as { readonly pid: number }).pid
const failureOf = (call: Effect.Effect<unknown, StageFailure>) =>
  Effect.match(call, { onFailure: (failure) => failure, onSuccess: () => undefined })
const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** Waits for a fact of the outside world, by asking again. */
const until = (fact: () => boolean) =>
  Effect.repeat(Effect.sync(fact), { schedule: Schedule.spaced("10 millis"), until: (held) => held })

describe("ComputeProcess", () => {
  it.live("carries typed arrays both ways and keeps one child for all calls", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const first = yield* call("double", { samples: Float32Array.of(1, 2, 3) })
      assert.deepStrictEqual((first as any).samples, Float32Array.of(2, 4, 6))
      assert.strictEqual(pidOf(yield* call("pid", {})), pidOf(first))
      assert.notStrictEqual(pidOf(first), process.pid)
    }).pipe(Effect.provide(compute)))

  it.live("passes a typed failure on and calls any other throw INTERNAL, retryable", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const refused = yield* failureOf(call("refuse", {}))
      assert.deepInclude(refused!, { code: "SOURCE_NOT_MEDIA", message: "No sound in it", retryable: false })
      const stumbled = yield* failureOf(call("stumble", {}))
      assert.deepInclude(stumbled!, { code: "INTERNAL", message: "divided by zero", retryable: true })
      assert.strictEqual((yield* failureOf(call("nowhere", {})))?.code, "INTERNAL")
    }).pipe(Effect.provide(compute)))

  it.live("fails calls of a crashed child with MODEL_UNAVAILABLE and starts a fresh one for the next call", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call("pid", {}))
      const crashed = yield* failureOf(call("crash", {}))
      assert.deepInclude(crashed!, { code: "MODEL_UNAVAILABLE", retryable: true })
      assert.notStrictEqual(pidOf(yield* call("pid", {})), before)
    }).pipe(Effect.provide(compute)))

  it.live("answers a call that says the process is of no more use, and has a fresh one for the call after", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call("pid", {}))
      const lost = yield* failureOf(call("lose", {}))
      assert.deepInclude(lost!, { code: "MODEL_UNAVAILABLE", message: "The device is gone", retryable: true })
      yield* until(() => !alive(before))
      assert.notStrictEqual(pidOf(yield* call("pid", {})), before)
    }).pipe(Effect.provide(compute)))

  it.live("hands its arguments to every child that it starts", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      assert.deepInclude((yield* call("given", {})) as object, { given: ["webgpu", "2"] })
      yield* failureOf(call("crash", {}))
      assert.deepInclude((yield* call("given", {})) as object, { given: ["webgpu", "2"] })
    }).pipe(Effect.provide(ComputeProcess.layer({ entry, arguments: ["webgpu", "2"] }))))

  it.live("stops an interrupted call that listens without losing the child", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call("pid", {}))
      const fiber = yield* Effect.forkChild(call("obey", {}), { startImmediately: true })
      yield* call("pid", {})
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(pidOf(yield* call("pid", {})), before)
    }).pipe(Effect.provide(compute)))

  it.live("kills a child that is deaf to cancellation and runs its other calls again", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call("pid", {}))
      const file = join(mkdtempSync(join(tmpdir(), "footnote-compute-")), "called")
      const neighbour = yield* Effect.forkChild(call("neighbour", { file }), { startImmediately: true })
      yield* until(() => existsSync(file))
      const deaf = yield* Effect.forkChild(call("block", {}), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(deaf)
      assert.isFalse(alive(before))
      const answer = yield* Fiber.join(neighbour)
      assert.deepInclude(answer as object, { second_time: true })
      assert.notStrictEqual(pidOf(answer), before)
    }).pipe(Effect.provide(compute)))

  it.live("leaves no child behind when its layer is released", () =>
    Effect.gen(function*() {
      const pid = yield* Compute.pipe(
        Effect.flatMap(({ call }) => call("pid", {})),
        Effect.map(pidOf),
        Effect.provide(compute)
      )
      yield* until(() => !alive(pid))
    }))
})
