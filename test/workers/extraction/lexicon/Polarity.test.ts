import { describe, expect, it } from "vitest"
import { affirms } from "../../../../workers/extraction/lexicon/Polarity.ts"

const affirmsWord = (text: string, word: string): boolean => {
  const from = text.indexOf(word)
  return affirms(text, from, from + word.length)
}

describe("affirms", () => {
  it.each([
    ["I want an apartment where pets are allowed.", "pets", true],
    ["Sadly, pets are not permitted in the residence.", "pets", false],
    ["The flat isn't furnished, but it has a lift.", "furnished", false],
    ["The flat isn't furnished, but it has a lift.", "lift", true],
    ["I won't mind if it is a shared ride.", "shared", true],
    ["The ticket is non-refundable.", "refundable", false],
    ["Play it without subtitles.", "subtitles", false],
    ["Smoking is not allowed, and pets are welcome.", "pets", true],
    ["There are no eggs, milk or nuts in it.", "milk", false],
    ["There are no eggs, milk or nuts in it.", "nuts", false],
    ["No, tea or coffee is fine.", "tea", true],
    ["It has no lift, but tea or coffee.", "coffee", true],
    ["It isn't furnished, has a lift or a ramp.", "ramp", true]
  ])("hears in %j that %j is %s", (text, word, said) => {
    expect(affirmsWord(text, word)).toBe(said)
  })
})
