import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

const text = { type: "string" }
const hours = { ...text, description: "HH:MM" }
const found = (properties: Record<string, object>, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []) =>
  extract(inputOf({ type: "object", properties }, footage(turns, shown))).result

describe("a field in a form of its own", () => {
  it("has a spoken time as figures", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "Good morning everybody, and thanks for coming to the harbour office."],
      [10, "S1", "The ferry departs at a quarter to eight in the morning."],
      [20, "S1", "And the office closes at half past five in the afternoon."]
    ]
    expect(found({ ferry_departs: hours, office_closes: { ...text, format: "time" } }, turns)).toEqual({
      ferry_departs: "07:45",
      office_closes: "17:30:00Z"
    })
  })

  it("has a spoken telephone number with every figure, and what is spelled as it is written", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "My mobile phone is oh seven seven, double zero, nine hundred, one four six."],
      [12, "S2", "And the policy number, please?"],
      [16, "S1", "The policy number is H as in hotel, four four zero, nine two seven, K."]
    ]
    expect(found({ mobile_phone: text, policy_number: text }, turns)).toEqual({
      mobile_phone: "07700900146",
      policy_number: "H440927K"
    })
  })

  it("takes no words, and no number of something else", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "The phone rang, and the fitter said leave her be, it needs sixty minutes."],
      [12, "S1", "Ring Tunde about the kick-off, please."]
    ]
    expect(found({ fitter_phone: text, kick_off: hours, licence_no: text }, turns)).toEqual({})
  })

  it("keeps the first figure of a number that is shown", () => {
    expect(found({ phone: text }, [], [[1, ["Avon Estates", "Phone: 01225 496 0142"]]])).toEqual({
      phone: "01225 496 0142"
    })
  })
})
