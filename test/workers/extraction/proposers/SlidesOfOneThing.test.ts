import { assert, describe, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Shown } from "../Footage.ts"

const object = (name: string, properties: object) => ({
  type: "object",
  properties: { [name]: { type: "object", properties } }
})
const venue = object("venue", {
  name: { type: "string" },
  capacity: { type: "integer" },
  city: { type: "string" },
  phone: { type: "string" },
  price: { type: "number" }
})
const found = (schema: object, shown: ReadonlyArray<Shown>, precision: "balanced" | "strict" = "balanced"): unknown =>
  extract(inputOf(schema, footage([], shown, 60), { precision })).result

const hall: Shown = [2, ["Orchid Hall", "City: Leeds", "Capacity: 200"]]
const barn: Shown = [30, ["Maple Barn", "City: York", "Capacity: 80", "Phone: 01904 555 012", "Price: $900"]]

describe("an object whose members two slides tell of two things", () => {
  it("has the members of one of them, and not the rest from the other", () => {
    assert.deepEqual(found(venue, [hall, barn]), { venue: { name: "Orchid Hall", capacity: 200, city: "Leeds" } })
  })

  it("has none of them in a strict result, since it may be either", () => {
    assert.deepEqual(found(venue, [hall, barn], "strict"), {})
  })

  it("tells what stands on the other in unfilled, for a person to accept", () => {
    const { evidence } = extract(inputOf(venue, footage([], [hall, barn], 60)))
    const phone = evidence.unfilled.find(({ pointer }) => pointer === "/venue/phone")
    assert.deepEqual(phone?.candidates?.map(({ value }) => value), ["01904 555 012"])
  })

  it("is told apart whatever it is", () => {
    const phone = object("device", {
      name: { type: "string" },
      weight_grams: { type: "number" },
      battery: { type: "string" },
      colour: { type: "string" }
    })
    assert.deepEqual(
      found(phone, [
        [2, ["Aster Mini", "Weight: 140 g", "Battery: 3000 mAh"]],
        [30, ["Aster Max", "Weight: 220 g", "Battery: 5000 mAh", "Colour: Graphite"]]
      ]),
      { device: { name: "Aster Mini", weight_grams: 140, battery: "3000 mAh" } }
    )
  })
})

describe("an object whose members stand on several slides of one thing", () => {
  const bookings: ReadonlyArray<string> = ["Phone: 01904 555 012", "Price: $900"]
  const whole = { name: "Orchid Hall", capacity: 200, city: "Leeds", phone: "01904 555 012", price: 900 }

  it("has them all where no label is answered twice", () => {
    assert.deepEqual(found(venue, [hall, [30, ["Bookings", ...bookings]]]), { venue: whole })
  })

  it("has them all under one title, a corrected one by its last value", () => {
    for (const title of ["Orchid Hall", "Orchid Hall bookings"]) {
      const later: Shown = [30, [title, "Capacity: 220", ...bookings]]
      assert.deepEqual(found(venue, [hall, later]), { venue: { ...whole, capacity: 220 } }, title)
    }
  })

  it("has them all where the slides agree on more than they differ in", () => {
    const later: Shown = [30, ["Getting there", "City: Leeds", "Capacity: 200", ...bookings]]
    assert.deepEqual(found(venue, [hall, later]), { venue: whole })
  })
})
