import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { supposes } from "../../../../workers/extraction/text/Sentences.ts"
import { footage, inputOf, type Shown, type Turn } from "../Footage.ts"

const taken = (properties: object, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []) =>
  extract(inputOf({ type: "object", properties }, footage(turns, shown))).result

const string = { type: "string" }

describe("what is said plainly of a field", () => {
  it.each([
    ["Welcome back, this is episode forty-two of the show.", 42],
    ["This is episode number 7.", 7]
  ])("takes the number of what is counted: %s", (text, number) => {
    expect(taken({ episode_number: { type: "integer" } }, [[0, "S1", text]])).toEqual({ episode_number: number })
  })

  it("takes the number of a series by the word that else asks how many there are", () => {
    expect(taken({ series_number: { type: "integer" } }, [[0, "S1", "Welcome to series 3 of the show."]])).toEqual({
      series_number: 3
    })
  })

  it("takes the number from a line on screen before any that is said of something else", () => {
    const shown: ReadonlyArray<Shown> = [[0.5, ["Slow Machines", "Episode 42: Why clocks limp"]]]
    const turns: ReadonlyArray<Turn> = [[0, "S1", "In the first episode we had one bell and three clocks."]]
    expect(taken({ episode_number: { type: "integer" } }, turns, shown)).toEqual({ episode_number: 42 })
  })

  it.each([
    ["Hello, I'm Marnie and this was week two of six.", { week: 2, course_weeks: 6 }],
    ["Hello, I'm Marnie and this was week two of our course.", { week: 2 }]
  ])("tells the place in a row from how many there are: %s", (text, expected) => {
    const properties = { week: { type: "integer" }, course_weeks: { type: "integer" } }
    expect(taken(properties, [[0, "S1", text]])).toEqual(expected)
  })

  it("takes the name of a show, and neither a person's nor the start of a longer one", () => {
    const show = { show: { type: "string", description: "Name of the show, only if it is said." } }
    expect(taken(show, [[0, "S1", "This is Night Shift, and I'm Anna Keller."]])).toEqual({ show: "Night Shift" })
    expect(taken(show, [[0, "S1", "This is Anna Keller."]])).toEqual({})
    expect(taken(show, [[0, "S1", "This is the Atlas weekly."]])).toEqual({})
  })

  it("takes nobody's guest for the one who asks", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "Good evening, I'm Tom Becker, and with me is Ines Duarte."],
      [10, "S2", "Good evening, I'm Ines Duarte."]
    ]
    const shown: ReadonlyArray<Shown> = [[0.5, ["Harbour Voices", "Interview with Ines Duarte"]]]
    expect(taken({ interviewer: string }, turns, shown)).toEqual({ interviewer: "Tom Becker" })
  })

  it.each([
    [
      "agent_name",
      "Good afternoon, Fellbridge Insurance, this is Corinne speaking.",
      "Hi. My name is Ruben Castellano.",
      "Corinne"
    ],
    ["agent", "Hello, Corinne here, how can I help?", "Hi, I'm Ruben Castellano and my boiler is broken.", "Corinne"],
    ["agent_name", "Who is calling please?", "My name is Ruben Castellano. I'd like to book a table.", undefined],
    ["host", "Welcome to the show. Who is on the line?", "I'm Ruben Castellano and I have a question.", undefined],
    ["teacher", "Good morning class, open your books.", "Sir, I am Ruben Castellano, I am new here.", undefined],
    ["doctor", "Hello Mr Okonjo, I'm Doctor Feld. What brings you here?", "My chest has been tight.", "Doctor Feld"]
  ])("takes for %s of %j nobody who comes for something: %j", (name, first, second, value) => {
    const turns: ReadonlyArray<Turn> = [[0, "S1", first], [8, "S2", second]]
    expect(taken({ [name]: string }, turns)).toEqual(value === undefined ? {} : { [name]: value })
  })

  it("takes no number for a time that is followed by what it counts", () => {
    const turns: ReadonlyArray<Turn> = [[0, "S1", "The baking needs no minutes, it needs one for dinner."]]
    expect(taken({ baking_minutes: { type: "number" } }, turns)).toEqual({})
  })

  it("takes nothing that is only imagined", () => {
    const price = { price: { type: "number", description: "Price in dollars" } }
    expect(taken(price, [[0, "S1", "If the price were ninety dollars, I would hang up."]])).toEqual({})
    expect(taken(price, [[0, "S1", "The price is ninety dollars."]])).toEqual({ price: 90 })
  })
})

describe("supposes", () => {
  it.each([
    ["If it were ninety dollars, I would hang up.", true],
    ["I'd take it if it cost less.", true],
    ["If we used it, we could save a day.", true],
    ["If you're interested, I'd be happy to help.", false],
    ["If you need a pan, take this one.", false],
    ["It would cost ninety dollars.", false],
    ["It was ninety dollars.", false]
  ])("%s → %s", (text, expected) => {
    expect(supposes(text)).toBe(expected)
  })
})
