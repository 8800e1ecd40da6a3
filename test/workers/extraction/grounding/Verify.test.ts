import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { verify } from "../../../../workers/extraction/grounding/Verify.ts"
import { leafOf } from "../../../../workers/extraction/text/Plan.ts"

const leaf = (name: string, schema: Record<string, unknown>) => leafOf(`/${name}`, name, schema)
const text = leaf("topic", { type: "string" })
const amount = leaf("amount", { type: "number" })

describe("verify", () => {
  it.each([
    ["tides", "about tides today", "verbatim"],
    ["Tides", "about tides today", "normalised"],
    ["tidal range", "the tidal ranges", "normalised"],
    ["take a photo of a leaf", "you take a foto of a leaf", "fuzzy"],
    ["USD", "it is $40", "normalised"],
    ["EUR", "forty euros", "normalised"],
    ["https://boxcar.dev/backup", "see boxcar dot dev/backup", "normalised"],
    ["ir@corvid.com", "write to ir at corvid dot com", "normalised"]
  ])("takes %j from %j as %s", (value, quote, support) => {
    expect(verify(value, quote, text)).toBe(support)
  })

  it.each([
    ["currents", "about tides today"],
    ["EUR", "it is $40"],
    ["ocean tides", "ocean and tides"],
    ["", "anything"],
    [null, "null"]
  ])("rejects %j from %j", (value, quote) => {
    expect(verify(value, quote, text)).toBeUndefined()
  })

  it.each([
    ["Browning", "Mr Brown"],
    ["O+", "O negative"],
    ["C#", "written in C"]
  ])("rejects %j from %j, of which it is another form or sign", (value, quote) => {
    expect(verify(value, quote, text)).toBeUndefined()
  })

  it.each([["O+", "type O+", "verbatim"], ["c#", "written in C#", "normalised"], ["Browns", "a Brown", "normalised"]])(
    "takes %j from %j as %s",
    (value, quote, support) => expect(verify(value, quote, text)).toBe(support)
  )

  it.each(
    [
      ["temperature_c", 12, "minus twelve degrees", undefined],
      ["temperature_c", -12, "minus twelve degrees", "normalised"],
      ["temperature_c", -5, "–5 °C", "verbatim"],
      ["temperature_c", 90, "ninety degrees Fahrenheit", undefined],
      ["duration_minutes", 2, "two hours", undefined],
      ["duration_minutes", 7200, "two hours", undefined],
      ["duration_minutes", 120, "two hours", "normalised"],
      ["price_eur", 40, "forty dollars", undefined],
      ["price_eur", 40, "$40", undefined],
      ["price_aud", 40, "forty dollars", "normalised"],
      ["price_usd", 40, "$40", "verbatim"],
      ["weight_lb", 40, "40 pounds", "verbatim"],
      ["stay_days", 3, "three nights", "normalised"],
      ["revenue_musd", 1650, "1.65 billion dollars", "normalised"],
      ["revenue_musd", 1.65e9, "1.65 billion dollars", undefined],
      ["revenue_eur", 4_100_000, "4.1 million euros", "verbatim"],
      ["weight_kg", 2100, "two point one tonnes", "normalised"],
      ["weight_kg", 2.1, "two point one tonnes", undefined],
      ["width_cm", 240, "two metres forty", "normalised"],
      ["dose_mg", 5, ".5 mg", undefined],
      ["dose_mg", 0.5, ".5 mg", "normalised"]
    ] as const
  )("takes for %s %j with the sign and the unit of %j alone", (name, value, quote, support) => {
    expect(verify(value, quote, leaf(name, { type: "number" }))).toBe(support)
  })

  it.each([[40, "40 metres", "verbatim"], [40, "forty metres", "normalised"], [
    90,
    "an hour and a half: 90",
    "verbatim"
  ], [
    1.5,
    "one hour and a half",
    "normalised"
  ]])("takes the number %d from %j as %s", (value, quote, support) => {
    expect(verify(value, quote, amount)).toBe(support)
  })

  it.each([[4, "forty metres"], [400, "four"], [12, "1.2 million"]])(
    "rejects the number %d from %j",
    (value, quote) => {
      expect(verify(value, quote, amount)).toBeUndefined()
    }
  )

  it("settles dates by the day of recording only where the words leave it open", () => {
    const date = leaf("date", { type: "string", format: "date" })
    expect(verify("2026-06-04", "on the 4th of June", date, "2026-05-01")).toBe("normalised")
    expect(verify("2026-06-04", "on the 4th of June", date)).toBeUndefined()
    expect(verify("2026-06-05", "on the 4th of June 2026", date)).toBeUndefined()
  })

  it("takes a label of an enum by its words and by their stems", () => {
    const heating = leaf("heating", { enum: ["heat_pump", "gas"] })
    expect(verify("heat_pump", "it has a heat pump", heating)).toBe("normalised")
    expect(verify("heat_pump", "two pumps", heating)).toBe("inferred")
    expect(verify("gas", "it has a heat pump", heating)).toBeUndefined()
  })

  it("takes yes and no from the field's own words or from a plain answer", () => {
    const garden = leaf("has_garden", { type: "boolean", description: "Whether it has a garden" })
    expect(verify(true, "a lovely garden with a tree", garden)).toBe("inferred")
    expect(verify(false, "No, unfortunately not.", garden)).toBe("inferred")
    expect(verify(true, "two bathrooms", garden)).toBeUndefined()
    expect(verify(true, "We have decided to move staging.", garden)).toBeUndefined()
    expect(verify(false, "I don't know.", garden)).toBeUndefined()
  })

  it("accepts less than one random citation in a hundred", () => {
    const words =
      "harbour engine window copper ladder violin basket meadow lantern pepper saddle timber orchid gravel mirror"
        .split(" ")
    const phrase = fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 3 }).map((list) => list.join(" "))
    const pairs = fc.sample(fc.tuple(phrase, phrase), { numRuns: 2000, seed: 7 }).filter(([value, quote]) =>
      value !== quote
    )
    const accepted = pairs.filter(([value, quote]) => verify(value, quote, text) !== undefined)
    expect(accepted.length / pairs.length).toBeLessThan(0.01)
  })
})
