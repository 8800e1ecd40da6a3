import { describe, expect, it } from "vitest"
import { extract } from "../../../../../workers/extraction/Extract.ts"
import { seriesIn } from "../../../../../workers/extraction/lists/texts/SpokenSeries.ts"
import { footage, inputOf, materialOf } from "../../Footage.ts"

/** The list of texts `name` that one sentence of speech gives. */
const saidList = (name: string, said: string, description?: string): unknown => {
  const schema = {
    type: "object",
    properties: { [name]: { type: "array", items: { type: "string" }, ...(description && { description }) } }
  }
  const source = footage([[0, "S1", "Good evening."], [5, "S1", said], [30, "S1", "Cheers."]], [])
  return (extract(inputOf(schema, source, { precision: "balanced" })).result as Record<string, unknown>)[name]
}

describe("a series in speech", () => {
  it("goes on behind the words with which people look for the next one", () => {
    const [sentence] = materialOf([[0, "S1", "You need flour, um, butter, and, uh, a lemon."]]).sentences
    expect(seriesIn(sentence!).map(({ value }) => value)).toEqual(["flour", "butter", "lemon"])
    const { sentences: [shades] } = materialOf([[0, "S1", "They have chalk, moss and, um, my favourite, ember."]])
    expect(seriesIn(shades!).map(({ value }) => value)).toEqual(["chalk", "moss", "ember"])
  })

  it("stands behind a colon whose words name the list, with or without an \"and\"", () => {
    expect(saidList("vegan_items", "Vegan shelf, small: oat milk, soy yoghurt, hummus, that's it.")).toEqual([
      "oat milk",
      "soy yoghurt",
      "hummus"
    ])
    expect(saidList("vegan_items", "By the window: tea, coffee, juice.")).toBeUndefined()
  })

  it("is none of a pair of words that lists nothing", () => {
    expect(saidList("chords", "So you've all got your open chords by now, more or less.")).toBeUndefined()
  })

  it("stays one where what is said behind it denies something else", () => {
    expect(saidList("ingredients", "The ingredients are flour, sugar and butter, which you should not melt.")).toEqual([
      "flour",
      "sugar",
      "butter"
    ])
  })

  it.each([
    ["ingredients", "The ingredients do not include milk, eggs and nuts."],
    ["symptoms", "The patient denies symptoms such as fever, cough and pain."],
    ["instruments", "Last year the instruments were violin, cello and oboe."],
    ["tools", "If you had a workshop, the tools would be a lathe, a press and a welder."],
    ["allergies", "For allergies, she has none to nuts, eggs or milk."],
    ["symptoms", "The symptoms, she denies fever, chest pain and nausea."],
    ["toppings", "The toppings, I don't want olives, onions or anchovies."],
    ["toppings", "For the toppings, leave out olives, onions and anchovies."],
    ["benefits", "The benefits never included a car, a phone or a laptop."],
    ["products", "The products used to be candles, soaps and lotions."],
    ["colors", "The colors we discontinued are red, teal and plum."],
    ["ingredients", "For the ingredients, people add eggs, milk and nuts, none of which we use."],
    ["ingredients", "The ingredients of the shop are eggs, milk and nuts, which we don't use."],
    ["snacks", "The snacks are crisps, nuts and figs, none of them for us."]
  ])("is none of %s where it is denied, over or only imagined: %s", (name, said) => {
    expect(saidList(name, said)).toBeUndefined()
  })

  it.each([
    ["instruments", "Her sister's instruments are the cello, the harp and the flute."],
    ["tools", "The tools my uncle bought are a lathe, a saw and a planer."],
    ["exercises", "The former exercises are planks, squats and lunges."],
    ["snacks", "The snacks beat candles, soaps and lotions."]
  ])("is none of %s where it is somebody else's, or what these do something to: %s", (name, said) => {
    expect(saidList(name, said)).toBeUndefined()
  })

  it.each([
    ["ingredients", "The ingredients are flour, butter and sugar, with no eggs, milk or nuts.", [
      "flour",
      "butter",
      "sugar"
    ]],
    ["discontinued_colors", "The colors we discontinued are red, teal and plum.", ["red", "teal", "plum"]],
    ["ingredients", "The next ingredients are flour, butter and sugar.", ["flour", "butter", "sugar"]]
  ])("is %s where words that could deny it deny something else, or are asked for: %s", (name, said, members) => {
    expect(saidList(name, said)).toEqual(members)
  })

  it.each([
    ["safety_gear", "For safety gear, wear gloves, safety glasses and sturdy boots.", [
      "gloves",
      "safety glasses",
      "sturdy boots"
    ]],
    ["power_items", "The power items are a power bank, a charger and an adapter.", [
      "power bank",
      "charger",
      "adapter"
    ]],
    ["apologies", "Apologies were received from Susan Tate and Rafael Ortiz.", ["Susan Tate", "Rafael Ortiz"]],
    ["shops", "The shops were Marks and Spencer, Finch and Co and Merrow.", [
      "Marks and Spencer",
      "Finch and Co",
      "Merrow"
    ]]
  ])("has all of its members and nothing of its announcement for %s: %s", (name, said, members) => {
    expect(saidList(name, said)).toEqual(members)
  })

  it.each([
    ["ingredients", "The ingredients are flour, milk, sorry, water, and sugar.", ["flour", "water", "sugar"]],
    ["toppings", "The toppings are cheese, basil and ham but not olives.", ["cheese", "basil", "ham"]]
  ])("holds no member of %s that is taken back or left out: %s", (name, said, members) => {
    expect(saidList(name, said)).toEqual(members)
  })

  it.each([
    ["The donors who gave most are Smith, Jones and Brown.", ["Smith", "Jones", "Brown"]],
    ["The tools when you travel are pliers, a wrench and a pump.", ["pliers", "wrench", "pump"]],
    ["We need Smith, Jones and Brown who has a car.", ["Smith", "Jones", "Brown"]]
  ])("keeps its first member behind an announcement of any form: %s", (said, members) => {
    const [sentence] = materialOf([[0, "S1", said]]).sentences
    expect(seriesIn(sentence!).map(({ value }) => value)).toEqual(members)
  })

  it("points to the places where its members stand, not to the same letters before", () => {
    const said = "The champion's ham toppings are ham, cheese and olives."
    const [sentence] = materialOf([[0, "S1", said]]).sentences
    expect(seriesIn(sentence!).map(({ span }) => span.from)).toEqual([
      said.indexOf("ham,"),
      said.indexOf("cheese"),
      said.indexOf("olives")
    ])
  })

  it.each([
    ["allergies", "Allergies of the patient", "The patient takes aspirin, ramipril and metformin."],
    ["desserts", "Desserts served at the wedding", "At the wedding they serve soup, salmon and salad."]
  ])("is none of %s where only a word of its description is said: %s", (name, description, said) => {
    expect(saidList(name, said, description)).toBeUndefined()
  })
})
