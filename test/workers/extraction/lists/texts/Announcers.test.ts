import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { footage, inputOf } from "../../Footage.ts"

const texts = { type: "array", items: { type: "string" } }
const found = (name: string, said: ReadonlyArray<string>) =>
  (extract({
    ...inputOf(
      { type: "object", properties: { [name]: texts } },
      footage(said.map((one, at) => [1 + 8 * at, "S1", one]))
    ),
    precision: "balanced"
  }).result as Record<string, ReadonlyArray<string>>)[name]

describe("a list that a verb announces in place of its name", () => {
  it.each([
    ["colours", "It comes in black, green and white.", ["black", "green", "white"]],
    ["languages", "She speaks Polish, German and a little Welsh.", ["Polish", "German", "Welsh"]],
    ["allergens", "Careful, it contains nuts, milk and celery.", ["nuts", "milk", "celery"]],
    ["stops", "The bus stops in Aveiro, Coimbra and Leiria.", ["Aveiro", "Coimbra", "Leiria"]],
    ["tools", "For this you need a hammer, a saw and some sandpaper.", ["hammer", "saw", "sandpaper"]],
    ["sponsors", "The festival is sponsored by Alder Bank, Fernwell Tea and Orbex.", [
      "Alder Bank",
      "Fernwell Tea",
      "Orbex"
    ]],
    ["pros", "What I like: the speakers, the bright screen and the fast charging.", [
      "speakers",
      "bright screen",
      "fast charging"
    ]],
    ["cons", "What I don't like: the slow camera and the slippery back.", ["slow camera", "slippery back"]],
    ["topics", "Today we'll cover wind erosion, water erosion and tillage.", [
      "wind erosion",
      "water erosion",
      "tillage"
    ]],
    ["foods_to_avoid", "Avoid nuts, crisps, and, um, anything spicy.", ["nuts", "crisps", "anything spicy"]],
    ["things_to_bring", "And please bring a torch, a warm jacket and a packed lunch.", [
      "torch",
      "warm jacket",
      "packed lunch"
    ]],
    ["topics_next_term", "Next term we'll do fractions, the Romans and electricity.", [
      "fractions",
      "Romans",
      "electricity"
    ]],
    ["included", "You get two batteries, the charger, and the neck strap.", ["two batteries", "charger", "neck strap"]],
    ["countries", "Most of it goes to Denmark, Poland and Spain.", ["Denmark", "Poland", "Spain"]],
    [
      "ppe_required",
      "Before you go in, put on your helmet, safety boots and a high visibility vest.",
      ["helmet", "safety boots", "high visibility vest"]
    ]
  ])("has all of its members: %s", (name, said, members) => {
    expect(found(name, [said])).toEqual(members)
  })

  it("has none of what is denied, asked or told of something else", () => {
    expect(found("allergens", ["It doesn't contain nuts, milk or celery."])).toBeUndefined()
    expect(found("languages", ["Does she speak Polish, German and Welsh?"])).toBeUndefined()
    expect(found("likes", ["It looked like gate four, a phone and a bag."])).toBeUndefined()
    expect(found("cons", ["What I like: the speakers, the bright screen and the fast charging."])).toBeUndefined()
    expect(found("colours", ["She speaks Polish, German and a little Welsh."])).toBeUndefined()
  })
})

describe("the first member of a series", () => {
  it.each([
    ["calling_points", ["Calling at Denby, Old Marsh, and Pellington."], ["Denby", "Old Marsh", "Pellington"]],
    ["diversion_roads", ["Diversions, then.", "Everyone else will be sent round by Mill Road and Station Approach."], [
      "Mill Road",
      "Station Approach"
    ]],
    ["best_months", ["And the best time is May, June or September."], ["May", "June", "September"]]
  ])("begins behind the verb and its preposition: %s", (name, said, members) => {
    expect(found(name, said)).toEqual(members)
  })
})

describe("a sentence that is nothing but the name of a list", () => {
  it("announces the two things of the next one", () => {
    expect(found("gear", ["Gear. Safety shoes and hi-vis vest, all of you, all the time."])).toEqual([
      "Safety shoes",
      "hi-vis vest"
    ])
  })
})
