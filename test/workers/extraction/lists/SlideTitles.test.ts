import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { inputOf, lecture } from "../Footage.ts"

const list = (name: string, description?: string, more: object = { t_start: { type: "number" } }) => ({
  type: "array",
  items: {
    type: "object",
    properties: { [name]: { type: "string", ...(description === undefined ? {} : { description }) }, ...more }
  }
})
const modules = (...asked: Parameters<typeof list>) => ({ type: "object", properties: { modules: list(...asked) } })
const titles = ["Ocean Tides", "Two terms", "Ranges", "Further reading"]
const times = [0.5, 30.5, 60.5, 90.5]
const found = (schema: object, precision: "strict" | "balanced") =>
  extract(inputOf(schema, lecture, { precision })).result
const entries = (name: string) => titles.map((title, at) => ({ [name]: title, t_start: times[at] }))

describe("a list that asks for slides by their titles", () => {
  it("has every slide with its second, whatever the property is called, at both precisions", () => {
    for (const precision of ["strict", "balanced"] as const) {
      for (const name of ["title", "heading", "topic", "name"]) {
        expect(found(modules(name, "Title of the slide."), precision)).toEqual({ modules: entries(name) })
      }
      expect(found(modules("heading", "Heading of the slide."), precision)).toEqual({ modules: entries("heading") })
      expect(found(list("title", "Title of the slide"), precision)).toEqual(entries("title"))
    }
  })

  it("is told by the words for a section, and by titles with times that are the whole result", () => {
    expect(found(modules("topic", "Topic of the section."), "balanced")).toEqual({ modules: entries("topic") })
    expect(found(list("title"), "balanced")).toEqual(entries("title"))
  })

  it("is no list of anything else that has a name", () => {
    const products = { type: "object", properties: { products: list("name") } }
    expect(JSON.stringify(found(products, "balanced"))).not.toContain("Two terms")
    expect(JSON.stringify(found(modules("name", "Name of the teacher."), "balanced"))).not.toContain("Two terms")
  })
})

const places = {
  type: "object",
  properties: { places: { type: "array", description: "Places that are mentioned.", items: { type: "string" } } }
}

describe("a list of places", () => {
  it("takes neither definitions nor people", () => {
    for (const precision of ["strict", "balanced"] as const) {
      const { result } = extract(inputOf(places, lecture, { precision }))
      expect(JSON.stringify(result)).not.toMatch(/tide with|Andersen|Paul Hall/u)
    }
  })
})

describe("an entry of which only its moment would be left", () => {
  it("is not in the result", () => {
    for (const name of ["heading", "topic", "caption"]) {
      const { result } = extract(inputOf(modules(name), lecture, { precision: "strict" }))
      for (const one of (result as { readonly modules?: ReadonlyArray<object> }).modules ?? []) {
        expect(Object.keys(one)).toContain(name)
      }
    }
  })
})
