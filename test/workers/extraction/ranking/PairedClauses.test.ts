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
})
