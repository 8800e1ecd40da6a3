import { assert, describe, it } from "@effect/vitest"
import { makeCasing } from "../../../workers/speech/Casing.ts"

const write = (text: string, terms: ReadonlyArray<string> = []) =>
  makeCasing(terms)(text.split(" "), { starts: true, ends: true }).join(" ")

describe("makeCasing", () => {
  it.each([
    ["how do the water reminders work", "How do the water reminders work?"],
    ["how much does it cost", "How much does it cost?"],
    ["what's the plan", "What's the plan?"],
    ["can you see my screen", "Can you see my screen?"],
    ["is there a limit", "Is there a limit?"]
  ])("ends a sentence with the word order of a question with its mark: %s", (heard, written) => {
    assert.strictEqual(write(heard), written)
  })

  it.each([
    ["what a day that was", "What a day that was."],
    ["how i did it is simple", "How I did it is simple."],
    ["have a look at this", "Have a look at this."],
    ["the price is four dollars", "The price is four dollars."],
    ["what you need is time", "What you need is time."]
  ])("leaves a statement a statement: %s", (heard, written) => {
    assert.strictEqual(write(heard), written)
  })

  it("writes days, months and the caller's terms as they are spelt", () => {
    assert.strictEqual(
      write("on monday i open the web rtc page", ["WebRTC", "Web RTC"]),
      "On Monday I open the Web RTC page."
    )
  })

  it("adds no mark inside of a sentence", () => {
    assert.deepStrictEqual(makeCasing([])(["how", "do", "we"], { starts: true, ends: false }), ["How", "do", "we"])
  })
})
