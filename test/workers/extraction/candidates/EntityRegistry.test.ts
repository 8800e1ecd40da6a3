import { describe, expect, it } from "vitest"
import { registryOf } from "../../../../workers/extraction/candidates/EntityRegistry.ts"
import { materialOf } from "../Footage.ts"

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
})
