import { describe, expect, it } from "vitest"
import { registryOf } from "../../../../workers/extraction/candidates/EntityRegistry.ts"
import { materialOf, type Shown, type Turn } from "../Footage.ts"

/** Who each speaker says to be. */
const speakersOf = (...texts: ReadonlyArray<string>) => {
  const { reading } = materialOf(texts.map((text, at) => [at * 10, `S${at + 1}`, text]))
  return Object.fromEntries(Array.from(registryOf(reading).speakers, ([speaker, { name }]) => [speaker, name]))
}

describe("An introduction", () => {
  it("ends with its sentence: no word of the next one is part of the name", () => {
    expect(speakersOf("Thank you for calling. My name is Laura. How can I help you?")).toEqual({ S1: "Laura" })
    expect(speakersOf("I'm Robert Hayes. Hello there.", "Hi, I'm Anna. May I ask something?")).toEqual({
      S1: "Robert Hayes",
      S2: "Anna"
    })
  })

  it("may be by one name alone where the clause ends with it, and is by the whole name where that is known", () => {
    expect(speakersOf("My name is Laura and I will help you.")).toEqual({ S1: "Laura" })
    expect(speakersOf("Hello, I'm Robert.", "Robert Hayes will take that.")).toEqual({ S1: "Robert Hayes" })
  })

  it("is none where the word goes on as an ordinary one, nor by \"this is\" and one name", () => {
    expect(speakersOf("I'm Grace period aware.", "This is Paris.", "I am happy.", "I'm Monday's host.")).toEqual({})
  })

  it.each([
    [["Hello, I'm Daniel Stone.", "Hello, I'm Daniela Stone."], { S1: "Daniel Stone", S2: "Daniela Stone" }],
    [["I'm Laura Bell, here with Laura Stone.", "My name is Laura."], { S1: "Laura Bell", S2: "Laura" }],
    [["I'm Laura Bell.", "My name is Laura."], { S1: "Laura Bell", S2: "Laura" }],
    [["I'm Laura Bell.", "This is Laura Bell, she leads the sales team."], { S1: "Laura Bell" }],
    [["I'm Laura Bell.", "This is Laura Bell from sales."], { S1: "Laura Bell" }],
    [["This is Laura Bell, our head of sales."], {}],
    [["This is Laura Bell from sales."], { S1: "Laura Bell" }],
    [["This is Nina Sommer from the office.", "Thanks."], { S1: "Nina Sommer" }]
  ])("names nobody by another person's name: %j", (texts, names) => {
    expect(speakersOf(...texts)).toEqual(names)
  })
})

/** Whom and what a source names. */
const namedIn = (said: ReadonlyArray<Turn>, seen: ReadonlyArray<Shown>) => {
  const { organisations, people } = registryOf(materialOf(said, seen).reading)
  return { organisations: organisations.map(({ name }) => name), people: people.map(({ name }) => name) }
}

describe("A name in a source", () => {
  it("is the screen's where the recogniser nearly has it, and two where one channel has both spellings", () => {
    const shown: ReadonlyArray<Shown> = [[0.5, ["Attendees", "Daniel Stone", "Daniela Stone", "Maria Lopez"]]]
    const said: ReadonlyArray<Turn> = [[5, "S1", "I'm Maria Lopes and here are Mario Lopez and Daniel Stone."]]
    expect(namedIn(said, shown).people).toEqual(["Daniel Stone", "Daniela Stone", "Maria Lopez", "Mario Lopez"])
  })

  it("is no organisation's for a place or a vehicle after \"from\" or \"by\"", () => {
    const said: ReadonlyArray<Turn> = [[5, "S1", "We bought 40 of them at Lumora in spring."]]
    const shown: ReadonlyArray<Shown> = [[0.5, ["Travel", "from Oslo", "by Train"]], [9, ["Trail Buddy", "by Lumora"]]]
    expect(namedIn(said, shown).organisations).toEqual(["Lumora"])
  })
})
