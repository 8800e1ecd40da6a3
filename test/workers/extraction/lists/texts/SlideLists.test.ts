import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown } from "../../Footage.ts"

const texts = { type: "array", items: { type: "string" } }

const listsOf = (names: ReadonlyArray<string>, ...pictures: ReadonlyArray<ReadonlyArray<string>>): unknown => {
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, texts])) }
  const shown = pictures.map((lines, at): Shown => [10 * at, lines])
  return extract(inputOf(schema, footage([], shown), { precision: "balanced" })).result
}

describe("lines under a heading", () => {
  it.each([
    [
      ["home_team", "away_team"],
      [["Home team", "Ana Lopez", "Tom Reed"], ["Away team", "Li Wei", "Joe King"]],
      { home_team: ["Ana Lopez", "Tom Reed"], away_team: ["Li Wei", "Joe King"] }
    ],
    [
      ["included"],
      [["Included", "Breakfast", "Towels"], ["Not included", "Parking", "Flights"]],
      { included: ["Breakfast", "Towels"] }
    ],
    [
      ["members"],
      [["Former members", "Ana Lopez", "Tom Reed"], ["Members", "Li Wei", "Joe King"]],
      { members: ["Li Wei", "Joe King"] }
    ],
    [
      ["morning_sessions", "afternoon_sessions"],
      [["Morning sessions", "Dosing", "Wound care"], ["Afternoon sessions", "Suturing", "Triage"]],
      { morning_sessions: ["Dosing", "Wound care"], afternoon_sessions: ["Suturing", "Triage"] }
    ],
    [["absent_members"], [["Present members", "Ana Lopez", "Tom Reed"]], {}],
    [["away_team"], [["Home team", "Ana Lopez", "Tom Reed"]], {}]
  ])("are only of the list that it names, and not of its opposite: %j", (names, pictures, result) => {
    expect(listsOf(names, ...pictures)).toEqual(result)
  })
})
