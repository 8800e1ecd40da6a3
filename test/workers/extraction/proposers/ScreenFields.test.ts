import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { screenFields } from "../../../../workers/extraction/proposers/ScreenFields.ts"
import { leafOf } from "../../../../workers/extraction/text/Plan.ts"
import { footage, inputOf, materialOf, type Shown, type Turn } from "../Footage.ts"

const string = { type: "string" }
const turns: ReadonlyArray<Turn> = [[0, "S1", "Good morning, everybody, and thanks for coming so early."]]

const taken = (properties: object, lines: ReadonlyArray<string>, said = turns) => {
  const shown: ReadonlyArray<Shown> = [[0.5, lines]]
  return extract({ ...inputOf({ type: "object", properties }, footage(said, shown)), precision: "balanced" }).result
}

describe("what a title card gives", () => {
  it.each([
    ["product", "PALLETWISE – stock you can trust", "PALLETWISE"],
    ["event", "LORNE BAY AUTUMN SERIES – Day 2 – Sunday 5 October 2025", "LORNE BAY AUTUMN SERIES"],
    ["title", "PHYS 142 – The Speed of Sound", "The Speed of Sound"],
    ["topic", "In-house training: Alone on the night hatch", "Alone on the night hatch"],
    ["topic", "Fibre II: what the trials say", "Fibre II: what the trials say"]
  ])("is the title alone: %s of %j", (field, line, title) => {
    expect(taken({ [field]: string }, [line])).toEqual({ [field]: title })
  })

  it("is the name of what a field of that name says that it is of, and not its speaker's", () => {
    const name = { name: { type: "string", description: "Name of the talk" } }
    expect(taken(name, ["How Bees Navigate", "Dr. Lena Ortiz"])).toEqual({ name: "How Bees Navigate" })
  })

  it("is the line below a name, for a thing's own", () => {
    const said: ReadonlyArray<Turn> = [[0, "S1", "Hello, I'm Marisol Tengwall, and this is about plans."]]
    expect(taken({ product: string }, ["Marisol Tengwall", "Ledgerfin"], said)).toEqual({ product: "Ledgerfin" })
  })
})

/** What the label of a line gives a field. */
const labelled = (name: string, line: string) =>
  screenFields(materialOf(turns, [[0.5, ["Parents' evening", line]]]), [leafOf(`/${name}`, name, string)])
    .filter(({ rule }) => rule === "screen-label").map(({ value }) => value)

describe("a label of the screen", () => {
  it("calls no field by a word beside its noun: a class trip is no class", () => {
    expect(labelled("class_name", "Class trip: Fallow Lake")).toEqual([])
    expect(labelled("class_name", "Class: Fallow Lake")).toEqual(["Fallow Lake"])
    expect(labelled("episode_title", "Episode 42: Why clocks limp")).toEqual(["Why clocks limp"])
    expect(labelled("course_name", "Course title: Pottery")).toEqual(["Pottery"])
  })
})

describe("a label that calls two fields", () => {
  it("is of the one that it calls most wholly: a class teacher is no class", () => {
    const leaves = ["class", "class_teacher"].map((name) => leafOf(`/${name}`, name, string))
    const found = screenFields(materialOf(turns, [[0.5, ["Parents' evening", "Class teacher: Ines Okafor"]]]), leaves)
      .filter(({ rule }) => rule === "screen-label").map(({ leaf, value }) => [leaf.name, value])
    expect(found).toEqual([["class_teacher", "Ines Okafor"]])
  })
})

describe("the day that a schema asks for", () => {
  const date = { type: "string", format: "date" }

  it("is of the year that the footage names elsewhere", () => {
    const said: ReadonlyArray<Turn> = [[0, "S1", "The report is due by the ninth of June, not a day later."]]
    expect(taken({ report_due: date }, ["Site meeting 12 May 2026"], said)).toEqual({ report_due: "2026-06-09" })
  })

  it("is left open where nothing tells the year", () => {
    const said: ReadonlyArray<Turn> = [[0, "S1", "The report is due by the ninth of June, not a day later."]]
    expect(taken({ report_due: date }, ["Site meeting"], said)).toEqual({})
  })
})

