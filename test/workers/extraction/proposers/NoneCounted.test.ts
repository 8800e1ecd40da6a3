import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

const count = (description: string) => ({ type: "integer", description })
const walk = { people_joined: count("How many people joined the walk") }
const taken = (properties: object, turns: ReadonlyArray<Turn>) =>
  extract(inputOf({ type: "object", properties }, footage(turns))).result

const rest: ReadonlyArray<Turn> = [
  [20, "S1", "We started at the mill and followed the river down to the weir."],
  [30, "S1", "The weather was kind to us for most of the morning."]
]

describe("a count of which there is none", () => {
  it.each([
    [walk, "On the second day nobody joined us.", { people_joined: 0 }],
    [{ injury_count: count("Number of injuries") }, "There were no injuries this time.", { injury_count: 0 }],
    [{ injuries: count("") }, "There were no injuries this time.", { injuries: 0 }],
    [{ injuries: count("") }, "Nobody was injured, but two roofs came off.", { injuries: 0 }],
    [
      { people_injured: count("How many people were injured") },
      "Nobody was injured, but two roofs came off.",
      { people_injured: 0 }
    ],
    [{ complaints: count("") }, "So far no one has complained.", { complaints: 0 }]
  ])("is 0 where speech says so", (properties, said, result) => {
    expect(taken(properties, [[1, "S1", said], ...rest])).toEqual(result)
  })

  it("is a sum of 0 where all of its name is denied, and nothing where another is", () => {
    const fee = { joining_fee: { type: "number", description: "GBP" } }
    expect(taken(fee, [[1, "S1", "There's no joining fee, we've scrapped it."], ...rest])).toEqual({ joining_fee: 0 })
    expect(taken(fee, [[1, "S1", "There's no parking fee, we've scrapped it."], ...rest])).toEqual({})
  })

  it.each([
    "Nobody likes rain.",
    "Has nobody joined yet?",
    "If nobody joined, we would go home.",
    "No dogs joined us."
  ])("is nothing where something else is denied, asked or supposed: %s", (said) => {
    expect(taken(walk, [[1, "S1", said], ...rest])).toEqual({})
  })
})

describe("a day on the screen", () => {
  const due = { homework: { type: "object", properties: { due: { type: "string", format: "date" } } } }
  const dayOf = (line: string) => {
    const shown: ReadonlyArray<Shown> = [[0.5, [line, "www.garden-helper.example"]]]
    const input = inputOf({ type: "object", properties: due }, footage(rest, shown))
    return extract({ ...input, hints: { recorded_at: "2026-11-20" } }).result
  }

  it("is none that a call to action names", () => {
    expect(dayOf("Start today")).toEqual({})
    expect(dayOf("Sign up today!")).toEqual({})
  })
})
