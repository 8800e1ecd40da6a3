import { describe, expect, it } from "vitest"
import { candidatesFor } from "../../../../workers/extraction/candidates/LeafCandidates.ts"
import { read } from "../../../../workers/extraction/candidates/Reading.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"
import { makeSourceDocument } from "../../../../workers/extraction/text/SourceDocument.ts"
import { footage, inputOf } from "../Footage.ts"

const valuesFor = (name: string, type: "integer" | "number", said: string) => {
  const reading = read(makeSourceDocument(inputOf({}, footage([[1, "S1", said]]))))
  const [leaf] = planOf({ type: "object", properties: { [name]: { type } } }).leaves
  return candidatesFor(reading, leaf!).map(({ value }) => value)
}

describe("a field that counts things", () => {
  it.each([
    ["previous_contacts", "The plumber took eighty quid, and we rang two times."],
    ["frets_to_replace", "The plane is a hundred and eighty millimetres long, and two are worn."]
  ])("%s is no amount of money and no measure", (name, said) => {
    expect(valuesFor(name, "integer", said)).toEqual([2])
  })

  it("is no year", () => {
    expect(valuesFor("open_bugs", "integer", "In twenty twenty-six we closed four.")).toEqual([4])
    expect(valuesFor("drink_until", "integer", "Drink it before twenty thirty-five.")).toEqual([2035])
  })

  it("in seconds is what is said in seconds", () => {
    expect(valuesFor("hold_per_position_seconds", "integer", "Hold each position for thirty seconds.")).toEqual([30])
  })
})
