import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../Footage.ts"

const object = (properties: Readonly<Record<string, unknown>>) => ({ type: "object", properties })
const table = object({
  city: { type: "string", description: "City where the restaurant is" },
  restaurant_name: { type: "string", description: "Name of the restaurant" },
  party_size: { type: "integer", description: "Number of people for the reservation" },
  date: { type: "string", description: "Day of the reservation" },
  time: { type: "string", description: "Time of the reservation" },
  has_live_music: { type: "boolean", description: "Whether the restaurant has live music" }
})

/** Turns of two speakers, one after the other. */
const talk = (...turns: ReadonlyArray<string>) =>
  footage(turns.map((text, at) => [at * 6, at % 2 === 0 ? "S1" : "S2", text] as const))

const resultOf = (schema: unknown, ...turns: ReadonlyArray<string>): Readonly<Record<string, unknown>> =>
  extract(inputOf(schema as never, talk(...turns))).result as never

const opening = [
  "I'd like to reserve a table at a restaurant in Rotterdam.",
  "I found one, it is called Harbour Kitchen. For how many people and when?",
  "A table for four people on Friday at 7 pm, please."
] as const

describe("what is said last", () => {
  it("takes the number and the time that correct what was summed up before", () => {
    const result = resultOf(
      table,
      ...opening,
      "Please confirm: a table for 4 people at Harbour Kitchen on Friday at 7 pm.",
      "No, make it two people, at 8 pm.",
      "Please confirm: a table for 2 people at Harbour Kitchen on Friday at 8 pm.",
      "Yes, that is right."
    )
    expect(result).toMatchObject({ party_size: 2, time: "8 pm", date: "Friday", city: "Rotterdam" })
  })

  it("keeps what was summed up where nothing corrects it", () => {
    const result = resultOf(
      table,
      ...opening,
      "Please confirm: a table for 4 people at Harbour Kitchen on Friday at 7 pm.",
      "Yes, that is right."
    )
    expect(result).toMatchObject({ party_size: 4, time: "7 pm", restaurant_name: "Harbour Kitchen" })
  })

  it("takes the offer that was accepted, not the one that was declined", () => {
    const { restaurant_name } = resultOf(
      table,
      "Find me a restaurant in Rotterdam, please.",
      "There is a nice restaurant called Golden Anchor.",
      "Is there anything else?",
      "Another restaurant is called Harbour Kitchen.",
      "That sounds good, reserve a table there."
    )
    expect(restaurant_name).toBe("Harbour Kitchen")
  })
})

const trip = object({ pets_allowed: { type: "boolean", description: "Whether pets are allowed" } })

describe("yes and no", () => {
  it.each<readonly [string, ReadonlyArray<string>, boolean | undefined]>([
    ["an answer to a question", ["Do you allow pets in the rooms?", "Yes, we do."], true],
    ["a denial", ["Do you allow pets in the rooms?", "No, sorry."], false],
    ["a denial in the field's own words", ["Does it take animals?", "Sadly, pets are not permitted here."], false],
    ["an assertion", ["Tell me about the house.", "Pets are allowed and the garden is large."], true],
    ["a question that nobody answers", ["Do you allow pets in the rooms?", "Our address is 4 Harbour Row."], undefined],
    ["silence about it", ["Tell me about the house.", "It has four rooms and a garden."], undefined]
  ])("are taken from %s", (_, turns, allowed) => {
    expect(resultOf(trip, ...turns)["pets_allowed"]).toBe(allowed)
  })
})

describe("a choice", () => {
  it("that is only offered fills nothing, and what is chosen does", () => {
    const schema = object({
      account: { type: "string", enum: ["checking", "savings"], description: "Account to take the money from" }
    })
    expect(
      resultOf(schema, "Send 200 dollars.", "From your checking or savings account?", "From my savings account.")
    ).toEqual({ account: "savings" })
  })
})
