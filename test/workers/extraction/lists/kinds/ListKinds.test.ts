import { describe, expect, it } from "vitest"
import type { EntryFinder } from "../../../../../workers/extraction/candidates/Mention.ts"
import { chapters } from "../../../../../workers/extraction/lists/kinds/Chapters.ts"
import { finderFor } from "../../../../../workers/extraction/lists/kinds/ListKinds.ts"
import { participants } from "../../../../../workers/extraction/lists/kinds/PeopleAndOrganisations.ts"
import { prices, quantities } from "../../../../../workers/extraction/lists/kinds/Quantities.ts"
import {
  definitions,
  examples,
  features,
  formulas,
  outline,
  references,
  topics
} from "../../../../../workers/extraction/lists/kinds/SlideContents.ts"
import {
  decisions,
  events,
  openQuestions,
  questions,
  steps,
  tasks
} from "../../../../../workers/extraction/lists/kinds/SpokenStatements.ts"
import { keyClaims, summaryOf } from "../../../../../workers/extraction/lists/kinds/Summary.ts"
import { planOf } from "../../../../../workers/extraction/text/Plan.ts"
import { sentencesOf } from "../../../../../workers/extraction/text/Sentences.ts"
import { makeSourceDocument, quoteOf } from "../../../../../workers/extraction/text/SourceDocument.ts"
import { footage, materialOf, type Shown, type Turn } from "../../Footage.ts"

/** Entries with bare values, in order. */
const entries = (finder: EntryFinder, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []) =>
  finder(materialOf(turns, shown)).map((entry) =>
    Object.fromEntries(Object.entries(entry).map(([role, found]) => [role, found.value]))
  )
const say = (...texts: ReadonlyArray<string>): ReadonlyArray<Turn> => texts.map((text, at) => [at * 10, "S1", text])
const texts = (finder: EntryFinder, turns: ReadonlyArray<Turn>, shown: ReadonlyArray<Shown> = []) =>
  entries(finder, turns, shown).map((entry) => entry["text"] ?? entry["name"])

describe("spoken lists", () => {
  it("finds tasks with the owner who was asked or who promises, and the day", () => {
    const turns: ReadonlyArray<Turn> = [
      [0, "S1", "I'm Ines Duarte."],
      [5, "S2", "Marcus, can you resize the cluster by Thursday?"],
      [12, "S1", "I'll write the report by next Monday."],
      [20, "S2", "I can see it."]
    ]
    expect(entries(tasks, turns)).toEqual([
      { text: "resize the cluster", owner: "Marcus", due: "Thursday" },
      { text: "write the report", owner: "Ines Duarte", due: "next Monday" }
    ])
  })

  it("names nobody as owner whom only the finder numbered", () => {
    expect(entries(tasks, say("I'll send the plan by Friday."))).toEqual([{ text: "send the plan", due: "Friday" }])
  })

  it("finds decisions, not proposals", () => {
    expect(texts(decisions, say("We have decided to drop the old export.", "Maybe we should buy two.")))
      .toEqual(["drop the old export"])
  })

  it("finds questions by their mark and, where there is none, by their word order", () => {
    const turns = say(
      "How much does it cost?",
      "what does the scanner do",
      "what we want is a rest",
      "Can you hear me?"
    )
    expect(texts(questions, turns)).toEqual(["How much does it cost?", "what does the scanner do"])
  })

  it("calls a question open only if nobody answers it", () => {
    expect(texts(openQuestions, say("Who pays for it?", "I don't know yet.", "When is it due?", "On Friday."))).toEqual(
      [
        "Who pays for it?"
      ]
    )
  })

  it("finds instructions in order, without their lead", () => {
    expect(texts(steps, say("First, mix the flour and the salt.", "It smells good.", "Then bake it for ten minutes.")))
      .toEqual(["mix the flour and the salt", "bake it for ten minutes"])
  })

  it("ends a sentence at a pause where the finder writes no full stops", () => {
    const words = "we have decided to stop there is more".split(" ").map((text, at) => ({
      t_start: at + (at > 4 ? 1 : 0),
      t_end: at + (at > 4 ? 1.9 : 0.9),
      text,
      confidence: 1
    }))
    const source = footage([[0, "S1", words.map(({ text }) => text).join(" ")]])
    const transcript = { ...source.transcript, segments: [{ ...source.transcript.segments[0]!, words }] }
    const sentences = sentencesOf(makeSourceDocument({ ...source, transcript }))
    expect(sentences.map(({ text }) => text)).toEqual(["we have decided to stop", "there is more"])
  })
})

