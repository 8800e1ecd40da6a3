import { describe, expect, it } from "vitest"
import { inScale, scaleOfField } from "../../../../workers/extraction/lexicon/FieldScales.ts"

const scale = (name: string, description = "", money = false) => scaleOfField(name.split(" "), description, money)

describe("scaleOfField", () => {
  it.each([
    ["revenue eur m", 1e6, ["revenue", "eur"]],
    ["revenue musd", 1e6, ["revenue", "usd"]],
    ["revenue million eur", 1e6, ["revenue", "eur"]],
    ["net debt in millions", 1e6, ["net", "debt"]],
    ["users k", 1e3, ["users"]],
    ["debt usd bn", 1e9, ["debt", "usd"]],
    ["net loss m", 1e6, ["net", "loss"]],
    ["bed length m", undefined, ["bed", "length", "m"]],
    ["temp k", undefined, ["temp", "k"]],
    ["cases per million", undefined, ["cases", "per", "million"]]
  ])("reads of %j that it counts in %j", (name, factor, rest) => {
    expect(scale(name)).toEqual({ factor, name: rest })
  })

  it.each([
    ["in millions of dollars", 1e6],
    ["revenue (eur million)", 1e6],
    ["revenue in us thousands", 1e3],
    ["revenue, €m", 1e6],
    ["in full, not in millions", undefined],
    ["for example 5 million euros", undefined],
    ["deaths per million of them", undefined]
  ])("reads of the description %j that it counts in %j", (description, factor) => {
    expect(scale("revenue", description).factor).toBe(factor)
  })

  it("takes a last letter for a scale where the field is of money", () => {
    expect([scale("revenue m", "", true).factor, scale("total distance m", "", true).factor, scale("depth m").factor])
      .toEqual([1e6, undefined, undefined])
  })
})

describe("inScale", () => {
  it.each([
    [1e6, 1.65e9, "1.65 billion dollars", true, 1650],
    [1e6, 412e6, "412,000,000 dollars", true, 412],
    [1e6, 650e3, "650 thousand", true, 0.65],
    [1e6, 412, "412", true, 412],
    [1e3, 2e6, "2 million dollars", true, 2000],
    [1e3, 1250, "1,250", false, 1250],
    [1e3, 2024, "2024", true, 2024]
  ])("gives in units of %d for %d, said as %j, what the field counts", (factor, value, said, spoken, wanted) => {
    expect(inScale(factor, value, said, spoken)).toBe(wanted)
  })
})
