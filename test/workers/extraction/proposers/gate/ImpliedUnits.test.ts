import { describe, expect, it } from "vitest"
import type { JsonSchema } from "../../../../../src/schemas/json-schema/JsonSchema.ts"
import { groundingOf } from "../../../../../workers/extraction/grounding/Grounding.ts"
import { modelGate } from "../../../../../workers/extraction/proposers/ModelGate.ts"
import { planOf } from "../../../../../workers/extraction/text/Plan.ts"
import { materialOf } from "../../Footage.ts"

/** What the gate makes of a model's value for one field, whose quote is the first of some lines and that cites them all. */
const judged = (name: string, schema: JsonSchema, value: string | number, ...lines: ReadonlyArray<string>) => {
  const own = materialOf(lines.map((line, at) => [1 + 8 * at, "S1", line]))
  const draft = modelGate({
    plan: planOf({ type: "object", properties: { [name]: schema } }),
    material: own,
    ground: groundingOf(own.reading, own.registry)
  })({
    pointer_template: `/${name}`,
    value,
    quote: lines[0]!,
    source_refs: own.reading.passages.map(({ source_ref }) => source_ref),
    score: 1,
    proposed_by: "llm:test"
  })
  return typeof draft === "string" ? draft : [draft.value, draft.formula]
}

const refused = "value not in the quote"
const number = { type: "number" } as const
const text = { type: "string" } as const

describe("numbers that a model's quote says in fewer words than the field asks for", () => {
  it("takes a decimal that is said without its point, and a number that begins with it", () => {
    expect(judged("body_temp", number, 36.8, "The lamb is at thirty-six eight now.")).toEqual([36.8, "unit(quote)"])
    expect(judged("body_temp", number, 36.9, "The lamb is at thirty-six eight now.")).toBe(refused)
    expect(judged("chlorine", number, 0.27, "And the strip reads point two seven here.")).toEqual([0.27, undefined])
    expect(judged("chlorine", number, 0.72, "And the strip reads point two seven here.")).toBe(refused)
  })

  it("takes thousands that are left out only where thousands are counted near by", () => {
    const [asked, said] = ["They want eighty thousand for the mill.", "We offered seventy-one and a half."]
    expect(judged("offer", number, 71_500, said, asked)).toEqual([71_500, "scale(quote)"])
    expect(judged("offer", number, 71_500, said, "They want more for the mill.")).toBe(refused)
    expect(judged("offer", number, 71_500_000, said, asked)).toBe(refused)
    expect(judged("walk_minutes", { type: "integer" }, 71_500, said, asked)).toBe(refused)
  })

  it("takes whole cents of a price for a field of cents, and for no other", () => {
    expect(judged("fee_pence", { type: "integer" }, 6500, "The fee's sixty-five, cash.")).toEqual([6500, "unit(quote)"])
    expect(judged("fee", { type: "integer" }, 6500, "The fee's sixty-five, cash.")).toBe(refused)
    expect(judged("unit_eur", number, 0.43, "Each one costs us forty-three cents.")).toEqual([0.43, "unit(quote)"])
  })

  it("takes a negative number where something says below, less or before Christ", () => {
    expect(judged("began_in_year", { type: "integer" }, -310, "The wall went up around three hundred and ten BC."))
      .toEqual([-310, "sign(quote)"])
    expect(judged("began_in_year", { type: "integer" }, -310, "The wall went up around three hundred and ten."))
      .toBe(refused)
  })

  it("takes a century for one of its years", () => {
    const said = "The mill was built in twelve forty."
    expect(judged("century", { type: "integer" }, 13, said)).toEqual([13, "century(quote)"])
    expect(judged("century", { type: "integer" }, 14, said)).toBe(refused)
  })

  it("takes 0 where the field's own noun is denied, or where nothing is paid", () => {
    expect(judged("broken_panes", { type: "integer" }, 0, "No broken panes on this side.")).toEqual([0, "none(quote)"])
    expect(judged("broken_panes", { type: "integer" }, 0, "No loose tiles on this side.")).toBe(refused)
    expect(judged("delivery_fee", number, 0, "Bringing it round is in the price.")).toEqual([0, "none(quote)"])
    expect(judged("delivery_fee", number, 0, "Bringing it round isn't in the price.")).toBe(refused)
    expect(judged("delivery_fee", number, 0, "It's not included in the price.")).toBe(refused)
    expect(judged("delivery_days", number, 0, "Bringing it round is in the price.")).toBe(refused)
  })

  it("takes the time between two times of day, in hours and as a duration", () => {
    const [began, ended] = ["We began at nine.", "It was twenty past two when we locked up."]
    expect(judged("hours_worked", number, 5.33, began, ended)).toEqual([5.33, "time_between(inputs)"])
    expect(judged("hours_worked", number, 6.33, began, ended)).toBe(refused)
    const duration = { type: "string", format: "duration" } as const
    expect(judged("length", duration, "PT5H20M", began, ended)).toEqual(["PT5H20M", "time_between(inputs)"])
    expect(judged("length", duration, "PT4H20M", began, ended)).toBe(refused)
    expect(judged("lap_time", duration, "PT6M42S", "Six forty-two.")).toEqual(["PT6M42S", "unit(quote)"])
    expect(judged("lap_time", duration, "PT6M42S", "We left at six forty-two.")).toBe(refused)
  })
})

