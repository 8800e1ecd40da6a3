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
})
