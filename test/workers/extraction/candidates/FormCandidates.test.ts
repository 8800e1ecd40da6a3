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

  it("has a period that does not begin after it ends, whatever a price sounds like", () => {
    const shown: ReadonlyArray<Shown> = [[1, ["Breakfast", "Monday to Friday", "6:30 – 10:00"]]]
    expect(found({ breakfast_opens: hours }, [[0, "S1", "Seventeen fifty for adults, children eat free."]], shown))
      .toEqual({ breakfast_opens: "06:30" })
  })

  it("has no wage as a time", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "Your shift starts at half past three in the morning."],
      [10, "S1", "Ivo started on fifteen forty an hour."]
    ]
    expect(found({ shift_starts_at: hours }, turns)).toEqual({ shift_starts_at: "03:30" })
  })

  it("has a bare hour by the word that makes it one", () => {
    const turns: ReadonlyArray<Turn> = [[0, "S1", "Doors are at seven, and the show starts at eight in the evening."]]
    expect(found({ doors_open: hours, show_starts: hours }, turns)).toEqual({
      doors_open: "19:00",
      show_starts: "20:00"
    })
  })

  it("is of the morning for what opens, though all else is told of the evening", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "The shop opens at ten, and the reading is at seven in the evening."],
      [10, "S1", "The bar closes at eleven, by the way."]
    ]
    expect(found({ opening_time: hours, bar_closes: hours }, turns)).toEqual({
      opening_time: "10:00",
      bar_closes: "23:00"
    })
  })

  it("is the day of the week that a closed or a delivery day is, and nothing told from today", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "From Tuesday to Friday we open at half past nine and close at seven in the evening."],
      [10, "S1", "On Sundays and Mondays we're closed, as we were last month."]
    ]
    expect(found({ closed_days: { type: "array", items: text } }, turns)).toEqual({ closed_days: ["Sunday", "Monday"] })
    const delivered: ReadonlyArray<Turn> = [[0, "S1", "The supplier delivers on Wednesdays, so nothing comes today."]]
    expect(found({ supplier_delivery_day: text }, delivered)).toEqual({ supplier_delivery_day: "Wednesday" })
  })

  it("has a vehicle's plate whole, and the last four figures of a card alone", () => {
    const shown: ReadonlyArray<Shown> = [[1, ["KerbHop", "Max height 2.05 m", "KX19 TVB", "Card ending 6642"]]]
    const turns: ReadonlyArray<Turn> = [[
      0,
      "S1",
      "You put in the code, forty-four eighteen, and make sure it's the car."
    ]]
    expect(found({ vehicle_reg: text, card_last_four: text }, turns, shown)).toEqual({
      vehicle_reg: "KX19 TVB",
      card_last_four: "6642"
    })
    const joined = { vehicle_reg: { ...text, pattern: "^[A-Z0-9]+$" } }
    expect(found(joined, turns, shown)).not.toEqual({ vehicle_reg: "KX19 TVB" })
  })

  it("is a day with the number that is said behind it, and no name that holds one", () => {
    const turns: ReadonlyArray<Turn> = [[0, "S1", "The next quiz is on Tuesday the twenty-third, so come along."]]
    expect(found({ next_quiz_day: text }, turns)).toEqual({ next_quiz_day: "Tuesday the twenty-third" })
    const shown: ReadonlyArray<Shown> = [[1, ["CLOSED MONDAYS"]]]
    expect(found({ closed_on: text }, [[0, "S1", "We're shut Mondays, otherwise half eight."]], shown)).toEqual({
      closed_on: "Monday"
    })
  })

  it("is any day of the entries of a forecast, tomorrow included", () => {
    const entry = { type: "object", properties: { day: text, temperature_c: { type: "number" } } }
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "And the weather. Tomorrow will be cloudy with a high of nine degrees. On Saturday the sun comes out."]
    ]
    const { forecast } = found({ forecast: { type: "array", items: entry } }, turns) as {
      readonly forecast: ReadonlyArray<{ readonly day: string }>
    }
    expect(forecast.map(({ day }) => day).toSorted()).toEqual(["Saturday", "Tomorrow"])
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

  it("takes no street for a town", () => {
    const turns: ReadonlyArray<Turn> = [[0, "S1", "Welcome to 14 Willow Lane. The town is Bath, and it rains a lot."]]
    expect(found({ town: text }, turns)).toEqual({ town: "Bath" })
  })

  it("keeps the first figure of a number that is shown", () => {
    expect(found({ phone: text }, [], [[1, ["Avon Estates", "Phone: 01225 496 0142"]]])).toEqual({
      phone: "01225 496 0142"
    })
  })

  it("keeps what is shown as it stands, and without blanks only where its description says so", () => {
    const shown: ReadonlyArray<Shown> = [[1, ["AUDIT 27-0318-B", "Packing hall two"]]]
    expect(found({ audit_id: text }, [], shown)).toEqual({ audit_id: "27-0318-B" })
    const claim: ReadonlyArray<Shown> = [[1, ["Hail damage", "Claim HL 7714 C"]]]
    expect(found({ claim_no: text }, [], claim)).toEqual({ claim_no: "HL 7714 C" })
    expect(found({ claim_no: { ...text, description: "as printed, without spaces" } }, [], claim)).toEqual({
      claim_no: "HL7714C"
    })
  })

  it("gives no number that is taken back while it is said", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "My phone is oh seven seven double oh, nine hundred, one four six. Sorry, one six four."]
    ]
    expect(found({ phone: text }, turns)).toEqual({})
  })

  it.each([
    ["lot_number", "Lot 47, the bureau. Six hundred I have, seven, eight hundred, nine.", "47"],
    ["flight_number", "Flight 88 is boarding rows one, two, three and four.", "88"],
    ["order_number", "Our order number is 5512. There are four, five, six parcels.", "5512"],
    ["order_number", "Parcels are ready. The order number is four, five, six, seven.", "4567"]
  ])("takes for %s of %j no series that somebody counts", (name, said, value) => {
    expect(found({ [name]: text }, [[0, "S1", said]])).toEqual({ [name]: value })
  })

  it("is no entry's of a list where it is only said near a name", () => {
    const calls = { type: "array", items: { type: "object", properties: { room: text, at: hours } } }
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "Morning, Priyanka, it's Tobiah, my bus goes at six ten."],
      [10, "S1", "At twenty past eleven he calls that there is water. Madame Ferrand is here at noon."],
      [20, "S1", "Then the driver rang at three in the morning. Leopold came at ten thirty."]
    ]
    expect(found({ calls }, turns)).toEqual({})
  })
})
