import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { RateLimited } from "../../src/errors/RequestErrors.ts"
import { makeRecentCallers } from "../../src/rate-limits/RecentCallers.ts"

const scene = Effect.sync(() => {
  const over = new Set(["ten_a:writes"])
  const callers = makeRecentCallers({
    refused: (tenant_id, counted_as) =>
      Effect.sync(() => over.has(`${tenant_id}:${counted_as}`) ? new RateLimited({}) : undefined)
  })
  return { callers, over }
})

it.effect("refuses a caller of the last second whose tenant is over the limit of what it asks for, and nobody else", () =>
  Effect.gen(function*() {
    const { callers, over } = yield* scene
    yield* callers.remember("key a", "ten_a")
    yield* callers.remember("key b", "ten_b")
    const refused = yield* callers.refused("key a", "writes")
    assert.strictEqual(refused?.tenant_id, "ten_a")
    assert.strictEqual(refused?.refusal._tag, "RATE_LIMITED")
    assert.isUndefined(yield* callers.refused("key a", "reads"))
    assert.isUndefined(yield* callers.refused("key b", "writes"))
    assert.isUndefined(yield* callers.refused("unknown", "writes"))
    over.clear()
    assert.isUndefined(yield* callers.refused("key a", "writes"))
  }))

it.effect("a key is looked up again after a second, so that a revoked one is told so", () =>
  Effect.gen(function*() {
    const { callers } = yield* scene
    yield* callers.remember("key a", "ten_a")
    yield* TestClock.adjust("999 millis")
    assert.isDefined(yield* callers.refused("key a", "writes"))
    yield* TestClock.adjust("1 millis")
    assert.isUndefined(yield* callers.refused("key a", "writes"))
  }))

it.effect("remembers the ten thousand that came last", () =>
  Effect.gen(function*() {
    const { callers } = yield* scene
    for (let at = 0; at <= 10_000; at++) yield* callers.remember(`key ${at}`, "ten_a")
    assert.isUndefined(yield* callers.refused("key 0", "writes"))
    assert.isDefined(yield* callers.refused("key 1", "writes"))
    assert.isDefined(yield* callers.refused("key 10000", "writes"))
  }))
