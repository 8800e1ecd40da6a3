import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../../Footage.ts"

const listed = (name: string, items: object, said: string): unknown => {
  const schema = { type: "object", properties: { [name]: { type: "array", items } } }
  const source = footage([[0, "S1", "Good evening."], [5, "S1", said], [30, "S1", "Cheers."]], [])
  return (extract(inputOf(schema, source, { precision: "balanced" })).result as Record<string, unknown>)[name]
}
const text = { type: "string" }

describe("people who take part", () => {
  it.each([
    "Absent are Ruth Andersen, Tom Okafor and Priya Nair.",
    "The attendees don't include Ruth Andersen, Tom Okafor or Priya Nair.",
    "Ruth Andersen, Tom Okafor and Priya Nair couldn't make it.",
    "We have apologies from Ruth Andersen and Tom Okafor."
  ])("are none of those who are said not to: %s", (said) => {
    expect(listed("attendees", text, said)).toBeUndefined()
  })

  it.each([
    ["Ruth Andersen is here, but Tom Okafor couldn't come.", ["Ruth Andersen"]],
    ["Ruth Andersen is not convinced, and Tom Okafor agrees.", ["Ruth Andersen", "Tom Okafor"]]
  ])("are those of whom nothing denies that they do: %s", (said, people) => {
    expect(listed("attendees", text, said)).toEqual(people)
  })

  it("are those who do not where a list asks for them", () => {
    expect(listed("absent_participants", text, "Absent are Ruth Andersen and Tom Okafor.")).toEqual([
      "Ruth Andersen",
      "Tom Okafor"
    ])
  })
})

describe("labels of a list", () => {
  it.each([
    [["breakfast", "lunch", "dinner"], "The meals: breakfast is included, lunch and dinner are on your own.", [
      "breakfast"
    ]],
    [["red", "blue", "green"], "The colours are red. Blue is sold out and the green one was discontinued.", ["red"]],
    [["ios", "windows", "linux"], "It runs on iOS. Windows and Linux will follow next year.", ["ios"]]
  ])("are none of %j that is not to be had: %s", (labels, said, given) => {
    expect(listed("options", { enum: labels }, said)).toEqual(given)
  })

  it("are what is gone where a list asks for that", () => {
    const labels = { enum: ["red", "blue", "green"] }
    expect(listed("sold_out_colors", labels, "The colours are red. Blue and green are sold out.")).toContain("blue")
  })
})