describe("numbers that follow from several lines", () => {
  const sales = [
    "Sold, six thousand two hundred, to paddle forty.",
    "Four thousand nine hundred, sold, number twelve.",
    "And eleven thousand for the chest, paddle seven."
  ] as const

  it("takes the sum of one number from each line, and of no two of a line", () => {
    expect(judged("sold_total", number, 22_100, ...sales)).toEqual([22_100, "sum(inputs)"])
    expect(judged("sold_total", number, 22_140, ...sales)).toBe(refused)
  })

  it("takes what is left of the first number less the others", () => {
    const shift = ["The shift is fourteen hours.", "Two of them we waited.", "And three were for the road."] as const
    expect(judged("driving_hours", number, 9, ...shift)).toEqual([9, "difference(inputs)"])
    expect(judged("driving_hours", number, 10, ...shift)).toBe(refused)
  })
})

describe("texts that a model's quote says in another form", () => {
  it("takes the code of a country, a language or a currency that is named, where a code is asked for", () => {
    expect(judged("country", text, "PT", "We ship them from Portugal.")).toEqual(["PT", "code(quote)"])
    expect(judged("country", text, "PL", "We ship them from Portugal.")).toBe(refused)
    expect(judged("target_language", text, "sv", "The second one is into Swedish.")).toEqual(["sv", "code(quote)"])
    expect(judged("currency", text, "CHF", "All prices in francs, please.")).toEqual(["CHF", undefined])
    expect(judged("state", text, "PT", "We ship them from Portugal.")).toBe(refused)
  })

  it("takes an e-mail address that is said sign by sign", () => {
    const said = "It's ada dot lind, at, fernhill dot example. Ada with one d."
    expect(judged("contact", { type: "string", format: "email" }, "ada.lind@fernhill.example", said))
      .toEqual(["ada.lind@fernhill.example", undefined])
    expect(judged("contact", { type: "string", format: "email" }, "lind@fernhill.example", said)).toBe(refused)
  })

  it("takes a code that is spelled letter by letter, and none out of a longer one", () => {
    const said = "Registration Golf, Bravo Whiskey Kilo."
    expect(judged("registration", text, "G-BWK", said)).toEqual(["G-BWK", "spelling(quote)"])
    expect(judged("registration", text, "G-KWB", said)).toBe(refused)
    expect(judged("registration", text, "BW", said)).toBe(refused)
  })

  it("takes a month in figures, and one of next year where the year is known", () => {
    expect(judged("expires", text, "2028-03", "Best before 03/2028, lot 44.")).toEqual(["2028-03", "date(inputs)"])
    expect(judged("expires", text, "2028-04", "Best before 03/2028, lot 44.")).toBe(refused)
    const visit = ["Come back in April next year.", "Today is 5 May 2026."] as const
    expect(judged("next_visit", text, "2027-04", ...visit)).toEqual(["2027-04", "date(inputs)"])
    expect(judged("next_visit", text, "2028-04", ...visit)).toBe(refused)
  })

  it("takes a whole name from its initial in one line and its given name in another", () => {
    const lines = ["Saved by: T. Okonjo (warden)", "That's me, Temi."] as const
    expect(judged("warden", text, "Temi Okonjo", ...lines)).toEqual(["Temi Okonjo", "name(inputs)"])
    expect(judged("warden", text, "Tom Okonjo", ...lines)).toBe(refused)
  })

  it("takes an amount with its currency's code", () => {
    const said = "My part was two hundred and ten thousand euros of two million."
    expect(judged("grant", text, "EUR 210000", said)).toEqual(["EUR 210000", "unit(quote)"])
    expect(judged("grant", text, "USD 210000", said)).toBe(refused)
  })

  it("takes a day that is a fortnight away, or the last of the month, where the day is known", () => {
    const day = { type: "string", format: "date" } as const
    const recorded = "Recorded 4 June 2026"
    expect(judged("next_class", day, "2026-06-18", "We meet again in a fortnight.", recorded)).toEqual([
      "2026-06-18",
      "date(inputs)"
    ])
    expect(judged("next_class", day, "2026-06-11", "We meet again in a fortnight.", recorded)).toBe(refused)
    expect(judged("due", day, "2026-06-30", "Give me till the end of the month.", recorded)).toEqual([
      "2026-06-30",
      "date(inputs)"
    ])
    expect(judged("due", day, "2026-06-29", "Give me till the end of the month.", recorded)).toBe(refused)
  })

  it("takes a number with the unit that its passage counts in", () => {
    const said = "They asked for seven percent. The board offers three."
    expect(judged("board_offer", text, "three percent", said)).toEqual(["three percent", "unit(quote)"])
    expect(judged("board_offer", text, "four percent", said)).toBe(refused)
  })
})