describe("a number that is worked out", () => {
  const total = { total_price: { type: "number" } }

  it("is none of those that it is worked out from", () => {
    expect(taken(total, ["Doors"], [[0, "S1", "The price of one door is ninety dollars."]])).toEqual({})
  })

  it("is the outcome that somebody says", () => {
    expect(taken(total, ["Doors"], [[0, "S1", "The price of all the doors comes to ninety dollars in total."]]))
      .toEqual({
        total_price: 90
      })
  })
})

describe("a labelled number for a field with its unit in its name", () => {
  const number = { type: "number" }

  it.each<readonly [string, ReadonlyArray<string>, Readonly<Record<string, number>>]>([
    ["two on one line", ["Panel", "Width: 40 mm Height: 60 mm"], { width_mm: 40, height_mm: 60 }],
    ["two prices on one line", ["Hall", "Price: $900 Deposit: $200"], { price_usd: 900, deposit_usd: 200 }],
    ["two times on one line", ["Soup", "Prep: 15 min Cooking: 1 h"], { prep_minutes: 15, cooking_minutes: 60 }],
    ["without the noun that the unit tells", ["Storage", "Min: 2 °C Max: 8 °C"], {
      min_temperature_c: 2,
      max_temperature_c: 8
    }],
    ["one per line", ["Bike", "Max speed: 25 km/h", "Range: 80 km"], { max_speed_kmh: 25, range_km: 80 }]
  ])("is that behind its own label: %s", (_, lines, wanted) => {
    const properties = Object.fromEntries(Object.keys(wanted).map((name) => [name, number]))
    expect(taken(properties, lines)).toEqual(wanted)
  })

  it("is none that has another unit", () => {
    expect(taken({ price_eur: number, deposit_eur: number }, ["Hall", "Price: $900 Deposit: $200"])).toEqual({})
  })

  it("is not what is told of another quantity of the same name", () => {
    expect(taken({ price_per_kg: number, price_usd: number }, ["Hall", "Price: $900"])).toEqual({ price_usd: 900 })
  })
})

describe("what stands on a line of several labels", () => {
  it("is never another label for a value", () => {
    const lines = ["Departures", "From: Leeds To: York", "Departure: 10:15 Arrival: 10:58"]
    const { from, ...others } = taken({ from: string, departure: string, arrival: string }, lines) as {
      readonly from?: string
    }
    expect(others).toEqual({ departure: "10:15", arrival: "10:58" })
    expect(from ?? "").not.toMatch(/\bTo\b/u)
  })

  it("is not one number for two members of an entry", () => {
    const item = {
      type: "object",
      properties: { name: string, price_usd: { type: "number" }, stock: { type: "integer" } }
    }
    const { products } = taken(
      { products: { type: "array", items: item } },
      ["Price list", "Aster Mini $199 12 in stock", "Aster Max $299 3 in stock"]
    ) as { readonly products: ReadonlyArray<{ readonly price_usd: number; readonly stock?: number }> }
    expect(products.map(({ price_usd }) => price_usd)).toEqual([199, 299])
    expect(products.filter(({ price_usd, stock }) => stock === price_usd)).toEqual([])
  })

  it("is an identifier as a whole, and no part of one", () => {
    expect(taken({ invoice_number: string }, ["Invoice 2031-7", "Total: €238.00"])).toEqual({
      invoice_number: "2031-7"
    })
  })
})

describe("what a title card gives for no title", () => {
  it.each([
    ["title", ["WE ARE HIRING", "Early-shift baker"]],
    ["topic", ["OBJECT OF THE WEEK", "Museum of the Lower Town"]],
    ["job_title", ["Sprint 27 review"]]
  ])("is why something is shown, and no job: %s of %j", (field, lines) => {
    expect(taken({ [field]: string }, lines)).not.toEqual({ [field]: lines[0] })
  })
})
