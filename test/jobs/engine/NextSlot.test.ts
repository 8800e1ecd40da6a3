import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { secondsUntilFree } from "../../../src/jobs/engine/NextSlot.ts"

describe("secondsUntilFree", () => {
  it("goes by the pace of the job that ends first", () => {
    assert.strictEqual(
      secondsUntilFree([
        { elapsed: 60, fraction: 0.5, typical: null },
        { elapsed: 90, fraction: 0.9, typical: null }
      ]),
      10
    )
  })

  it("goes by what the tenant's jobs take where a job has hardly begun or waits", () => {
    assert.strictEqual(secondsUntilFree([{ elapsed: 5, fraction: 0.01, typical: 45 }]), 40)
    assert.strictEqual(secondsUntilFree([{ elapsed: null, fraction: 0, typical: 45 }]), 45)
    assert.strictEqual(secondsUntilFree([{ elapsed: 100, fraction: 0, typical: 45 }]), 1)
  })

  it("says 5 s where nothing is known", () => {
    assert.strictEqual(secondsUntilFree([{ elapsed: null, fraction: 0, typical: null }]), 5)
    assert.strictEqual(secondsUntilFree([]), 5)
  })

  it("is a whole number of seconds, 1 to 3600, for any jobs", () => {
    const standing = fc.record({
      elapsed: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
      fraction: fc.double({ min: 0, max: 1, noNaN: true }),
      typical: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }))
    })
    fc.assert(fc.property(fc.array(standing, { maxLength: 5 }), (jobs) => {
      const seconds = secondsUntilFree(jobs)
      assert(Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600)
    }))
  })
})
