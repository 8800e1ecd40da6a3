import * as fc from "fast-check"
import assert from "node:assert"
import { describe, it } from "vitest"
import { isMultiple } from "../../../src/schemas/json-schema/Multiples.ts"

describe("isMultiple", () => {
  it("holds for every price in cents, which doubles cannot divide", () => {
    fc.assert(fc.property(fc.integer(), (cents) => {
      const price = Number(`${cents}e-2`)
      assert(isMultiple(price, 0.01))
      assert.strictEqual(isMultiple(price, 0.1), cents % 10 === 0)
      assert(!isMultiple(Number(`${cents}5e-3`), 0.01))
    }))
  })

  it("takes numbers near the ends of a double's range, and nothing that is no number", () => {
    assert(isMultiple(1e308, 0.5) && isMultiple(0, 5e-324) && isMultiple(1e-323, 5e-324) && isMultiple(-9, 3))
    assert(!isMultiple(1, 1e308) && !isMultiple(1.5, 1))
    assert(!isMultiple(1, 0) && !isMultiple(Infinity, 1) && !isMultiple(Number.NaN, 1))
  })
})
