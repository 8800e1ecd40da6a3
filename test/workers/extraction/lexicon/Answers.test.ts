import { describe, expect, it } from "vitest"
import { answerOf } from "../../../../workers/extraction/lexicon/Answers.ts"

describe("answerOf", () => {
  it.each([
    "Yes, please.",
    "Yeah it does",
    "That is correct.",
    "That 's right . So we go on .",
    "Oh, sure.",
    "It does.",
    "They do have some.",
    "It sure does",
    "We have, actually.",
    "I'd love to.",
    "I'm afraid so.",
    "Okay."
  ])("hears a yes in %j", (text) => {
    expect(answerOf(text)).toBe(true)
  })

  it.each([
    "No, thanks.",
    "no the other one is still open",
    "Unfortunately it does not.",
    "They don't.",
    "It isn't yet.",
    "Of course not.",
    "Not yet.",
    "I don't need one.",
    "I'm afraid we can't."
  ])("hears a no in %j", (text) => {
    expect(answerOf(text)).toBe(false)
  })

  it.each([
    "What is the address?",
    "Number four, near the station.",
    "We have decided to move staging to the larger instances.",
    "It is a moderate price range.",
    "That is the large cluster.",
    "Right now we are waiting.",
    "Okay, good morning, I'm Priya Raman.",
    "I don't know, we will come back to it.",
    "Yeah, I don't know.",
    "Not sure.",
    "No idea.",
    "No staging was moved.",
    "They don't know yet who pays.",
    "Maybe.",
    "Yeah, it doesn't.",
    "Yes, there's no garage.",
    "No problem.",
    "Okay, thanks.",
    "It's quite a lot of work.",
    "It was true for two years.",
    "Yes?"
  ])("hears no answer in %j", (text) => {
    expect(answerOf(text)).toBeUndefined()
  })

  it("takes no longer over a stammer without end than over a word", () => {
    const stammer = `it does ${"so ".repeat(100_000)}`
    expect(answerOf(`${"well ".repeat(100_000)}yes`)).toBeUndefined()
    expect(answerOf(stammer)).toBeUndefined()
  })
})
