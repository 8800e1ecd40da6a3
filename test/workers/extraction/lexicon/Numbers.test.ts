import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scanNumbers } from "../../../../workers/extraction/candidates/scan/ScanNumbers.ts"
import { numberAt, numbersIn } from "../../../../workers/extraction/lexicon/Numbers.ts"
import { tokenise } from "../../../../workers/extraction/text/Tokens.ts"
import { documentOf } from "../Footage.ts"

const all = (text: string) => numbersIn(tokenise(text)).map(({ value }) => value)
const first = (text: string) => numberAt(tokenise(text), 0)?.value

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

/** English number words, the way a careful speaker says them. */
const words = (value: number): string => {
  if (value < 20) return SMALL[value]!
  if (value < 100) return TENS[Math.floor(value / 10)]! + (value % 10 === 0 ? "" : ` ${SMALL[value % 10]}`)
  if (value < 1000) {
    return `${words(Math.floor(value / 100))} hundred${value % 100 === 0 ? "" : ` and ${words(value % 100)}`}`
  }
  const [unit, name] = value < 1e6 ? [1e3, "thousand"] as const : [1e6, "million"] as const
  const rest = value % unit
  return `${words(Math.floor(value / unit))} ${name}${
    rest === 0 ? "" : rest < 100 ? ` and ${words(rest)}` : ` ${words(rest)}`
  }`
}

describe("numberAt", () => {
  it("reads every whole number below a billion from its English words", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999 }), (value) => {
      expect(first(words(value))).toBe(value)
    }))
  })

  it("reads halves and years as people say them", () => {
    expect(first("seven and a half")).toBe(7.5)
    expect(first("two and a half million dollars")).toBe(2_500_000)
    expect(first("3 and a half")).toBe(3.5)
    expect(["twenty fifteen", "eighteen eighty-four", "nineteen ninety", "seventeen ninety-one"].map(first))
      .toEqual([2015, 1884, 1990, 1791])
    expect(first("seven and a hat")).toBe(7)
  })

  it("reads numbers side by side as two: over the end of a sentence, a comma and an \"and\"", () => {
    expect(all("The attendees were two hundred. Three people fell ill.")).toEqual([200, 3])
    expect(all("The price was twenty. Five people came.")).toEqual([20, 5])
    expect(all("between two hundred and three hundred people")).toEqual([200, 300])
    expect(all("between one million and two million dollars")).toEqual([1e6, 2e6])
    expect(all("two hundred, fifty more than last year")).toEqual([200, 50])
    expect(all("five hundred two hundred")).toEqual([500, 200])
    expect(all("one million, two hundred thousand")).toEqual([1_200_000])
    expect(all("two hundred and fifty thousand")).toEqual([250_000])
    expect(all("two thousand million")).toEqual([2e9])
    expect(all("one thousand six hundred and eighty million")).toEqual([1.68e9])
    expect(all("between one thousand and two million")).toEqual([1000, 2e6])
  })

  it("reads thousands that a space or an apostrophe parts as one number, and columns side by side as none", () => {
    expect(all("Price: 10 000 €")).toEqual([10_000])
    expect(all("Price: 12\u00a0000 EUR, then 1\u202f250 €")).toEqual([12_000, 1250])
    expect(all("CHF 1'250 or CHF 2’500.50")).toEqual([1250, 2500.5])
    expect(all("Population: 1 250 000")).toEqual([1_250_000])
    expect(all("The population is 48 312 people.")).toEqual([48_312])
    expect(all("In 2026 500 people called 555 123 4567")).toEqual([2026, 500, 555, 123, 4567])
    expect(all("Scores: 12 100 250")).toEqual([])
  })

  it("reads every decimal from its digits, with and without thousands separators", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 999 }), (whole, part) => {
      const value = Number(`${whole}.${part}`)
      expect(first(`${whole}.${part}`)).toBe(value)
      expect(first(`${whole.toLocaleString("en-US")}.${part}`)).toBe(value)
    }))
  })

  it.each([
    ["twelve point four million", 12_400_000],
    ["nineteen ninety", 1990],
    ["twenty twenty", 2020],
    ["a dozen", 12],
    ["a hundred and five", 105],
    ["3,200", 3200],
    ["12.4 million", 12_400_000],
    ["5k", 5000],
    ["5 m", 5],
    ["twenty-first", 21],
    ["the", undefined],
    ["half an hour", undefined],
    ["constructor", undefined]
  ])("reads %j as %j", (text, value) => {
    expect(first(text)).toBe(value)
  })

  it("never reads one token into two numbers", () => {
    const word = fc.constantFrom(
      "one",
      "twenty",
      "hundred",
      "and",
      "thousand",
      "point",
      "5",
      "1,000",
      "first",
      "a",
      "cat"
    )
    fc.assert(fc.property(fc.array(word, { maxLength: 12 }), (list) => {
      const found = numbersIn(tokenise(list.join(" ")))
      for (const [at, one] of found.entries()) {
        expect(one.end).toBeGreaterThan(one.at)
        expect(found[at + 1]?.at ?? Infinity).toBeGreaterThanOrEqual(one.end)
      }
    }))
  })
})

