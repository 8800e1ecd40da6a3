import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { nextDelay, retrySchedule } from "../../../src/deliveries/queue/RetrySchedule.ts"

const random = fc.double({ min: 0, max: 1, noNaN: true })

describe("nextDelay", () => {
  it("makes ten attempts over 75.6 h and then stops", () => {
    assert.strictEqual(retrySchedule.length, 10)
    assert.closeTo(retrySchedule.reduce((sum, delay) => sum + delay, 0) / 3600, 75.6, 0.02)
    assert.isUndefined(nextDelay(10, 0.5, undefined))
    assert.isUndefined(nextDelay(10, 0.5, 60))
  })

  it("stays within 20 % of the schedule", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 9 }), random, (made, random) => {
      const delay = nextDelay(made, random, undefined)!
      assert.isAtLeast(delay, retrySchedule[made]! * 0.8 - 1e-6)
      assert.isAtMost(delay, retrySchedule[made]! * 1.2 + 1e-6)
    }))
  })

  it("is never sooner than the receiver asks, up to a day", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 9 }), random, fc.nat(10 ** 6), (made, random, asked) => {
      assert.isAtLeast(nextDelay(made, random, asked)!, Math.min(asked, 86_400))
    }))
    assert.strictEqual(nextDelay(1, 0.5, 10 ** 9), 86_400)
  })
})
