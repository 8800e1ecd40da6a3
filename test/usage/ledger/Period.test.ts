import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { periodAt, periodNamed } from "../../../src/usage/ledger/Period.ts"

describe("periodAt", () => {
  it("is the calendar month in UTC, to the millisecond", () => {
    const december = periodAt(Date.parse("2026-12-31T23:59:59.999Z"))
    assert.strictEqual(december.name, "2026-12")
    assert.strictEqual(december.from.toISOString(), "2026-12-01T00:00:00.000Z")
    assert.strictEqual(december.to.toISOString(), "2027-01-01T00:00:00.000Z")
    assert.strictEqual(periodAt(Date.parse("2027-01-01T00:00:00.000Z")).name, "2027-01")
    assert.strictEqual(periodAt(Date.parse("2028-02-29T12:00:00.000Z")).to.toISOString(), "2028-03-01T00:00:00.000Z")
  })

  it("holds every moment in exactly one period, the one that its name names", () => {
    const moments = fc.date({ min: new Date("2020-01-01"), max: new Date("2199-12-31"), noInvalidDate: true })
    fc.assert(fc.property(moments, (moment) => {
      const period = periodAt(moment.getTime())
      assert(period.from <= moment && moment < period.to)
      assert.deepStrictEqual(periodNamed(period.name), period)
      assert.strictEqual(periodAt(period.to.getTime()).from.getTime(), period.to.getTime())
    }))
  })
})
