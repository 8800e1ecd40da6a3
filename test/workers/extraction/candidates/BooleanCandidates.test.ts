import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, viewing } from "../Footage.ts"
import { expectSound } from "../Soundness.ts"

const boolean = { type: "boolean" }

const finished = (...said: ReadonlyArray<string>) => {
  const source = footage(said.map((text, at) => [at * 10, `S${at % 2}`, text] as const))
  const schema = {
    type: "object",
    properties: { finished: { ...boolean, description: "Whether the migration finished" } }
  }
  const out = extract(inputOf(schema, source))
  expectSound(out, source, schema)
  return (out.result as { readonly finished?: boolean }).finished
}

describe("a yes or no", () => {
  it("is of what a statement exempts the opposite", () => {
    const schema = { type: "object", properties: { open_on_sunday: boolean } }
    const open = (said: string) => extract(inputOf(schema, footage([[0, "S1", said]]))).result
    expect(open("We're open every day except Sunday.")).toEqual({ open_on_sunday: false })
    expect(open("We're open on Sunday.")).toEqual({ open_on_sunday: true })
  })

  it("is no yes by what there is instead", () => {
    const schema = { type: "object", properties: { parking: boolean } }
    const parking = (said: string) =>
      extract(inputOf(schema, footage([[0, "S1", "Is there somewhere to leave a car?"], [5, "S2", said]]))).result
    expect(parking("There isn't, no, it's permit parking on the street.")).toEqual({})
    expect(parking("There's parking behind the house.")).toEqual({ parking: true })
  })

  it("is taken from answers and statements, with no more of them than says so", () => {
    const schema = {
      type: "object",
      properties: {
        garage_new: boolean,
        pets_allowed: boolean,
        cellar_finished: boolean,
        shared_garden: boolean,
        heating_replaced: boolean
      }
    }
    const out = extract(inputOf(schema, viewing))
    expect(out.result).toEqual({ garage_new: true, pets_allowed: true, shared_garden: false, heating_replaced: false })
    expect(out.evidence.spans.map(({ quote }) => quote)).toEqual([
      "Yes, it is.",
      "They are, the last tenants had two dogs.",
      "Unfortunately we don't.",
      "The heating was never replaced."
    ])
    expectSound(out, viewing, schema)
  })

  it.each<ReadonlyArray<string>>([
    ["Has the migration finished?", "We have decided to move staging to the larger instances."],
    ["Has the migration finished?", "I don't know, we will come back to it."],
    ["Has the migration finished?", "That is a long story."],
    ["I finished my coffee."],
    ["We have finished the report."],
    ["The tests are finished."]
  ])("is not taken from a sentence about something else: %s %s", (...said) => {
    expect(finished(...said)).toBeUndefined()
  })

  it.each<[boolean, ...Array<string>]>([
    [true, "Has the migration finished?", "It has."],
    [false, "Has the migration finished?", "Not yet."],
    [true, "The migration finished on Friday."],
    [true, "The migration ran all night.", "It finished on Friday."],
    [false, "The migration is not finished."]
  ])("is %s after %s %s", (value: boolean, ...said: ReadonlyArray<string>) => {
    expect(finished(...said)).toBe(value)
  })
})
