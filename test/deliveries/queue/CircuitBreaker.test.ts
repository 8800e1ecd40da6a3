import * as fastCheck from "fast-check"
import assert from "node:assert/strict"
import { test } from "vitest"
import { afterFailure, breaker, unharmed } from "../../../src/deliveries/queue/CircuitBreaker.ts"

test("an endpoint is left alone from the fifth failure in a row on: 30 s, twice as long each time, 15 min at most", () => {
  const opened: Array<number> = []
  let counts = unharmed
  for (let failure = 1; failure <= 12; failure++) {
    const after = afterFailure(counts)
    counts = after.counts
    opened.push(after.open_seconds)
  }
  assert.deepEqual(opened, [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
})

test("the time never shrinks while nothing succeeds, and never passes its limit", () => {
  fastCheck.assert(fastCheck.property(fastCheck.integer({ min: 1, max: 200 }), (failures) => {
    let counts = unharmed
    let last = 0
    for (let failure = 0; failure < failures; failure++) {
      const after = afterFailure(counts)
      assert.ok(after.open_seconds >= last && after.open_seconds <= breaker.longest_seconds)
      last = after.open_seconds
      counts = after.counts
    }
    assert.equal(counts.failures, failures)
  }))
})
