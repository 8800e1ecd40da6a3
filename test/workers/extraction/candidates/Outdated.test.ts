import { assert, describe, it } from "@effect/vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../Footage.ts"

const given = (name: string, text: string) => {
  const schema = { type: "object", properties: { [name]: { type: "number" } } }
  const input = inputOf(schema, footage([[1, "A", text]]), { precision: "balanced" })
  return (extract(input).result as Readonly<Record<string, unknown>>)[name]
}

describe("a number that is only claimed, thought, hoped or asked for", () => {
  it.each<[string, string, number]>([
    ["batteryHours", "Now the battery. They claim eighteen hours. I got eleven.", 11],
    [
      "weightKg",
      "And it is heavy. They say forty-six kilos in the brochure. I put it on my own scales and it's forty-nine and a half.",
      49.5
    ],
    [
      "costMillions",
      "The town had budgeted thirty-eight million euros. In the end, the bill came to forty-six million.",
      46
    ],
    [
      "fire_engines",
      "To begin with there were just three fire engines here, but at the height of it there were twelve.",
      12
    ],
    ["areaHectares", "You told me twenty hectares. The map makes it eighteen point six.", 18.6],
    ["broken_tiles", "I said on the phone maybe twenty were broken. Now that I've counted, it's thirty-four.", 34],
    ["play_time_minutes", "It says sixty minutes on the box, and no. We have never finished in under ninety.", 90]
  ])("gives way to what is so: %s", (name, text, value) => {
    assert.strictEqual(given(name, text), value)
  })

  it.each<[string, string, number]>([
    ["advertised_battery_hours", "Now the battery. They claim eighteen hours. I got eleven.", 18],
    [
      "charge_time_minutes",
      "The maker promises a charge time of twenty-eight minutes, and it was twenty-eight minutes.",
      28
    ],
    ["distance_km", "The sign says the distance is twelve kilometres.", 12]
  ])("is given where it is asked for, is so, or nothing else is said: %s", (name, text, value) => {
    assert.strictEqual(given(name, text), value)
  })
})

describe("a number that is taken back", () => {
  it.each<[string, string, number]>([
    [
      "years_in_trade",
      "I've been a violin maker for twenty-two years now. No, hang on, twenty-three, it was in the spring.",
      23
    ],
    ["labour_hours", "Took me three hours. No, be honest, three and a half, with the swearing.", 3.5],
    ["vegetarian_meals", "Of those, eighteen want the vegetarian menu. Sorry, no, nineteen, your aunt wrote back.", 19],
    ["sleeve_cm", "Bend the elbow a touch. Sleeve, sixty-three. Hold on, let me do that again. Sixty-four.", 64],
    [
      "line_number",
      "You'll find it on Form N, at line forty-five. Not line forty-four, please, that's the commute.",
      45
    ],
    ["price", "It came out at thirteen hundred euros, and it's down to one thousand and ninety-nine now.", 1099]
  ])("gives way to the one that is said instead: %s", (name, text, value) => {
    assert.strictEqual(given(name, text), value)
  })
})
