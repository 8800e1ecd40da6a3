import { describe, expect, it } from "vitest"
import { spendingOfCall } from "../../../workers/extraction/ExtractionSpending.ts"

describe("what a call has spent", () => {
  it("is what its starts have spent together, each of which counts from nothing", () => {
    const spending = spendingOfCall()
    expect(spending.spent()).toEqual({ tokens: 0, cost: 0 })
    spending.heard({ tokens: 1100, cost: 0.1 }, 0)
    spending.heard({ tokens: 2200, cost: 0.2 }, 0)
    // Also where the next has come further than the last.
    spending.heard({ tokens: 3300, cost: 0.3 }, 1)
    expect(spending.spent()).toEqual({ tokens: 5500, cost: 0.5 })
    expect(spending.spentWith({ tokens: 4400, cost: 0.4 })).toEqual({ tokens: 6600, cost: 0.6 })
  })
})
