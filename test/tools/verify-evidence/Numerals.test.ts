import { describe, expect, it } from "vitest"
import { readingsOf, saysNumber, withWholeNumbers } from "../../../tools/verify-evidence/Numerals.ts"

describe("saysNumber", () => {
  it.each([
    ["12 dollars 50", 12.5],
    ["$ 1 200", 1200],
    ["1.200,50 €", 1200.5],
    ["1h30", 90],
    ["1:30 hours", 90],
    ["two hours and ten minutes", 130],
    ["2 hrs 10 min", 130],
    ["two hours and a half", 150],
    ["two to three hours", 120],
    ["–5 %", -5],
    ["minus three and a half", -3.5],
    ["half a million dollars", 500_000],
    ["three quarters of a million", 750_000],
    ["two dozen people", 24],
    ["a couple of hundred dollars", 200],
    ["4 ½ %", 4.5],
    ["three quarters of an hour", 45],
    ["one and a half million", 1_500_000],
    ["two thousand, five hundred", 2500],
    ["99 cents", 0.99],
    ["five hundred and fifty-three forty", 553.4],
    ["point three one", 0.31],
    ["nought point four percent", 0.4],
    ["nil point two", 0.2],
    ["bullet point two", 2],
    ["at this point five minutes are left", 5],
    [".5 mg", 0.5],
    ["one hour forty", 100],
    ["two hours, four minutes and nine seconds", 7449],
    ["2h 45m", 165],
    ["2h 45m 10s", 9910],
    ["4m 30s", 270]
  ])("hears in %j the whole number %d", (text, value) => {
    expect(saysNumber(text, value)).toBe(true)
  })

  it.each([
    ["-5 degrees", 5],
    ["3 rooms for 5 hours", 180],
    ["half a million dollars", 1_000_000],
    ["three quarters of a million", 3],
    ["three quarters of a million", 1_000_000],
    ["two dozen people", 2],
    ["two dozen people", 12],
    ["4 ½ %", 4],
    ["4 ½ %", 1],
    ["a couple of hundred dollars", 2],
    ["a couple of hundred dollars", 100],
    ["Two thirds of the voters", 2],
    ["Two thirds of the voters", 3],
    ["12 dollars 50", 12],
    ["1h30", 60],
    ["one thousand, two thousand", 3000],
    ["six thousand. Fifteen strokes", 6015],
    ["60 an hour", 216_000],
    ["nought point four percent", 4],
    ["is point five milligrams", 5],
    [".5 mg", 5],
    ["one hour forty", 60],
    ["2h 45m", 120]
  ])("does not hear in %j its part %d", (text, value) => {
    expect(saysNumber(text, value)).toBe(false)
  })

  it("hears cents as dollars where the field asks for these, and takes a scale from the field's own words", () => {
    expect(saysNumber("99 cents", 99, ["ticket_price", "Price in dollars."])).toBe(false)
    expect(saysNumber("99 cents", 99, ["priceInCents"])).toBe(true)
    expect(saysNumber("41.6 million", 41.6, ["revenue_m"])).toBe(true)
    expect(saysNumber("41.6 million", 41.6, ["revenue"])).toBe(false)
  })

  it.each([
    ["two point one tonnes", 2100, "weight_kg"],
    ["two metres forty", 240, "width_cm"],
    ["900 kilos", 0.9, "weight_t"],
    ["1.65 billion dollars", 1650, "revenue_musd"]
  ])("hears %j as %d in the unit or scale of the field", (text, value, name) => {
    expect(saysNumber(text, value, [name])).toBe(true)
    expect(saysNumber(text, value, ["amount"])).toBe(false)
  })

  it("reads a text of numbers in a time that grows with its length", () => {
    for (
      const text of [
        "may 3 ",
        "123 456 ",
        "1,234,567 ",
        "two hours and ",
        "- 5 of a half ",
        "2h 45m ",
        "point five ",
        "one hour forty "
      ]
    ) {
      const started = performance.now()
      readingsOf(text.repeat(100_000 / text.length))
      expect(performance.now() - started).toBeLessThan(3000)
    }
  })
})

describe("withWholeNumbers", () => {
  it.each([
    ["The ticket costs half ", "a million", " dollars.", "half a million"],
    ["", "Two", " thirds of the voters agreed.", "two thirds"],
    ["There are ", "two", " dozen people.", "two dozen"],
    ["Only ", "99", " cents today.", "99 cents"],
    ["It was minus ", "five", " degrees.", "minus five"],
    ["It was -", "5", " degrees.", "-5"],
    ["Then six thousand. ", "Fifteen", " strokes.", "fifteen"]
  ])("gives of %j + %j + %j the whole number", (before, quote, after, whole) => {
    expect(withWholeNumbers(before, quote, after)).toBe(whole)
  })
})
