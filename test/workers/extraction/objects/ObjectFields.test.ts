import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { type Footage, footage, inputOf, type Turn } from "../Footage.ts"
import { expectSound } from "../Soundness.ts"

/** Name, score, and the left edge of a box a tenth of the picture wide. */
type Seen = readonly [name: string, score: number, left: number]

const filmed = (
  shots: ReadonlyArray<readonly [at: number, things: ReadonlyArray<Seen>]>,
  said: ReadonlyArray<Turn> = []
): Footage => {
  const source = footage(said, shots.map(([at]) => [at, []]), 60)
  const frames = source.vision.frames.map((frame, index) => ({
    ...frame,
    labels: [
      { name: "scene", confidence: 0.9 },
      ...shots[index]![1].map(([name, confidence, left]) => ({
        name,
        confidence,
        box: [left, 0.4, 0.1, 0.3] as const
      }))
    ]
  }))
  return { ...source, vision: { ...source.vision, frames } }
}

const speech: ReadonlyArray<Turn> = [[1, "S1", "Welcome back to the channel everybody."]]

type Field = Readonly<Record<string, unknown>> & { readonly type: string }
const boolean = (description: string): Field => ({ type: "boolean", description })
const integer = (description: string): Field => ({ type: "integer", description })
const text = (description: string): Field => ({ type: "string", description })
const list = (description: string, items: Field = { type: "string" }): Field => ({ type: "array", items, description })

const ask = (source: Footage, properties: Readonly<Record<string, Field>>) => {
  const schema = { type: "object", properties, additionalProperties: false }
  const out = extract(inputOf(schema, source, { precision: "strict" }))
  return { out, schema, result: out.result as Readonly<Record<string, unknown>> }
}

const yard = filmed([
  [2, [["dog", 0.62, 0.1], ["person", 0.71, 0.4], ["person", 0.66, 0.7]]],
  [20, [["dog", 0.55, 0.12], ["person", 0.7, 0.41]]]
], speech)

describe("fields that ask for what is to be seen", () => {
  it("are answered by the things on the frames, each cited with its moment and its box", () => {
    const { out, result, schema } = ask(yard, {
      has_dog: boolean("Whether a dog is visible in the video"),
      people_count: integer("How many people are shown"),
      animal: text("Which animal is shown"),
      pet: { type: "string", enum: ["Cat", "Dog"], description: "Pet that can be seen" },
      animals: list("Animals that appear in the footage"),
      thing_kind: { type: "string", enum: ["vehicle", "animal"], description: "Kind of thing in the picture" }
    })
    expect(result).toEqual({
      has_dog: true,
      people_count: 2,
      animal: "dog",
      pet: "Dog",
      animals: ["dog"],
      thing_kind: "animal"
    })
    expectSound(out, yard, schema)
    const at = new Map(out.evidence.spans.map((span) => [span.pointer, span]))
    expect(at.get("/has_dog")).toMatchObject({
      origin_channel: "vision",
      modality: "visual",
      quote: "dog",
      source_ref: "frame#000004",
      media_fragment: "#t=2,19.5&xywh=percent:10,40,10,30",
      grade: "classified",
      verified: true,
      proposed_by: "rules:seen-things"
    })
    const people = at.get("/people_count")!
    expect(people).toMatchObject({ grade: "computed", formula: "count(seen at once)", verified: true })
    expect(people.citations.map(({ media_fragment, quote, role }) => [quote, role, media_fragment])).toEqual([
      ["person", "input", "#t=2,19.5&xywh=percent:40,40,10,30"],
      ["person", "input", "#t=2,19.5&xywh=percent:70,40,10,30"]
    ])
  })

  it("stay open where nothing of it was seen surely: that nothing was found is no answer", () => {
    const { result } = ask(filmed([[2, [["dog", 0.45, 0.1]]]], speech), {
      has_dog: boolean("Whether a dog is visible"),
      has_cat: boolean("Whether a cat is visible"),
      dogs: integer("How many dogs are visible"),
      animals: list("Animals that are shown")
    })
    expect(result).toEqual({})
  })

  it("stay open where they ask for more than a thing, or for what is said", () => {
    const { result } = ask(yard, {
      leashed: boolean("Whether the dog that is shown is on a leash"),
      no_dog: boolean("Whether the video is shown without a dog"),
      mentioned: integer("How many people are mentioned in the video"),
      guests: integer("Number of people"),
      dog_name: text("Name of the dog that is shown and who owns it"),
      breeds: list("Dog breeds that are shown"),
      cat_or_car: boolean("Whether a cat or a car is shown")
    })
    expect(result).toEqual({})
  })

  it("need not say that they ask for the picture where nobody speaks", () => {
    const fields = { dogs: integer("Number of dogs") }
    const shots = [[2, [["dog", 0.62, 0.1], ["dog", 0.6, 0.5]]]] as const
    expect(ask(filmed(shots), fields).result).toEqual({ dogs: 2 })
    expect(ask(filmed(shots, speech), fields).result).toEqual({})
  })

  it("are counted at one moment alone where things come one after another", () => {
    const passing = filmed([
      [2, [["car", 0.62, 0.1]]],
      [10, [["car", 0.61, 0.5], ["car", 0.58, 0.8]]],
      [20, [["car", 0.64, 0.3]]]
    ])
    const { result } = ask(passing, {
      cars: integer("How many cars are shown"),
      most_cars: integer("How many cars are shown at the same time")
    })
    expect(result).toEqual({ most_cars: 2 })
  })

  it("are not counted where one of them is doubtful, nor where two kinds contend for one name", () => {
    const doubtful = filmed([[2, [["car", 0.62, 0.1], ["truck", 0.6, 0.5], ["car", 0.41, 0.8]]]])
    const { result } = ask(doubtful, {
      cars: integer("How many cars are shown"),
      vehicle: text("Which vehicle is shown"),
      vehicles: list("Vehicles that are shown", { type: "string", enum: ["car", "truck", "bus"] })
    })
    expect(result).toEqual({ vehicles: ["car", "truck"] })
  })

  it("go before what was made of words", () => {
    const said: ReadonlyArray<Turn> = [[1, "S1", "My sister has two dogs and a cat, but there is no dog here."]]
    const { result } = ask(filmed([[2, [["dog", 0.62, 0.1]]]], said), {
      has_dog: boolean("Whether a dog is visible"),
      dogs: integer("Number of dogs that are visible")
    })
    expect(result).toEqual({ has_dog: true, dogs: 1 })
  })
})
