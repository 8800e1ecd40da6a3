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

  it.each([
    ["foldable", "They swivel flat but they don't fold.", false],
    ["profitable", "We're not making a profit yet.", false],
    ["delivery_available", "You've got to move it yourself because we do not deliver.", false],
    ["data_loss", "Some requests failed, but no data was lost.", false],
    ["contains_ads", "There's no advertising on this show.", false],
    ["cafe_open", "The café's open and the chowder is on.", true],
    ["vaccinated", "He's had all his jabs.", true],
    ["inspection_passed", "The building inspector came by at two and passed the drainage.", true]
  ])("is read from a word that is made of the field's, or means the same: %s: %s", (name, said, value) => {
    expect(told(name, said)).toBe(value)
  })

  it.each([
    ["receipts_required", "Do you have to send us receipts? No. You don't need to enclose anything.", false],
    ["snow_expected", "Some of you have been writing in about snow. No, it's too mild for that.", false],
    ["recommended", "But would we recommend it? Yes? Yes, I see everybody nodding.", true]
  ])("is what whoever asks or wonders answers in the next sentence: %s: %s", (name, said, value) => {
    expect(told(name, said)).toBe(value)
  })

  it.each([
    ["medication_inside", "No medicines in there?", "No, those I had with me, luckily."],
    ["damage", "And there's no damage at all?", "No, none."],
    ["injuries", "And nobody was hurt, right?", "No, thank God, we were all in the cellar."]
  ])("is agreed to by a no where the question denies it: %s: %s %s", (name, ...said) => {
    expect(told(name, ...said)).toBe(false)
  })

  it.each([
    ["caps_required", "You don't need a swimming cap, somebody started that rumour and it's not true.", false],
    ["mask_required", "Masks, no, you don't need them any longer.", false],
    ["meal_served", "There's no meal on this flight, I'm afraid.", false],
    ["walk_ins_accepted", "I can't do walk-ins any more, so please book.", false],
    ["laptop_provided", "You do have to bring your own laptop.", false],
    ["vicar_available", "The vicar is away all this week.", false],
    ["under_warranty", "It's still in warranty.", true],
    ["dishwasher_safe", "And you mustn't put it in the dishwasher.", false]
  ])("needs no more than its predicate in the speaker's own words: %s: %s", (name, said, value) => {
    expect(told(name, said)).toBe(value)
  })

  it("is not read from what there will be some day", () => {
    expect(told("has_lift", "There will be a lift next year.")).toBeUndefined()
  })
})