describe("lists on screen", () => {
  const slides: ReadonlyArray<Shown> = [
    [0, ["Soil Basics", "Lecturer: Ruth Andersen"]],
    [10, ["Terms", "Humus: dark matter from dead plants", "Book: Living Soil by Paul Hall", "Depth: 40 cm"]],
    [20, ["Example: a garden", "A garden of 20 square metres needs compost.", "d = m / v"]],
    [30, ["Terms", "1 / 2"]]
  ]

  it("lists each slide once, numbered, at the second of its frame", () => {
    expect(entries(outline, [], slides)).toEqual([
      { text: "Soil Basics", number: 1, t_start: 0, t_end: 9.5 },
      { text: "Terms", number: 2, t_start: 10, t_end: 19.5 },
      { text: "Example: a garden", number: 3, t_start: 20, t_end: 29.5 }
    ])
  })

  it("takes lines that explain a term as definitions, and no labels of facts or measures", () => {
    expect(entries(definitions, [], slides)).toEqual([{ term: "Humus", text: "dark matter from dead plants" }])
  })

  it("adds what speech defines and the screen does not", () => {
    const turns = say("Humus is the dark matter in the soil.", "A mulch is a layer that keeps the soil wet.")
    const terms = entries(definitions, turns, slides).map((entry) => String(entry["term"]))
    expect(terms.toSorted()).toEqual(["Humus", "mulch"])
  })

  it("finds formulas, examples and references where they stand", () => {
    expect(texts(formulas, [], slides)).toEqual(["d = m / v"])
    expect(texts(examples, [], slides)).toEqual(["A garden of 20 square metres needs compost."])
    expect(texts(references, [], slides)).toEqual(["Living Soil by Paul Hall"])
  })

  it("gives an example that is said and shown once", () => {
    expect(texts(examples, say("Here is an example. A garden of twenty square metres needs compost."), slides))
      .toHaveLength(1)
  })

  it("describes listed features from the slides of their names", () => {
    const shown: ReadonlyArray<Shown> = [
      [0, ["Trail Buddy"]],
      [10, ["Features", "• Rain warnings", "• Shared maps"]],
      [20, ["Rain warnings", "You get a warning before the rain."]]
    ]
    expect(entries(features, [], shown)).toEqual([
      { name: "Rain warnings", text: "You get a warning before the rain." },
      { name: "Shared maps" }
    ])
  })

  it("takes topics from the agenda before the headings", () => {
    expect(texts(topics, [], [[0, ["Weekly"]], [5, ["Agenda", "Budget", "Hiring"]], [9, ["Numbers", "x"]]])).toEqual([
      "Budget",
      "Hiring"
    ])
  })
})

describe("counted things", () => {
  it("reads amounts, units and names of ingredients", () => {
    expect(entries(quantities, say("You need 500 grams of flour and two tablespoons of olive oil."))).toEqual([
      { name: "flour", measure: "500 grams", quantity: 500, unit: "grams" },
      { name: "olive oil", measure: "two tablespoons", quantity: 2, unit: "tablespoons" }
    ])
  })

  it("takes a price's plan from its own line, from the line above in its column, or from the sentence", () => {
    const shown: ReadonlyArray<Shown> = [[0, [
      { text: "Prices", box: [0.1, 0.05, 0.3, 0.1] },
      { text: "Solo", box: [0.1, 0.35, 0.1, 0.05] },
      { text: "Family", box: [0.55, 0.35, 0.1, 0.05] },
      { text: "$5 per month", box: [0.1, 0.45, 0.2, 0.05] },
      { text: "€8.50 per month", box: [0.55, 0.45, 0.2, 0.05] },
      { text: "Team plan: $30", box: [0.1, 0.8, 0.2, 0.05] }
    ]]]
    expect(entries(prices, say("The school plan costs two dollars per month."), shown)).toEqual([
      { amount: 5, currency: "USD", plan: "Solo" },
      { amount: 8.5, currency: "EUR", plan: "Family" },
      { amount: 30, currency: "USD", plan: "Team plan" },
      { amount: 2, currency: "USD", plan: "school plan" }
    ])
  })

  it("counts a price that is said and shown once", () => {
    expect(entries(prices, say("It costs five dollars."), [[0, ["Prices", "$5"]]])).toHaveLength(1)
  })
})

