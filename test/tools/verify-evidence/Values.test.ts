import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { answers } from "../../../tools/verify-evidence/Answers.ts"
import { followsFrom } from "../../../tools/verify-evidence/Values.ts"
import { answerOf } from "../../../workers/extraction/lexicon/Answers.ts"

const follows = (value: boolean, quote: string, ...about: ReadonlyArray<string>): boolean =>
  followsFrom(quote, value, "inferred", about)

describe("followsFrom", () => {
  it.each([
    [true, "Dogs are welcome.", "pets_allowed"],
    [true, "We migrated on Friday.", "migrationDone"],
    [true, "They planned it well.", "planning"],
    [true, "It has two lifts.", "has_lift"],
    [true, "It has a TV.", "tv"],
    [true, "They are, the last tenants had two dogs.", "garden"],
    [true, "We do.", "garden"],
    [true, "That's right, thank you.", "garden"],
    [false, "Unfortunately we don't.", "garden"],
    [false, "Not yet.", "garden"]
  ])("takes %s from %j for %s", (value, quote, about) => {
    expect(follows(value, quote, about)).toBe(true)
  })

  it.each([
    [true, "We have decided to move staging to the larger instances.", "finished"],
    [true, "Unfortunately we don't.", "garden"],
    [false, "Yes, it is.", "garden"],
    [true, "The kitchen is not large.", "garden"],
    [true, "That is the large cluster of last year.", "is_the_best"]
  ])("does not take %s from %j for %s", (value, quote, about) => {
    expect(follows(value, quote, about)).toBe(false)
  })

  it("takes a day of the week from its plural, and no other day", () => {
    expect(followsFrom("closed on Mondays", "Monday", "normalised", [])).toBe(true)
    expect(followsFrom("closed on Mondays", "Sunday", "normalised", [])).toBe(false)
  })

  it.each([
    ["Nina Sommer spoke", "ina Som", "verbatim"],
    ["room 1205", "120", "verbatim"],
    ["John wrote it", "Joan", "fuzzy"],
    ["Mario Lopez", "Maria Lopez", "fuzzy"],
    ["the plan of 2019", "the plan of 2010", "fuzzy"],
    ["call 555 0123 now", "555 0124", "fuzzy"],
    ["write to anna.meyer@example.org", "meyer@example.org", "normalised"],
    ["see example.org/teams", "https://example.org/team", "normalised"],
    ["see myexample.org", "https://example.org", "normalised"]
  ])("does not take from %j the part or the like of it that %j is, as %s", (quote, value, support) => {
    expect(followsFrom(quote, value, support, [])).toBe(false)
  })

  it.each([
    ["Nina Sommer spoke", "Nina Sommer", "verbatim"],
    ["you see that the los falls", "you see that the loss falls", "fuzzy"],
    ["www.example.org", "https://example.org", "normalised"],
    ["anna at example dot org", "anna@example.org", "normalised"]
  ])("takes from %j the value %j, as %s", (quote, value, support) => {
    expect(followsFrom(quote, value, support, [])).toBe(true)
  })

  it("hears every answer that an extractor hears, written without a line of it", () => {
    const word = fc.constantFrom(
      ..."yes yeah no nope not never sure it they we i that this there do does did is are have has don't doesn't isn't can can't would like love need really actually also so one some right correct great fine okay please thanks unfortunately afraid i'm that's sounds good works go ahead of course absolutely garage the a moved , . ? —"
        .split(" ")
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const heard = answerOf(words.join(" "))
        if (heard !== undefined) expect(answers(words.join(" "))).toBe(heard)
      }),
      { numRuns: 2000 }
    )
  })
})
