import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Turn } from "../../Footage.ts"

const resultOf = (list: string, properties: object, turns: ReadonlyArray<Turn>, precision: "balanced" | "strict") => {
  const items = { type: "object", properties }
  const schema = { type: "object", properties: { [list]: { type: "array", items } } }
  return extract(inputOf(schema, footage(turns), { precision })).result
}

const text = { type: "string" }
const integer = { type: "integer" }

describe("a property that tells which minute or day it was", () => {
  it.each(["strict", "balanced"] as const)("is no count of these: %s", (precision) => {
    const days: ReadonlyArray<Turn> = [
      [1, "S1", "Arden took us three days."],
      [10, "S1", "Bellow took us two days."],
      [20, "S1", "Corran took us four days."]
    ]
    expect(resultOf("stages", { town: text, day: integer }, days, precision)).toEqual({})
    expect(resultOf("stages", { town: text, days: integer }, days, "balanced")).toEqual({
      stages: [{ town: "Arden", days: 3 }, { town: "Bellow", days: 2 }, { town: "Corran", days: 4 }]
    })
  })

  it("is how long it had taken by then", () => {
    const goals: ReadonlyArray<Turn> = [
      [1, "S1", "Twelve minutes in, Keller scored."],
      [20, "S1", "Bauer scored seventy minutes into the match."]
    ]
    expect(resultOf("goals", { scorer: text, minute: integer }, goals, "balanced")).toEqual({
      goals: [{ scorer: "Keller", minute: 12 }, { scorer: "Bauer", minute: 70 }]
    })
  })
})

describe("values that a sentence tells without a name", () => {
  it("are not of whom the next sentence names with its own", () => {
    const said: ReadonlyArray<Turn> = [[
      1,
      "S1",
      "We start with squats, three sets of twelve. Then lunges, two sets of ten. And finally push ups, three sets of eight."
    ]]
    const found = resultOf("exercises", { name: text, reps: integer, sets: integer }, said, "balanced") as {
      readonly exercises?: ReadonlyArray<{ readonly name: string; readonly reps?: number; readonly sets?: number }>
    }
    const truth = [["squats", 12, 3], ["lunges", 10, 2], ["push ups", 8, 3]]
    for (const { name, reps, sets } of found.exercises ?? []) {
      const [, trueReps, trueSets] = truth.find(([one]) => one === name)!
      expect([reps ?? trueReps, sets ?? trueSets]).toEqual([trueReps, trueSets])
    }
  })
})
