import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Metric } from "effect"
import { TestClock } from "effect/testing"
import { tolerated } from "../../src/observability/Tolerated.ts"
import { captured } from "../support/LogLines.ts"

const failed = (work: string) =>
  Effect.map(
    Metric.snapshot,
    (all) =>
      all.filter(({ attributes, id }) => id === "footnote_background_failures_total" && attributes?.["work"] === work)
        .map(({ state }) => (state as { readonly count: number }).count)[0] ?? 0
  )

describe("work that nobody waits for", () => {
  it.effect("goes on after a failure, which is logged with its cause, its ids and what happens next, and counted", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const exit = yield* Effect.die(new Error("disk full")).pipe(
        tolerated("Removing bytes", "the sweep removes them", { key: "uploads/x" }),
        logged,
        Effect.exit
      )
      assert.deepStrictEqual(exit, Exit.void)
      assert.lengthOf(lines, 1)
      assert.strictEqual(lines[0]!.text, "Removing bytes failed; the sweep removes them")
      assert.include(lines[0]!.annotations, { key: "uploads/x" })
      assert.match(lines[0]!.cause, /disk full/u)
      yield* Effect.fail("errors too").pipe(tolerated("Removing bytes", "never mind"), logged)
      assert.strictEqual(yield* failed("Removing bytes"), 2)
    }))

  it.effect("that fails every second is told of once a minute, with how often it was meanwhile", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const loop = Effect.fail("no").pipe(
        tolerated("A sweep", "tried again in 1 s"),
        logged,
        Effect.andThen(TestClock.adjust("1 second"))
      )
      for (let second = 0; second < 121; second++) yield* loop
      assert.deepStrictEqual(lines.map(({ annotations }) => annotations["failures_since_last_line"]), [
        undefined,
        59,
        59
      ])
      assert.strictEqual(yield* failed("A sweep"), 121)
    }))

  it.effect("and is interrupted has not failed", () =>
    Effect.gen(function*() {
      const { lines, logged } = captured()
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(tolerated("A wait", "none"), logged)
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      yield* Effect.interrupt.pipe(tolerated("A wait", "none"), logged)
      assert.deepStrictEqual(lines, [])
      assert.strictEqual(yield* failed("A wait"), 0)
    }))
})
