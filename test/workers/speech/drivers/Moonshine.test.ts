import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import llamaTokenizer from "llama-tokenizer-js"
import { repeatedTail } from "../../../../workers/speech/drivers/MoonshineNetwork.ts"
import { writtenWords } from "../../../../workers/speech/drivers/MoonshineRecogniser.ts"

const tokensOf = (text: string, log_probability = 0) =>
  llamaTokenizer.encode(text, false, true).map((id) => ({ id, log_probability }))

describe("writtenWords", () => {
  it("cuts at spaces alone: punctuation, digits and other letters stay with their word", () => {
    const text = "Hello, I'm Zoë. It costs $1,299.50 in Köln-Mülheim!"
    assert.deepStrictEqual(writtenWords(tokensOf(text)).map((word) => word.text), text.split(" "))
    assert.deepStrictEqual(writtenWords([]), [])
  })

  it("is as sure of a word as of its tokens in the geometric mean", () => {
    const [first, ...others] = tokensOf("physiology")
    assert.isAbove(others.length, 0)
    const tokens = [{ ...first!, log_probability: Math.log(0.25) }, ...others]
    const [word] = writtenWords(tokens)
    assert.approximately(word!.confidence, 0.25 ** (1 / tokens.length), 1e-3)
  })
})

describe("repeatedTail", () => {
  it("is what stands more than four times in a row, beyond its first time, and nothing of speech that repeats less", () => {
    assert.strictEqual(repeatedTail([7, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]), 8)
    assert.strictEqual(repeatedTail([7, 1, 2, 1, 2, 1, 2, 1, 2]), 0)
    assert.strictEqual(repeatedTail([5, 5, 5, 5, 5]), 4)
    assert.strictEqual(repeatedTail([]), 0)
  })

  it("leaves one of the phrase where it takes the others away", () => {
    fc.assert(fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 5, max: 8 }),
      (phrase, times) => {
        const ids = [99, ...Array.from({ length: times }, () => phrase).flat()]
        assert.deepStrictEqual(ids.slice(0, ids.length - repeatedTail(ids)), [99, ...phrase])
      }
    ))
  })
})
