import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown } from "../Footage.ts"

const text = { type: "string" }
const number = { type: "number" }
const found = (properties: Record<string, object>, said: ReadonlyArray<string>, shown: ReadonlyArray<Shown> = []) =>
  extract({
    ...inputOf({ type: "object", properties }, footage(said.map((one, at) => [1 + 6 * at, "S1", one]), shown)),
    precision: "balanced"
  }).result

describe("two that are set against each other", () => {
  it.each([
    ["Mia Ost beat Ada Roth in the final.", { winner: "Mia Ost", runner_up: "Ada Roth" }],
    ["Mia Ost narrowly lost to Ada Roth in the final.", { winner: "Ada Roth", runner_up: "Mia Ost" }]
  ])("are the winner and the other one: %s", (said, sides) => {
    const result = found({ winner: text, runner_up: text }, [said]) as Record<string, string>
    expect(Object.entries(result).filter(([side, name]) => sides[side as keyof typeof sides] !== name)).toEqual([])
  })

  it("leave nobody else the winner where a verb tells who won", () => {
    const said = [
      "Kestrel City have just beaten Dale Rovers by three goals to one.",
      "Referee Tomas Brandt sent off Hughes in the sixtieth minute."
    ]
    expect(["Kestrel City", undefined]).toContain((found({ winner: text }, said) as Record<string, string>)["winner"])
  })

  it("are who has an office and who had it", () => {
    const said = ["Paul Reyes took over as manager from Ann Shaw in May."]
    expect(found({ current_manager: text, previous_manager: text }, said)).toEqual({
      current_manager: "Paul Reyes",
      previous_manager: "Ann Shaw"
    })
  })

  it("are the least and the most", () => {
    expect(found({ min_temp_c: number, max_temp_c: number }, [], [[2, ["Thursday", "Low 3° High 11°"]]])).toEqual({
      min_temp_c: 3,
      max_temp_c: 11
    })
  })

  it("are where something falls to and where it climbs to", () => {
    const said = ["The temperature drops to minus three at night and climbs to plus six in the afternoon."]
    const { max_temp_c = 6, min_temp_c = -3 } = found({ min_temp_c: number, max_temp_c: number }, said) as Record<
      string,
      number
    >
    expect([min_temp_c, max_temp_c]).toEqual([-3, 6])
  })

  it("are neither of them the number that lies between", () => {
    const said = ["We expect between forty and fifty participants."]
    expect(found({ participants: { type: "integer" } }, said)).toEqual({})
    expect(found({ min_participants: { type: "integer" } }, said)).toEqual({ min_participants: 40 })
  })
})
