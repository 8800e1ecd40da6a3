import { assert, describe, it } from "@effect/vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { rateAfter, rateOfField, withoutPeriod } from "../../../../workers/extraction/lexicon/Rates.ts"
import { footage, inputOf } from "../Footage.ts"

const given = (names: ReadonlyArray<string>, text: string) => {
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "number" }])) }
  return extract(inputOf(schema, footage([[1, "A", text]]), { precision: "balanced" })).result
}

describe("what a number is reckoned by", () => {
  it("is told by the words behind it and by the field's name", () => {
    assert.deepEqual([" a day", " points a question", " per week,", " weekly", " days"].map(rateAfter), [
      "day",
      "question",
      "week",
      "week",
      undefined
    ])
    assert.deepEqual(["tablets_per_day", "weeklyFee", "day_rate", "labour_days"].map(rateOfField), [
      "day",
      "week",
      "day",
      undefined
    ])
    assert.deepEqual(withoutPeriod("day_rate"), ["rate"])
    assert.deepEqual(withoutPeriod("labour_days"), ["labour", "days"])
  })

  it.each<[ReadonlyArray<string>, string, object]>([
    [
      ["labour_days", "day_rate"],
      "Then it's five days for me at two hundred and twenty a day, so another eleven hundred.",
      {
        labour_days: 5,
        day_rate: 220
      }
    ],
    [["waterings_per_week"], "They'll need a good soak, um, twice a week once they're in flower.", {
      waterings_per_week: 2
    }],
    [["points_per_question"], "It's ten points a question, two questions, and the category is Rivers and Lakes.", {
      points_per_question: 10
    }],
    [["sessions_per_day"], "I used to tell people to do this twice a day, but honestly once a day is enough.", {
      sessions_per_day: 1
    }]
  ])("decides which field it is of: %s", (names, text, wanted) => {
    assert.deepEqual(given(names, text), wanted as never)
  })
})
