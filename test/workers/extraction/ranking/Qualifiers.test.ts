import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { type Footage, footage, inputOf } from "../Footage.ts"

const number = (description?: string) => ({ type: "number", ...(description === undefined ? {} : { description }) })
const taken = (properties: object, source: Footage) => extract(inputOf({ type: "object", properties }, source)).result
const talk = (...texts: ReadonlyArray<string>) =>
  footage(texts.map((text, at): [number, string, string] => [1 + 8 * at, "S1", text]), [[0.5, [
    "Welcome",
    "to our channel"
  ]]])

describe("fields that only a word tells apart", () => {
  it("take the value beside the word that the others lack", () => {
    const source = talk(
      "Let us talk about prices.",
      "The home plan costs four dollars per month.",
      "The family plan costs seven dollars per month."
    )
    expect(taken({ home_plan_price: number(), family_plan_price: number() }, source))
      .toEqual({ home_plan_price: 4, family_plan_price: 7 })
  })

  it("take what is measured as they measure, whatever else is counted near by", () => {
    const source = talk(
      "All in all you have a hundred and thirty-eight square metres on two floors.",
      "A train travels two hundred and forty kilometers in three hours."
    )
    expect(taken({ floor_area_sqm: number(), train_distance_km: number("Distance that the train travels") }, source))
      .toEqual({ floor_area_sqm: 138, train_distance_km: 240 })
  })

  it("take no ordinal for a count", () => {
    expect(
      taken(
        { free_days: { type: "integer", description: "Days that are free" } },
        talk("The first thirty days are free.")
      )
    )
      .toEqual({ free_days: 30 })
  })

  it("take no number from the middle of a labelled line", () => {
    const source = footage(
      [[1, "S1", "Let us begin."]],
      [[2, ["Two definitions", "Speed: how far a thing moves in one hour"]]]
    )
    expect(taken({ car_speed: number() }, source)).toEqual({})
  })

  it("take theirs from a talk of 2,500 words without a single full stop, before the test's time is over", {
    timeout: 20_000
  }, () => {
    const plans = "amber basalt cedar dune ember falcon garnet harbour ivory juniper kestrel lagoon maple nectar opal"
      .split(" ")
    const lines = Array.from({ length: 192 }, (_, nth) => {
      const plan = nth % plans.length
      return `the price of the ${plans[plan]!} plan is ${100 + plan} dollars per month and then`
    })
    const properties = Object.fromEntries(plans.map((plan) => [`${plan}_plan_price`, number()]))
    expect(taken(properties, talk(lines.join(" "))))
      .toEqual(Object.fromEntries(plans.map((plan, nth) => [`${plan}_plan_price`, 100 + nth])))
  })
})
