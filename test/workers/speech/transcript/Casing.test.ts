import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makeCasing } from "../../../../workers/speech/transcript/Casing.ts"

const casing = makeCasing([])
const write = (text: string, terms: ReadonlyArray<string> = []) => makeCasing(terms)(text.split(" "), null).join(" ")

/** Words with a silence after each one that is marked with a bar. */
const spoken = (text: string) => {
  const words = text.split(" ")
  return casing(words.map((word) => word.replace("|", "")), words.map((word) => word.endsWith("|") ? 0.8 : 0.02)).join(
    " "
  )
}

describe("makeCasing", () => {
  it("gives one word for one word, its letters unchanged but for their case, marks only behind it, the last always with one", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "i",
        "what",
        "is",
        "the",
        "mcdonald's",
        "a",
        "p",
        "iphone",
        "monday",
        "o'brien",
        "i'm",
        "please",
        "and",
        "3:45"
      ),
      fc.stringMatching(/^[a-z']{1,12}$/u),
      fc.string({ unit: "grapheme", minLength: 1 }).filter((text) =>
        text === text.toLowerCase() && text.toUpperCase().toLowerCase() === text
      )
    )
    const turn = fc.array(fc.tuple(word, fc.double({ min: 0, max: 5, noNaN: true })), { maxLength: 40 })
    fc.assert(fc.property(turn, fc.boolean(), (turn, timed) => {
      const words = turn.map(([text]) => text)
      const pauses = timed ? turn.map(([, pause]) => pause) : null
      const written = casing(words, pauses)
      assert.lengthOf(written, words.length)
      written.forEach((text, i) => {
        assert.strictEqual(text.slice(0, words[i]!.length).toLowerCase(), words[i])
        assert.match(text.slice(words[i]!.length), /^[,.?]?$/u)
      })
      if (written.length > 0) assert.match(written.at(-1)!, /[.?]$/u)
      assert.deepStrictEqual(casing(words, pauses), written)
    }))
  })

  it("parts two names that a silence parts, and leaves one name whole", () => {
    assert.match(
      spoken("and i am peter stone| garden helper is made by green hill software"),
      /^And I am Peter Stone\. Garden/u
    )
    assert.match(spoken("and i am peter| stone"), /^And I am Peter\. Stone\.$/u)
    assert.match(spoken("and i am peter stone from green hill software"), /^And I am Peter Stone from/u)
  })

  it("writes no word in capitals that can be said as one", () => {
    assert.match(spoken("the app has three main features"), /^The app has/u)
    assert.match(spoken("the api has three main features"), /^The API has/u)
  })

  it("writes nothing for nothing", () => {
    assert.deepStrictEqual(casing([], null), [])
    assert.deepStrictEqual(casing([], []), [])
  })

  it.each([
    ["how do the water reminders work", "How do the water reminders work?"],
    ["how much does it cost", "How much does it cost?"],
    ["what's the plan", "What's the plan?"],
    ["can you see my screen", "Can you see my screen?"],
    ["is there a limit", "Is there a limit?"]
  ])("ends a question with its mark: %s", (heard, written) => {
    assert.strictEqual(write(heard), written)
  })

  it.each([
    ["how i did it is simple", "How I did it is simple."],
    ["have a look at this", "Have a look at this."],
    ["the price is four dollars", "The price is four dollars."],
    ["what you need is time", "What you need is time."]
  ])("leaves a statement a statement: %s", (heard, written) => {
    assert.strictEqual(write(heard), written)
  })

  it("finds the sentences of a turn by its words and by its silences", () => {
    assert.strictEqual(
      spoken("thank you for listening| are there any questions| yes i have one"),
      "Thank you for listening. Are there any questions? Yes, I have one."
    )
    assert.strictEqual(
      write("my name is mary brown today we talk about speed and distance"),
      "My name is Mary Brown. Today we talk about speed and distance."
    )
  })

  it("does not end a sentence where somebody only hesitates", () => {
    assert.strictEqual(
      spoken("we decided to go with the| second option"),
      "We decided to go with the second option."
    )
  })

  it("gives names, cities and spelt acronyms their capitals, and leaves the same words small where they name nothing", () => {
    assert.strictEqual(
      write("i flew from san francisco to berlin with maria lopez"),
      "I flew from San Francisco to Berlin with Maria Lopez."
    )
    assert.strictEqual(write("we call the a p i from the browser"), "We call the A P I from the browser.")
    assert.strictEqual(write("the gpu is faster than both cpus"), "The GPU is faster than both CPUs.")
    assert.strictEqual(write("they will rose the bill"), "They will rose the bill.")
  })

  it("writes days, months and the caller's terms as they are spelt, whole terms only", () => {
    assert.strictEqual(
      write("i open the web rtc page on monday", ["WebRTC", "Web RTC"]),
      "I open the Web RTC page on Monday."
    )
    assert.strictEqual(write("we like the kestrel", ["Kestrel Nine"]), "We like the kestrel.")
    assert.strictEqual(write("kestrel nine is what we like", ["kestrel NINE"]), "Kestrel NINE is what we like.")
  })

  it("writes the names that mix their letters as their owners do, at the start of a sentence too", () => {
    assert.strictEqual(write("iphone and github are names"), "iPhone and GitHub are names.")
  })
})
