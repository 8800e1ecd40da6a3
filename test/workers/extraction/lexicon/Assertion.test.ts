import { describe, expect, it } from "vitest"
import { isAsserted } from "../../../../workers/extraction/lexicon/Assertion.ts"

describe("isAsserted", () => {
  it.each([
    ["The dog is vaccinated.", "vaccinated", true],
    ["Pets are not allowed.", "allowed", true],
    ["You should know the bridge is open.", "open", true],
    ["The bridge is open, but the road will be closed.", "open", true],
    ["Guests may bring pets.", "pets", true],
    ["We are open until nine.", "open", true],
    ["She will be washed and vaccinated.", "vaccinated", false],
    ["Massage could be offered.", "Massage", false],
    ["We are open every day except Sunday.", "Sunday", false],
    ["They stopped being allowed.", "allowed", false],
    ["He claimed the bridge was open but that is wrong.", "open", false]
  ])("tells of %j whether %j is a fact: %s", (sentence, word, asserted) => {
    expect(isAsserted(sentence, sentence.indexOf(word))).toBe(asserted)
  })
})
