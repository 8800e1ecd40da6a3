import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

const resultOf = (properties: object, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []): unknown =>
  extract(inputOf({ type: "object", properties }, footage(turns, shown))).result

const talk = (...texts: ReadonlyArray<string>): ReadonlyArray<Turn> =>
  texts.map((text, at): Turn => [1 + at * 8, at % 2 === 0 ? "S1" : "S2", text])

const text = (name: string) => ({ [name]: { type: ["string", "null"], description: "Only if it is shown." } })
const number = (description: string) => ({ type: ["number", "null"], description })
const boolean = (description: string) => ({ type: ["boolean", "null"], description })

describe("fields that ask for what is stated only", () => {
  it("take the number that follows their own words, with its unit in the quote", () => {
    const properties = {
      damage: number("Damage in dollars, only if an amount is stated."),
      refund_amount: number("Refund that is promised, only if one is promised."),
      cooking_minutes: number("Minutes of cooking, only if they are said."),
      discount: number("Discount in percent, only if one is offered.")
    }
    const turns = talk(
      "The damage is about four thousand dollars, they said.",
      "You get a refund of twelve dollars and a discount of twenty percent.",
      "The cooking time is 25 minutes."
    )
    const { evidence, result } = extract(inputOf({ type: "object", properties }, footage(turns)))
    expect(result).toEqual({ damage: 4000, refund_amount: 12, cooking_minutes: 25, discount: 20 })
    expect(evidence.spans.map(({ quote }) => quote)).toEqual([
      "four thousand dollars",
      "twelve dollars",
      "25 minutes",
      "twenty percent"
    ])
  })

  it("take no number that something else counts, that is asked for, supposed, or the end of a scale", () => {
    const properties = {
      refund_amount: number("Refund that is promised, only if one is promised."),
      rating: number("Rating from 1 to 10, only if one is given.")
    }
    const turns = talk(
      "My neighbour pays thirty dollars, and she is the only one.",
      "Would a refund of nine dollars help you?",
      "If the refund were ninety dollars, I would be glad.",
      "How would you rate us on a scale from one to ten?",
      "We stayed for two hours."
    )
    expect(resultOf(properties, turns)).toEqual({})
  })

  it("take an answer whose question names them", () => {
    const properties = { asking_price: number("Asking price in dollars, only if it is said.") }
    const turns = talk("What is the asking price of the house?", "It is four hundred thousand dollars.")
    expect(resultOf(properties, turns)).toEqual({ asking_price: 400_000 })
  })

  it("take a yes or no from a statement with every word of their name", () => {
    const properties = {
      police_called: boolean("True if it is said that the police were called. Null when nothing is said about it."),
      call_recorded: boolean("True if it is said that the call is recorded. Null when nothing is said about it."),
      has_lift: boolean("True if it is said that there is a lift. Null when nothing is said about it.")
    }
    const turns = talk(
      "This call is recorded for training. How can I help?",
      "The police were not called that night.",
      "We looked at a flat with a lift last week, but that was far too small."
    )
    expect(resultOf(properties, turns)).toEqual({ police_called: false, call_recorded: true })
  })

  it("take an enum's very label, no word that is only like it", () => {
    const genre = {
      type: ["string", "null"],
      enum: ["news", "documentary", null],
      description: "Genre, only if named."
    }
    expect(resultOf({ genre }, talk("They fitted a new roof.", "The genre of it is hard to tell."))).toEqual({})
    expect(resultOf({ genre }, talk("Welcome to this documentary about lamps."))).toEqual({ genre: "documentary" })
  })
})

describe("labels on screen", () => {
  it.each([
    ["incident_date", "Date: the third"],
    ["asking_price", "Price: on demand"],
    ["course", "Course name: Tides"],
    ["home_team", "Home team: Port Ellery"]
  ])("call the field %s in %j", (name, line) => {
    expect(resultOf(text(name), [], [[0.5, ["A heading", line]]])).toEqual({ [name]: line.split(": ")[1] })
  })

  it.each([
    ["licence_plate", "Licence: CC BY"],
    ["home_team", "Team plan: twenty a month"],
    ["case_number", "Episode number: four"],
    ["year_built", "Production year: this one"]
  ])("do not call the field %s in %j", (name, line) => {
    expect(resultOf(text(name), [], [[0.5, ["A heading", line]]])).toEqual({})
  })

  it("give each of two fields its own, in whatever order they stand", () => {
    const schema = { home_score: number("Only if it is shown."), away_score: number("Only if it is shown.") }
    for (const lines of [["Home score: 27", "Away score: 26"], ["Away score: 26", "Home score: 27"]]) {
      expect(resultOf(schema, [], [[0.5, ["Full time", ...lines]]])).toEqual({ home_score: 27, away_score: 26 })
    }
    expect(resultOf(schema, [], [[0.5, ["Full time", "Away score: 26"]]])).toEqual({ away_score: 26 })
  })
})
