import { describe, expect, it } from "vitest"
import { read } from "../../../../../workers/extraction/candidates/Reading.ts"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { makeSourceDocument } from "../../../../../workers/extraction/text/SourceDocument.ts"
import { footage, inputOf, type Shown } from "../../Footage.ts"

const day = { type: "string", format: "date" }
const sourceOf = (said: ReadonlyArray<string>, shown: ReadonlyArray<Shown> = []) =>
  footage(said.map((text, at) => [1 + 6 * at, "S1", text]), shown)
const daysIn = (said: ReadonlyArray<string>, shown: ReadonlyArray<Shown> = []) =>
  read(makeSourceDocument(inputOf({}, sourceOf(said, shown)))).days.map((one) => [one.text, one.day!.iso])

const may = "It's the twelfth of May twenty twenty-five."

describe("a day that is named by its number alone", () => {
  it.each([
    [[may, "So the ballot is on the twenty-sixth."], [["the twenty-sixth", "2025-05-26"]]],
    [["The barn had the sixth of June, twenty twenty-six.", "We're the thirteenth now."], [[
      "the thirteenth",
      "2026-06-13"
    ]]],
    [["Opening was the sixteenth of April 2026.", "We open on Friday the seventeenth."], [[
      "Friday the seventeenth",
      "2026-04-17"
    ]]],
    [["The fifth of May 2026, the twelfth and the nineteenth."], [
      ["the twelfth", "2026-05-12"],
      ["the nineteenth", "2026-05-19"]
    ]],
    [["Today's the 28th of November 2025.", "See you on Wednesday the third."], [[
      "Wednesday the third",
      "2025-12-03"
    ]]],
    [["The meeting would be the sixteenth of December 2025.", "We moved it up, so it's the ninth."], [[
      "the ninth",
      "2025-12-09"
    ]]]
  ])("is of the month that was named last: %j", (said, days) => {
    expect(daysIn(said)).toEqual(days)
  })

  it("is of the month that the screen names, where speech names none", () => {
    expect(daysIn(["Could you do the twenty-seventh?"], [[2, ["DASHBOARD 17 Mar 2026 10:31"]]])).toEqual([
      ["the twenty-seventh", "2026-03-27"]
    ])
  })

  it.each([
    [["Could you do the twenty-seventh?"]],
    [[may, "She lives on the twelfth floor, in the eighteenth century part."]],
    [[may, "The second is mine, and the third was his."]],
    [[may, "So it's the third."]],
    [[may, "It was built for Louis the fourteenth, and then for Henry the Eighth."]],
    [[may, "We have the fifteenth and sixteenth floors."]],
    [[may, "We meet on Monday the fourteenth."]]
  ])("is none where nothing tells its month, or an ordinal counts something: %j", (said) => {
    expect(daysIn(said)).toEqual([])
  })

  it("cites the words that name it, and those that tell its month", () => {
    const said = [
      "Welcome, it's the first of September twenty twenty-five.",
      "The road works begin on the fifteenth."
    ]
    const input = inputOf({ type: "object", properties: { road_works_begin_on: day } }, sourceOf(said))
    const { evidence, result } = extract({ ...input, precision: "balanced" })
    expect(result).toEqual({ road_works_begin_on: "2025-09-15" })
    expect(evidence.spans[0]!.citations.map(({ quote, role }) => [role, quote])).toEqual([
      ["value", "the fifteenth"],
      ["input", "the first of September twenty twenty-five"]
    ])
  })
})
