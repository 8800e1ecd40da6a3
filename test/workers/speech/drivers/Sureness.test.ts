import { assert, describe, it } from "@effect/vitest"
import { surenessFeatures, surenessIn, surenessOf } from "../../../../workers/speech/drivers/Sureness.ts"
import { letters, spelled } from "../Posteriors.ts"

const weights = { bias: -4, confidence: 3, clearness: 3, letters: 1, blanks: -1 }
const featuresOf = (text: string, sure: number) =>
  surenessFeatures(spelled(`_${text}--`, sure), letters.blank, [{ text, confidence: sure }])

describe("surenessOf", () => {
  it("grows with the confidence in the words and with their length", () => {
    assert.isAbove(surenessOf(weights, featuresOf("hear", 0.9)), surenessOf(weights, featuresOf("hear", 0.4)))
    assert.isAbove(surenessOf(weights, featuresOf("hearing", 0.6)), surenessOf(weights, featuresOf("he", 0.6)))
  })

  it("counts letters, not words, and frames without a letter as blank", () => {
    const one = surenessFeatures(spelled("_he-"), letters.blank, [{ text: "he", confidence: 0.5 }])
    assert.approximately(one.blanks, 1 / 4, 1e-6)
    assert.approximately(one.letters, Math.log(2), 1e-6)
    assert.approximately(one.clearness, 0.99, 1e-3)
    const two = surenessFeatures(spelled("_he-"), letters.blank, [{ text: "a", confidence: 0 }, {
      text: "her",
      confidence: 1
    }])
    assert.approximately(two.confidence, 3 / 4, 1e-6)
  })

  it("is a number where nothing was heard", () => {
    assert.isTrue(Number.isFinite(surenessOf(weights, surenessFeatures(spelled("---"), letters.blank, []))))
  })
})

describe("surenessIn", () => {
  it("reads what a stack gives, and nothing from one that leaves a weight out", () => {
    assert.deepStrictEqual(surenessIn({ sureness: weights }), weights)
    const { blanks: _, ...part } = weights
    for (const options of [{}, { sureness: part }, { sureness: "high" }]) assert.isNull(surenessIn(options))
  })
})
