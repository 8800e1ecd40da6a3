import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../Footage.ts"

const day = { type: "string", format: "date" }
const clock = { type: "string", pattern: "^\\d{2}:\\d{2}$" }
const found = (properties: Record<string, object>, said: string) =>
  extract({
    ...inputOf({ type: "object", properties }, footage([[1, "S1", said]])),
    precision: "balanced"
  }).result

describe("a sentence that names fields and values in turn", () => {
  it("gives each value to the field right before it", () => {
    expect(
      found(
        { born_on: day, died_on: day },
        "She was born on the second of April eighteen thirteen and died on the ninth of May eighteen seventy-two."
      )
    ).toEqual({ born_on: "1813-04-02", died_on: "1872-05-09" })
  })

  it("gives no field the value of another", () => {
    const said = "We open at nine in the morning and close at half past five in the afternoon."
    expect(found({ opens_at: clock, closes_at: clock }, said)).not.toMatchObject({ opens_at: "17:30" })
  })

  it("knows a field by the words that people use in its place", () => {
    const said = "The sun rises at six twelve and sets at eight forty in the evening."
    expect(found({ sunrise: clock, sunset: clock }, said)).not.toMatchObject({ sunrise: "20:40" })
    expect(found({ sunrise: clock, sunset: clock }, said)).not.toMatchObject({ sunset: "06:12" })
  })

  it("gives each name to the office behind it", () => {
    const office = { type: "string" }
    const said = "Nadia Brook is the chair, Tom Reed is the treasurer and Ivy Chan takes the minutes as secretary."
    expect(found({ chair: office, treasurer: office, secretary: office }, said)).toMatchObject({
      chair: "Nadia Brook",
      treasurer: "Tom Reed"
    })
  })

  it("tells a yes from a no", () => {
    const share = { type: "number" }
    const said = "Fifty two percent said yes, forty one percent said no and seven percent were undecided."
    expect(found({ yes_percent: share, no_percent: share, undecided_percent: share }, said)).toEqual({
      yes_percent: 52,
      no_percent: 41,
      undecided_percent: 7
    })
  })

  it("says nothing of a value that no field stands beside", () => {
    const sum = { type: "number", description: "in euros" }
    const said = "In twenty nineteen the revenue was twelve million euros, and the profit is not told."
    expect(found({ revenue: sum, profit: sum }, said)).toEqual({ revenue: 12_000_000 })
  })
})
