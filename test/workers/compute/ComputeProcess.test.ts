import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Schedule, Tracer } from "effect"
import { existsSync, mkdtempSync } from "node:fs"
import os, { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import { Compute } from "../../../workers/compute/Compute.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import { Backlogged } from "../../../workers/engine/Backlog.ts"
import { fixtureCalls, nowhere } from "./FixtureCalls.ts"

const entry = fileURLToPath(new URL("fixture-compute.ts", import.meta.url))
const compute = ComputeProcess.layer({ entry })

const pidOf = ({ pid }: { readonly pid: number }) => pid
/** Which process answers a call of this tenant. */
const pidBy = (owner: string | undefined, backlogged = false) =>
  Compute.pipe(
    Effect.flatMap(({ call }) => call(fixtureCalls.pid, {})),
    Effect.provideService(ComputeProcess.CallOwner, owner),
    Effect.provideService(Backlogged, backlogged),
    Effect.map(pidOf)
  )
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
      const first = yield* call(fixtureCalls.double, { samples: Float32Array.of(1, 2, 3) })
      assert.deepStrictEqual(first.samples, Float32Array.of(2, 4, 6))
      assert.strictEqual(pidOf(yield* call(fixtureCalls.pid, {})), pidOf(first))
      assert.notStrictEqual(pidOf(first), process.pid)
    }).pipe(Effect.provide(compute)))

  it.live("passes a typed failure on and calls any other throw INTERNAL, retryable", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const refused = yield* failureOf(call(fixtureCalls.refuse, {}))
      assert.deepInclude(refused!, { code: "SOURCE_NOT_MEDIA", message: "No sound in it", retryable: false })
      const stumbled = yield* failureOf(call(fixtureCalls.stumble, {}))
      assert.deepInclude(stumbled!, { code: "INTERNAL", message: "divided by zero", retryable: true })
      assert.strictEqual((yield* failureOf(call(nowhere, {})))?.code, "INTERNAL")
    }).pipe(Effect.provide(compute)))

  it.live("fails calls of a crashed child with MODEL_UNAVAILABLE and starts a fresh one for the next call", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call(fixtureCalls.pid, {}))
      const crashed = yield* failureOf(call(fixtureCalls.crash, {}))
      assert.deepInclude(crashed!, { code: "MODEL_UNAVAILABLE", retryable: true })
      assert.notStrictEqual(pidOf(yield* call(fixtureCalls.pid, {})), before)
    }).pipe(Effect.provide(compute)))

  it.live("runs calls of two owners that meet in a process each, an owner's own in one, and those of nobody in the first", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const first = yield* pidBy("a")
      assert.strictEqual(yield* pidBy("b"), first, "where nobody else is")
      const file = join(mkdtempSync(join(tmpdir(), "footnote-owner-")), "there")
      const held = call(fixtureCalls.neighbour, { file })
      const holding = yield* Effect.forkChild(Effect.provideService(held, ComputeProcess.CallOwner, "a"))
      yield* until(() => existsSync(file))
      assert.strictEqual(yield* pidBy("a"), first)
      const second = yield* pidBy("b")
      assert.notStrictEqual(second, first)
      assert.deepStrictEqual([yield* pidBy("b"), yield* pidBy("c"), yield* pidBy(undefined)], [second, second, first])
      yield* Fiber.interrupt(holding)
      assert.isTrue(alive(second), "what is cancelled in one process ends no other")
    }).pipe(Effect.provide(ComputeProcess.layer({ entry, processes: 2 }))))

  it.live.skipIf(process.platform !== "linux")(
    "runs calls of a tenant with a long line in a process behind the other's, and before they meet in the first",
    () =>
      Effect.gen(function*() {
        const ahead = yield* pidBy("hundred", false)
        const behind = yield* pidBy("hundred", true)
        assert.notStrictEqual(behind, ahead)
        assert.deepStrictEqual([yield* pidBy("one", false), yield* pidBy("hundred", true)], [ahead, behind])
        assert.deepStrictEqual([os.getPriority(ahead), os.getPriority(behind)], [10, 15])
      }).pipe(Effect.provide(ComputeProcess.layer({ entry, processes: 2 })))
  )

  it.live.skipIf(process.platform !== "linux")(
    "puts a process back that two tenants' meeting has started",
    () =>
      Effect.gen(function*() {
        const { call } = yield* Compute
        const file = join(mkdtempSync(join(tmpdir(), "footnote-owner-")), "there")
        const held = call(fixtureCalls.neighbour, { file })
        const holding = yield* Effect.forkChild(Effect.provideService(held, ComputeProcess.CallOwner, "one"))
        yield* until(() => existsSync(file))
        const second = yield* pidBy("hundred", false)
        assert.strictEqual(os.getPriority(second), 10)
        assert.strictEqual(yield* pidBy("hundred", true), second)
        assert.strictEqual(os.getPriority(second), 15)
        assert.notStrictEqual(yield* pidBy("two", false), second, "who asks for little is not put behind with it")
        yield* Fiber.interrupt(holding)
      }).pipe(Effect.provide(ComputeProcess.layer({ entry, processes: 2 })))
  )

  it.live("answers a call that says the process is of no more use, and has a fresh one for the call after", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call(fixtureCalls.pid, {}))
      const lost = yield* failureOf(call(fixtureCalls.lose, {}))
      assert.deepInclude(lost!, { code: "MODEL_UNAVAILABLE", message: "The device is gone", retryable: true })
      yield* until(() => !alive(before))
      assert.notStrictEqual(pidOf(yield* call(fixtureCalls.pid, {})), before)
    }).pipe(Effect.provide(compute)))

  it.live("fails a call whose answer, or what it tells before, is not what was declared, and names call and place", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const lie = yield* failureOf(call(fixtureCalls.lie, {}))
      assert.deepInclude(lie!, { code: "INTERNAL", retryable: false })
      assert.match(lie!.message, /^The answer of lie does not fit: .*words.*0.*text/u)
      let heard = 0
      const gossip = yield* failureOf(call(fixtureCalls.gossip, {}, () => heard++))
      assert.match(gossip!.message, /^What gossip tells before its answer does not fit/u)
      assert.strictEqual(heard, 0)
    }).pipe(Effect.provide(compute)))

  it.live("answers a request that is not what was declared with a failure that shows nothing of it", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const secret: any = { ms: "sk-secret" }
      const refused = yield* failureOf(call(fixtureCalls.block, secret))
      assert.deepInclude(refused!, { code: "INTERNAL", retryable: false })
      assert.match(refused!.message, /^The request of block does not fit: .*ms/u)
      assert.notInclude(refused!.message, "sk-secret")
    }).pipe(Effect.provide(compute)))

  it.live("tells the caller's trace what the child did for it: the call, models opened, and their runs together", () =>
    Effect.gen(function*() {
      const ended: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          const end = span.end.bind(span)
          span.end = (at, exit) => {
            end(at, exit)
            ended.push(span)
          }
          return span
        }
      })
      const { call } = yield* Compute
      yield* call(fixtureCalls.model, {}).pipe(Effect.withSpan("task"), Effect.withTracer(tracer))
      const at = (name: string) => ended.find((span) => span.name === name)!
      const parentOf = (name: string) => Option.getOrUndefined(at(name).parent)?.spanId
      assert.sameMembers(ended.map(({ name }) => name), [
        "compute.model",
        "model.open",
        "model.ocr",
        "Compute.call",
        "task"
      ])
      assert.strictEqual(parentOf("Compute.call"), at("task").spanId)
      assert.strictEqual(parentOf("compute.model"), at("Compute.call").spanId)
      assert.strictEqual(parentOf("model.open"), at("compute.model").spanId)
      assert.strictEqual(parentOf("model.ocr"), at("compute.model").spanId)
      const runs = at("model.ocr").attributes
      assert.deepStrictEqual(
        ["model.role", "model.name", "model.runs", "model.batch_size"].map((key) => runs.get(key)),
        ["ocr", "toy", 3, 2]
      )
      for (const span of ended) {
        assert(span.status._tag === "Ended")
        assert.isTrue(span.status.endTime >= span.status.startTime, span.name)
      }
    }).pipe(Effect.provide(compute)))

  it.live("hands its arguments to every child that it starts", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      assert.deepInclude(yield* call(fixtureCalls.given, {}), { given: ["webgpu", "2"] })
      yield* failureOf(call(fixtureCalls.crash, {}))
      assert.deepInclude(yield* call(fixtureCalls.given, {}), { given: ["webgpu", "2"] })
    }).pipe(Effect.provide(ComputeProcess.layer({ entry, arguments: ["webgpu", "2"] }))))

  it.live("stops an interrupted call that listens without losing the child", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call(fixtureCalls.pid, {}))
      const fiber = yield* Effect.forkChild(call(fixtureCalls.obey, {}), { startImmediately: true })
      yield* call(fixtureCalls.pid, {})
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(pidOf(yield* call(fixtureCalls.pid, {})), before)
    }).pipe(Effect.provide(compute)))

  it.live("kills a child that is deaf to cancellation and runs its other calls again", () =>
    Effect.gen(function*() {
      const { call } = yield* Compute
      const before = pidOf(yield* call(fixtureCalls.pid, {}))
      const file = join(mkdtempSync(join(tmpdir(), "footnote-compute-")), "called")
      const starts: Array<number> = []
      const neighbour = yield* Effect.forkChild(
        call(fixtureCalls.neighbour, { file }, (_, start) => starts.push(start)),
        { startImmediately: true }
      )
      yield* until(() => existsSync(file))
      const deaf = yield* Effect.forkChild(call(fixtureCalls.block, { ms: 60_000 }), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(deaf)
      assert.isFalse(alive(before))
      const answer = yield* Fiber.join(neighbour)
      assert.deepInclude(answer, { second_time: true })
      // What is told once more is told by another start.
      assert.deepStrictEqual(starts, [0, 1])
      assert.notStrictEqual(pidOf(answer), before)
    }).pipe(Effect.provide(compute)))

  it.live("leaves no child behind when its layer is released", () =>
    Effect.gen(function*() {
      const pid = yield* Compute.pipe(
        Effect.flatMap(({ call }) => call(fixtureCalls.pid, {})),
        Effect.map(pidOf),
        Effect.provide(compute)
      )
      yield* until(() => !alive(pid))
    }))
})