describe("people", () => {
  it("spells a speaker as the screen does, and leaves out who is only cited", () => {
    const turns = say("hello i am marry anderson", "read soil by paul hall")
    const shown: ReadonlyArray<Shown> = [[0, ["Soil", "Mary Anderson", "Book: Soil by Paul Hall"]]]
    expect(texts(participants, turns, shown)).toEqual(["Mary Anderson"])
    expect(materialOf(turns, shown).registry.speakers.get("S1")?.name).toBe("Mary Anderson")
  })

  it("does not take two capitalised words for a person", () => {
    expect(texts(participants, say("The Spring Tide met the Solar Panel."))).toEqual([])
  })
})

const about = (words: string, n: number): ReadonlyArray<string> =>
  Array.from({ length: n }, (_, at) => `${words} ${words.split(" ").toReversed().join(" ")} number ${at}`)

describe("chapters, summary and claims", () => {
  it("cuts speech where its subject changes", () => {
    const turns = say(
      ...about("bread flour oven dough yeast crust bakery", 30),
      ...about("engine piston valve torque gearbox clutch", 30)
    )
    const found = entries(chapters, turns)
    expect(found.length).toBeGreaterThanOrEqual(2)
    expect(found.some((chapter) => Math.abs(Number(chapter["t_start"]) - 300) <= 20)).toBe(true)
  })

  it("takes for events what is told to have happened, nothing that is imagined, hearsay or a duty", () => {
    const found = entries(
      events,
      say(
        "The forklift turned too early and hit the end of the rack.",
        "Her sister plays tennis, by the way, and she won a cup in Norway.",
        "If the rack had been full, it would have landed on the office.",
        "Some people say that the driver was asleep at the wheel.",
        "I don't know, you have to ask the office about that."
      )
    )
    expect(found).toEqual([{ text: "The forklift turned too early and hit the end of the rack" }])
  })

  it("sums up with the line of the slide that sums up, else with words that were said", () => {
    const shown: ReadonlyArray<Shown> = [[0, ["Soil"]], [9, ["Summary", "Healthy soil keeps water for a long time."]]]
    expect(summaryOf(materialOf([], shown))?.value).toBe("Healthy soil keeps water for a long time.")
    const said = materialOf(say("Soil keeps the water that plants need.", "Bye."))
    expect(quoteOf(summaryOf(said)!.span)).toBe("Soil keeps the water that plants need.")
    expect(summaryOf(materialOf([]))).toBeUndefined()
  })

  it("quotes claims word for word with who says them", () => {
    const found = entries(
      keyClaims,
      say("I'm Ruth Andersen.", "The soil in the valley keeps the water of the spring.", "Is that so?")
    )
    expect(found).toEqual([{ text: "The soil in the valley keeps the water of the spring.", speaker: "Ruth Andersen" }])
  })
})

const chosen = (name: string, description: string, properties: object = { text: { type: "string" } }) => {
  const items = { type: "object", properties }
  const { lists } = planOf({ type: "object", properties: { [name]: { type: "array", description, items } } })
  return finderFor(lists[0]!)
}

describe("finderFor", () => {
  it("fills amenities from the lines under a heading that lists them", () => {
    const material = materialOf([], [[0, ["For sale"]], [9, ["Key features", "• New roof", "Solar panels"]]])
    const found = chosen("amenities", "What comes with it")!(material)
    expect(found.map((entry) => entry["text"]?.value)).toEqual(["New roof", "Solar panels"])
  })

  it("goes by the list's name before its description, and never by the properties of its entries", () => {
    expect(chosen("actionItems", "Decisions that need work")).toBe(tasks)
    expect(chosen("damages", "What broke", { people_affected: { type: "integer" } })).toBeUndefined()
  })

  it("takes plans and tiers whose entries have a price for what is sold", () => {
    expect(chosen("plans", "", { name: { type: "string" }, price_usd: { type: "number" } })).toBe(prices)
    expect(chosen("plans", "", { name: { type: "string" }, date: { type: "string" } })).toBeUndefined()
  })

  it("goes by a description only of a list without a subject of its own, or of a talk's parts", () => {
    expect(chosen("impressions", "What the speaker says of the taste")).toBeUndefined()
    expect(chosen("excluded", "What is not in the quote")).toBeUndefined()
    expect(chosen("items", "Decisions of the board")).toBe(decisions)
    expect(chosen("entries", "Features of the product")).toBe(features)
    expect(chosen("screens", "One per slide")).toBe(outline)
    expect(chosen("documents_to_bring", "As on the checklist slide")).not.toBe(outline)
  })
})
