import { describe, expect, it } from "vitest"
import { numbersIn } from "../../../../workers/extraction/lexicon/Numbers.ts"
import { tokenise } from "../../../../workers/extraction/text/Tokens.ts"

describe("numbersIn", () => {
  it.each([
    ["half a million dollars", [500_000]],
    ["half a dozen eggs", [6]],
    ["two dozen people", [24]],
    ["three quarters of a million", []],
    ["a quarter of a million", []],
    ["a couple of hundred dollars", []],
    ["two thirds of the voters", []],
    ["one third of it", []],
    ["two and a half million", [2_500_000]],
    ["a couple of dollars", [2]],
    ["the first quarter of 2024", [1, 2024]]
  ])("reads of %j whole numbers and no parts of one: %j", (text, values) => {
    expect(numbersIn(tokenise(text)).map(({ value }) => value)).toEqual(values)
  })

  it.each([
    ["is point three one today", [0.31]],
    ["nought point four percent", [0.4]],
    ["the dose is point five milligrams", [0.5]],
    ["nil point two millimetres", [0.2]],
    ["two point 5", [2.5]],
    ["at this point five minutes are left", [5]],
    ["bullet point two is next", [2]],
    ["is point five of the plan", []],
    ["won two nil", [2]]
  ])("reads of %j the whole decimal and no figure of it: %j", (text, values) => {
    expect(numbersIn(tokenise(text)).map(({ value }) => value)).toEqual(values)
  })

  it("keeps the decimal digits of scaled numbers", () => {
    const texts = ["4.1 million", "$4.1m", "four point one million", "1.1 thousand"]
    expect(texts.map((text) => numbersIn(tokenise(text)).at(-1)?.value)).toEqual([
      4_100_000,
      4_100_000,
      4_100_000,
      1100
    ])
  })
})
