import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Turn } from "../Footage.ts"

const taken = (properties: object, question: string, answer: string) => {
  const turns: ReadonlyArray<Turn> = [[0, "S1", question], [5, "S2", answer]]
  return extract(inputOf({ type: "object", properties }, footage(turns))).result
}
const temperature = { cellar_temperature_c: { type: "integer" } }

describe("what is put forward in a question", () => {
  it("gives way to another value of its sort in the answer", () => {
    const question = "It's cold in the cellar. What is the temperature, eight degrees?"
    const answer = "Twelve degrees, actually. It just feels like eight."
    expect(taken(temperature, question, answer)).toEqual({ cellar_temperature_c: 12 })
  })

  it("is not taken for a time of day that is answered by its hour alone", () => {
    const next = { next_class_time: { type: "string", description: "HH:MM" } }
    expect(taken(next, "And the next class, half six as usual?", "Er, seven. The cubs are in there.")).toEqual({})
  })

  it.each([
    ["says it as well", "Eight degrees, yes. Twelve was last year."],
    ["goes on about something else", "Yes. We moved in twelve years ago."]
  ])("holds where the answer %s", (_why, answer) => {
    expect(taken(temperature, "The cellar temperature is eight degrees, right?", answer)).toEqual({
      cellar_temperature_c: 8
    })
  })
})
