import { describe, expect, it } from "vitest"
import { converted, unitAfter, unitOfField } from "../../../../workers/extraction/lexicon/Units.ts"

const field = (name: string, description = "") => unitOfField(name.split(" "), description)?.unit

describe("unitOfField", () => {
  it("reads the unit that a field's name ends with", () => {
    expect(
      ["speed kmh", "floor area sqm", "weight g", "bake minutes", "price usd", "boot litres", "humidity percent"].map((
        name
      ) => field(name))
    ).toEqual(["km/h", "m2", "g", "minute", "USD", "l", "%"])
  })

  it("takes letters that may be anything for a unit only at the end of a longer name", () => {
    expect([field("bed length m"), field("oven temp c"), field("m"), field("in stock"), field("c level")])
      .toEqual(["m", "°c", undefined, undefined, undefined])
  })

  it("takes two words for one unit before it takes one", () => {
    expect(field("speed in air m s")).toBe("m/s")
    expect(field("area square metres")).toBe("m2")
  })

  it("takes the unit of a rate, not what it is reckoned by", () => {
    expect(["price per kg", "cost per day", "sugar g l", "rate ml h", "fibre g per day"].map((name) => field(name)))
      .toEqual([undefined, undefined, "g", "ml", "g"])
    expect([field("speed km per hour"), field("wind min kn"), field("duration min")])
      .toEqual(["km/h", undefined, "minute"])
  })

  it("reads the unit of a description where the name has none", () => {
    expect(field("height", "height in centimetres")).toBe("cm")
    expect(field("speed", "speed of a person walking in km/h")).toBe("km/h")
    expect(field("raised", "amount raised, us dollars")).toBe("USD")
    expect(field("people", "how many people came")).toBeUndefined()
  })
})

describe("a letter at the end of a field's name", () => {
  it("is a tonne, a second or a degree Fahrenheit", () => {
    expect(["max load t", "acceleration s", "oven temp f", "t", "s"].map((name) => field(name)))
      .toEqual(["tonne", "second", "°f", undefined, undefined])
  })
})

describe("unitAfter", () => {
  it.each([[" in"], [" in | Height: 60 in"], [" in."], [" in, black"]])(
    "is an inch where nothing follows that it could be in: %j",
    (text) => {
      expect(unitAfter(text)).toEqual({ dimension: "length", unit: "inch" })
    }
  )

  it.each([[" in Leeds"], [" in 2026"], [" in the box"], [" inside"]])("is nothing of %j", (text) => {
    expect(unitAfter(text)).toBeUndefined()
  })
})

describe("converted", () => {
  it.each([
    [2.1, " tonnes.", "weight kg", 2100],
    [900, " kilos", "weight t", 0.9],
    [2.4, "metres", "width cm", 240],
    [4, " tons", "weight kg", undefined],
    [4, " kg", "weight kg", undefined],
    [4, " tonnes", "sugar g", undefined],
    [80, " kg", "weight lb", undefined]
  ])("gives for %d%s and the field %s: %j", (value, words, name, wanted) => {
    expect(converted(value, unitAfter(words), words, unitOfField(name.split(" "), ""))).toBe(wanted)
  })
})

describe("unitAfter", () => {
  it("reads what stands right after a number, the longer unit first", () => {
    expect(
      [" kilometers per hour.", " km/h", "%", " square metres, so", "-minute walk", " grams of flour", "°C"].map((
        text
      ) => unitAfter(text)?.unit)
    ).toEqual(["km/h", "km/h", "%", "m2", "minute", "g", "°c"])
  })

  it("takes no other word for one", () => {
    expect([" people", " in the evening", " a month", ". Kilos", ""].map(unitAfter)).toEqual(Array(5).fill(undefined))
  })
})
