import { describe, expect, it } from "vitest"
import { extract } from "../../../../workers/extraction/Extract.ts"
import { footage, inputOf, type Turn } from "../Footage.ts"

/** What is given of one yes-or-no field after a greeting, said in turns of two speakers. */
const told = (name: string, ...said: ReadonlyArray<string>) => {
  const turns = said.map((text, at): Turn => [8 * (at + 1), `S${at % 2}`, text])
  const schema = { type: "object", properties: { title: { type: "string" }, [name]: { type: "boolean" } } }
  const source = footage([[0, "S1", "Okay, let's go on."], ...turns])
  const { result } = extract(inputOf(schema, source, { precision: "balanced" }))
  return (result as Record<string, unknown>)[name]
}

describe("a yes or no that is stated", () => {
  it.each([
    ["over_budget", "Let's look at the choir's budget for the year."],
    ["gluten_free", "My sister always asks for gluten free recipes."],
    ["vegetarian", "Let me talk about the vegetarian version in another video."],
    ["pets_allowed", "We get asked about pets a lot."],
    ["organic", "The organic ones were too expensive so I took the normal ones."],
    ["chargerInBox", "I put the box on the table."],
    ["balcony", "The previous flat had a balcony."],
    ["approved", "The permit is still waiting to be approved."],
    ["tested", "We ran out of time to test the pump."],
    ["generator_needed", "Somebody said you need a generator."]
  ])("is not read from a mention: %s: %s", (name, said) => {
    expect(told(name, said)).toBeUndefined()
  })

  it.each([
    ["charger_included", "The charger is sold separately.", false],
    ["charger_included", "The charger is included.", true],
    ["breakfast_included", "Breakfast costs twelve euros extra.", false],
    ["helmet_required", "Helmets are optional.", false],
    ["helmet_required", "You must wear a helmet.", true],
    ["in_stock", "It's out of stock until June.", false],
    ["in_stock", "It's in stock.", true],
    ["warranty_valid", "The warranty ran out in March.", false],
    ["over_budget", "We are under budget.", false],
    ["cafe", "The cafe closed down last year.", false],
    ["warm_up", "We skip the warm-up today.", false],
    ["is_vegetarian", "I baked it, this is a vegetarian pie.", true]
  ])("needs the predicate of %s or its opposite: %s", (name, said, value) => {
    expect(told(name, said)).toBe(value)
  })

  it.each([
    ["has_wine", "Is there any wine?", "No, but we do have beer."],
    ["has_dog", "Do you have a dog?", "No, but I have two cats."],
    ["garage_included", "Is the garage included?", "No, parking is on the street."]
  ])("is what an answer settles, whatever else of its kind there is: %s: %s %s", (name, ...said) => {
    expect(told(name, ...said)).toBe(false)
  })

  it("is not read from another thing of its kind", () => {
    expect(told("has_dog", "I live here with my cat.")).toBeUndefined()
    expect(told("serves_beer", "They serve wine with lunch.")).toBeUndefined()
  })

  it.each([
    ["is_student", "There's a discount for students, but I'm not a student.", false],
    ["is_member", "For members it's cheaper. I'm not a member.", false],
    ["new_customer", "For new customers there is a bonus.", undefined]
  ])("is not read from a group that is named: %s: %s", (name, said, value) => {
    expect(told(name, said)).toBe(value)
  })
})
