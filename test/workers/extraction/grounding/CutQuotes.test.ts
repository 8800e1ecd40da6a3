import { describe, expect, it } from "vitest"
import { isCutOut } from "../../../../workers/extraction/grounding/CutQuotes.ts"
import { leafOf } from "../../../../workers/extraction/text/Plan.ts"
import { documentOf } from "../Footage.ts"

const isCut = (name: string, value: unknown, text: string, quote: string): boolean => {
  const passage = documentOf([[0, "S1", text]]).passages[0]!
  const from = text.indexOf(quote)
  const leaf = leafOf(`/${name}`, name, { type: typeof value })
  return isCutOut(leaf, value, { passage, from, to: from + quote.length })
}

describe("isCutOut", () => {
  it.each([
    ["dose_mg", 5, "The dose is point five milligrams.", "five"],
    ["amount", 3, "It is nought point three.", "three"],
    ["amount", 4, "It is 4 million.", "4"],
    ["seconds", 9, "two hours, four minutes and nine seconds", "nine seconds"],
    ["runtime", 1, "It runs one hour forty.", "one hour"],
    ["guests", 4, "at twenty past four in the afternoon", "four"],
    ["time", "four in the afternoon", "at twenty past four in the afternoon", "four in the afternoon"],
    ["room", "B", "in room B12 today", "B"],
    ["duration", "one hour", "It runs one hour forty.", "one hour"],
    ["topic", "art", "a smart idea", "art"]
  ])("refuses for %s the value %j of %j by the quote %j", (name, value, text, quote) => {
    expect(isCut(name, value, text, quote)).toBe(true)
  })

  it.each([
    ["days", 2, "it takes two days", "two"],
    ["revenue_musd", 218, "it was 218 million dollars", "218"],
    ["distance_km", 10, "a 10K race", "10"],
    ["weight_kg", 40, "40kg of flour", "40"],
    ["hour", "9", "at 9am", "9"],
    ["min_age", 10, "for children ten to twelve.", "ten"],
    ["time", "four in the afternoon", "at four in the afternoon", "four in the afternoon"],
    ["room", "B12", "in room B12 today", "B12"],
    ["duration", "one hour", "It runs one hour. Forty people came.", "one hour"]
  ])("leaves for %s the value %j of %j with the quote %j", (name, value, text, quote) => {
    expect(isCut(name, value, text, quote)).toBe(false)
  })
})
