import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../../Footage.ts"

const text = { type: "string" }
const properties = {
  products: {
    type: "array",
    items: { type: "object", properties: { name: text, price: { type: "number" }, unit: text } }
  }
}

const given = (lines: ReadonlyArray<string>): unknown =>
  extract(inputOf({ type: "object", properties }, footage([], [[0, lines]]), { precision: "balanced" })).result

describe("what a price is for", () => {
  it.each([
    ["behind it", ["Rainbow chard £2 bunch", "Beetroot £1.80 kg"]],
    ["with the word for it", ["Rainbow chard £2 a bunch", "Beetroot £1.80 / kg"]],
    ["at the end of the name", ["Rainbow chard, bunch  2.00", "Beetroot per kg  1.80"]]
  ])("is read %s", (_where, lines) => {
    expect(given(["Bracken Farm", ...lines])).toEqual({
      products: [{ name: "Rainbow chard", price: 2, unit: "bunch" }, { name: "Beetroot", price: 1.8, unit: "kg" }]
    })
  })

  it("is nothing where one row alone has such a word", () => {
    expect(given(["Bracken Farm", "Rainbow chard £2 bunch", "Beetroot £1.80", "Squash £2.50"])).toEqual({
      products: [
        { name: "Rainbow chard", price: 2 },
        { name: "Beetroot", price: 1.8 },
        { name: "Squash", price: 2.5 }
      ]
    })
  })
})
