import { assert, describe, it } from "@effect/vitest"
import {
  rejectionFeatures,
  rejectionScoreOf,
  rejectionWeightsIn
} from "../../../../workers/speech/drivers/SpeechRejection.ts"
import { letters, spelled } from "../Posteriors.ts"

const weights = { bias: -4, confidence: 3, clearness: 3, letters: 1, blanks: -1 }
const featuresOf = (text: string, sure: number) =>
  rejectionFeatures(spelled(`_${text}--`, sure), letters.blank, [{ text, confidence: sure }])

describe("rejectionScoreOf", () => {
  it("grows with the confidence in the words and with their length", () => {
    assert.isAbove(
      rejectionScoreOf(weights, featuresOf("hear", 0.9)),
      rejectionScoreOf(weights, featuresOf("hear", 0.4))
    )
    assert.isAbove(
      rejectionScoreOf(weights, featuresOf("hearing", 0.6)),
      rejectionScoreOf(weights, featuresOf("he", 0.6))
    )
  })

  it("counts letters, not words, and frames without a letter as blank", () => {
    const one = rejectionFeatures(spelled("_he-"), letters.blank, [{ text: "he", confidence: 0.5 }])
    assert.approximately(one.blanks, 1 / 4, 1e-6)
    assert.approximately(one.letters, Math.log(2), 1e-6)
    assert.approximately(one.clearness, 0.99, 1e-3)
    const two = rejectionFeatures(spelled("_he-"), letters.blank, [{ text: "a", confidence: 0 }, {
      text: "her",
      confidence: 1
    }])
    assert.approximately(two.confidence, 3 / 4, 1e-6)
  })

  it("is a number where nothing was heard", () => {
    assert.isTrue(Number.isFinite(rejectionScoreOf(weights, rejectionFeatures(spelled("---"), letters.blank, []))))
  })
})

describe("rejectionWeightsIn", () => {
  it("reads what a stack gives, and nothing from one that leaves a weight out", () => {
    assert.deepStrictEqual(rejectionWeightsIn({ sureness: weights }), weights)
    const { blanks: _, ...part } = weights
    for (const options of [{}, { sureness: part }, { sureness: "high" }]) assert.isNull(rejectionWeightsIn(options))
  })
})
