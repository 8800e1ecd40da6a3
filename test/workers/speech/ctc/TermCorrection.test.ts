import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Word } from "../../../../src/artifacts/Transcript.ts"
import { correctTerms } from "../../../../workers/speech/ctc/TermCorrection.ts"
import { letters, spelled } from "../Posteriors.ts"

/** Half a second per letter and space, so that frames of half a second are those of the words. */
const wordsOf = (text: string, confidence = 0.5): ReadonlyArray<Word> => {
  let at = 0
  return text.split(" ").map((word) => {
    const t_start = at
    at += (word.length + 1) / 2
    return { text: word, t_start, t_end: at - 0.5, confidence }
  })
}
const heard = (sound: string) => ({
  posteriors: spelled(sound, 0.9),
  t_start: 0,
  frame_seconds: 0.5,
  latency_seconds: 0
})
const read = (words: ReadonlyArray<Word>) => words.map(({ text }) => text).join(" ")
const correct = (sound: string, words: ReadonlyArray<Word>, ...terms: ReadonlyArray<string>) =>
  read(correctTerms(heard(sound), letters, words, terms))

describe("correctTerms", () => {
  it("writes an expected term where the sound is its own and the recogniser was unsure", () => {
    assert.strictEqual(correct("by_vandaris_here", wordsOf("by vanderis, here"), "Vandaris"), "by Vandaris, here")
    assert.strictEqual(
      correct("by_vandaris_here", wordsOf("by vanderis, here", 0.99), "Vandaris"),
      "by vanderis, here"
    )
    assert.strictEqual(correct("by_vanities_here", wordsOf("by vanities here"), "Vandaris"), "by vanities here")
  })

  it("takes two words for one and one for two, within their time", () => {
    const two = correctTerms(heard("to_keelhaven_now"), letters, wordsOf("to keel heaven now"), ["Keelhaven"])
    assert.strictEqual(read(two), "to Keelhaven now")
    assert.deepStrictEqual([two[1]!.t_start, two[1]!.t_end], [1.5, 7])
    const one = correctTerms(heard("to_keel_haven_now"), letters, wordsOf("to keelhaaven now"), ["Keel Haven"])
    assert.strictEqual(read(one), "to Keel Haven now")
    assert.deepStrictEqual([one[1]!.t_start, one[2]!.t_end], [1.5, 6.5])
  })

  it("leaves words alone that are expected themselves, numbers, and a word beside that the term would double", () => {
    assert.strictEqual(correct("the_leaders", wordsOf("the leader"), "leaders", "leader"), "the leader")
    assert.strictEqual(correct("in_fourteen", wordsOf("in 14th."), "fourteen"), "in 14th.")
    assert.strictEqual(correct("a_plant_grows", wordsOf("a plant crows", 0.1), "a plant grows"), "a plant grows")
  })

  it("spells a term as the caller does, with a capital where what was heard has one and the term has none", () => {
    assert.strictEqual(correct("the_vandaris", wordsOf("the vanderis"), "VANDARIS"), "the VANDARIS")
    assert.strictEqual(correct("vandaris_here", wordsOf("Vanderis here"), "vanDaris"), "vanDaris here")
    assert.strictEqual(correct("peter_stone", wordsOf("Peter Stoan"), "peter stone"), "Peter Stone")
  })

  it("keeps words in time order and changes nothing without terms", () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/u)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.array(word, { maxLength: 8 }), (said, terms) => {
        const words = wordsOf(said.join(" "))
        const sound = heard(said.join("_"))
        assert.deepStrictEqual(correctTerms(sound, letters, words, []), words)
        let last = 0
        for (const { t_end, t_start } of correctTerms(sound, letters, words, terms)) {
          assert.isAtLeast(t_start, last)
          assert.isAtLeast(t_end, t_start)
          last = t_end
        }
      })
    )
  })
})
