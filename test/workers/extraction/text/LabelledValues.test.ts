import { describe, expect, it } from "vitest"
import { labelledValues } from "../../../../workers/extraction/text/LabelledValues.ts"

const pairsOf = (text: string) => labelledValues(text).map(({ label, value }) => [label, value])

describe("labelledValues", () => {
  it.each([
    ["Status: shipped Carrier: Dhero", [["Status", "shipped"], ["Carrier", "Dhero"]]],
    ["Joining fee: £25 Day pass: £9", [["Joining fee", "£25"], ["Day pass", "£9"]]],
    ["ROUTE: N-07 DRIVER: S. AMPOFO", [["ROUTE", "N-07"], ["DRIVER", "S. AMPOFO"]]],
    ["TARGET: 50 UNITS   (LAST SESSION: 47)", [["TARGET", "50 UNITS"], ["LAST SESSION", "47"]]],
    ["HOME: Quarry Hill | GUEST: St Piran's", [["HOME", "Quarry Hill"], ["GUEST", "St Piran's"]]],
    ["Shipping: Parcel insured   €7.90", [["Shipping", "Parcel insured"]]],
    ["Doors: 7 pm, Bar: 6 pm", [["Doors", "7 pm"], ["Bar", "6 pm"]]]
  ])("parts the pairs of one line, each value with its own label: %s", (line, pairs) => {
    expect(pairsOf(line)).toEqual(pairs)
  })

  it("keeps silent about a value whose end nothing tells from the next label", () => {
    expect(pairsOf("City: Oslo Post Code: 0150")).toEqual([["City", null], ["Code", "0150"]])
  })

  it.each([
    "Title: Fibre II: what the trials say",
    "Show: Dune: Part Two",
    "Error: cannot read file Config: access denied",
    "Start: 10:30",
    "Score: Reds 3: Blues 2",
    "Plan: we first go to the market and then on to the old Harbour: there is much to see"
  ])("leaves colons within a value alone: %s", (line) => {
    expect(pairsOf(line)).toEqual([[line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]])
  })

  it("takes the bar between a label's cell and its value's for neither", () => {
    expect(pairsOf("Chair: | Priya Nair")).toEqual([["Chair", "Priya Nair"]])
    expect(labelledValues("No label here")).toEqual([])
  })

  it("takes time in the length of a line", () => {
    const started = performance.now()
    labelledValues(`Ab: ${"A: b ".repeat(20_000)}`)
    labelledValues(`Ab: ${"Aa ".repeat(39)}`)
    expect(performance.now() - started).toBeLessThan(200)
  })
})