const scanned = (text: string) => {
  const [passage] = documentOf([[0, "S1", text]]).passages
  return scanNumbers(passage!, () => false).filter((one) => one.kind !== "number").map((
    one
  ) => [one.kind, one.value, one.unit, one.text])
}

const numbers = (text: string) => {
  const [passage] = documentOf([[0, "S1", text]]).passages
  return scanNumbers(passage!, () => false).filter(({ kind }) => kind === "number").map(({ value }) => value)
}

describe("scanNumbers", () => {
  it.each([
    ["Temperature: –5 °C", [-5]],
    ["Temperature: − 5 °C", [-5]],
    ["Temperature: minus twelve degrees", [-12]],
    ["Profit: –200 €", [-200, -200]],
    ["Profit: $-200", [-200]],
    ["Profit: -$200", [-200]],
    ["10–15 people, pages 3-7", [10, 15, 3, 7]],
    ["Team – 5 people", [5]],
    ["It costs 1.250 €, petrol is 1.599 € per litre", [1.599, 1.599]],
    ["a 50m pool, $50m, 50M and 50m views, 10K followers", [50, 5e7, 5e7, 5e7, 1e4]],
    ["2½ cups, 1/2 spoon and 9/10 points", [9, 10]]
  ])(
    "reads a number with its sign and its scale, and none in a range, a fraction or between words: %j",
    (text, values) => {
      const [passage] = documentOf([[0, "S1", text]]).passages
      expect(scanNumbers(passage!, () => false).map(({ value }) => value)).toEqual(values)
    }
  )

  it.each([
    ["it costs $4.50 now", "money", 4.5, "USD", "$4.50"],
    ["four hundred euros a year", "money", 400, "EUR", "four hundred euros"],
    ["ninety cents each", "money", 0.9, "USD", "ninety cents"],
    ["up eighteen percent", "percent", 18, undefined, "eighteen percent"],
    ["an error of 0.5 % only", "percent", 0.5, undefined, "0.5 %"],
    ["two hours and a half", "duration", 9000, "s", "two hours and a half"],
    ["1 hour 20 minutes later", "duration", 4800, "s", "1 hour 20 minutes"],
    ["wait half an hour", "duration", 1800, "s", "half an hour"],
    ["children four fifty if they are over six", "money", 4.5, undefined, "four fifty"],
    ["a new one for thirty-eight fifty", "money", 38.5, undefined, "thirty-eight fifty"],
    ["that's eight pounds forty", "money", 8.4, "GBP", "eight pounds forty"],
    ["two pounds five a day", "money", 2.05, "GBP", "two pounds five"],
    ["one dollar and six cents", "money", 1.06, "USD", "one dollar and six cents"],
    ["sixteen pence a kilo", "money", 0.16, "GBP", "sixteen pence"],
    ["eight pounds forty minutes ago", "money", 8, "GBP", "eight pounds"],
    ["an hour and a half", "duration", 5400, "s", "an hour and a half"],
    ["an hour and a quarter", "duration", 4500, "s", "an hour and a quarter"],
    ["a quarter of an hour", "duration", 900, "s", "quarter of an hour"],
    ["three quarters of an hour", "duration", 2700, "s", "three quarters of an hour"],
    ["it takes about an hour", "duration", 3600, "s", "an hour"]
  ])("finds in %j the %s %j", (text, kind, value, unit, quote) => {
    expect(scanned(text)).toContainEqual([kind, value, unit, quote])
  })

  it("takes no price by the hour for a length of time", () => {
    expect(scanned("sixty euros an hour").map(([kind]) => kind)).toEqual(["money"])
  })

  it("reads a number that is said as its hundreds and the rest as one", () => {
    expect(numbers("I stop at one eighty")).toEqual([180])
    expect(numbers("now it's twelve fifty, since January")).toEqual([1250])
    expect(numbers("context two-oh-five")).toEqual([205])
    expect(numbers("eight metres twenty along the top")).toEqual([8.2])
    expect(numbers("two, fifty and 2 50")).toEqual([2, 50, 2, 50])
  })

  it("hears a price in two parts in no other pair of numbers", () => {
    for (
      const text of [
        "the first 30 days",
        "the first thirty days",
        "two 50 inch screens",
        "three, fifty, a hundred",
        "one twenty minutes"
      ]
    ) {
      expect(scanned(text).filter(([kind]) => kind === "money")).toEqual([])
    }
  })

  it("reads what is below zero", () => {
    const [passage] = documentOf([[0, "S1", "minus seven degrees, then -4 °C, and 5-4 on the board"]]).passages
    expect(scanNumbers(passage!, () => false).map(({ text, value }) => [text, value])).toEqual([
      ["minus seven", -7],
      ["-4", -4],
      ["5", 5],
      ["4", 4]
    ])
  })
})
