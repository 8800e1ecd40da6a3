import { describe, expect, it } from "vitest"
import { typedValue } from "../../../../../workers/extraction/proposers/gate/TypedValue.ts"
import { planOf } from "../../../../../workers/extraction/text/Plan.ts"

const leafOf = (schema: object) => planOf({ type: "object", properties: { field: schema } }).leaves[0]!
const number = leafOf({ type: "number", description: "Something that is counted" })
const boolean = leafOf({ type: "boolean", description: "Whether it was serviced" })

describe("a number as a model writes it", () => {
  it.each(
    [
      ["−5", -5],
      ["–5", -5],
      ["- 5", -5],
      ["$-5", -5],
      ["-5°C", -5],
      ["minus 5", -5],
      ["1,5", 1.5],
      ["0,500", 0.5],
      ["1,5 m", 1.5],
      ["1,200", 1200],
      ["1,200.00 USD", 1200],
      ["12,34,567", 1_234_567],
      ["1.234,56", 1234.56],
      ["3.000.000", 3_000_000],
      ["3 000 000", 3_000_000],
      ["$1.2B", 1_200_000_000],
      ["USD 1.2 bn", 1_200_000_000],
      ["3 Mio. €", 3_000_000],
      ["No. 5", 5],
      ["12 jackets", 12]
    ] as const
  )("keeps its sign, its decimals and its magnitude: %j", (text, value) => {
    expect(typedValue(text, number)).toBe(value)
  })

  it.each(["(5)", "1,2,3", "1.2Q", "5-10", "1/2", ".5", "9".repeat(1000)])(
    "is none where it can be read in no way or in two: %j",
    (text) => {
      expect(typedValue(text, number)).toBeUndefined()
    }
  )

  it("is none of an object or an array, however deep, and neither is a yes or no", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}1${"]".repeat(20_000)}`)
    for (const value of [deep, { toString: 1 }, { toString: null, valueOf: null }]) {
      expect(typedValue(value, number)).toBeUndefined()
      expect(typedValue(value, boolean)).toBeUndefined()
    }
  })
})
