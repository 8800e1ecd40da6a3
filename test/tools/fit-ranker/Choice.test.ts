import { describe, expect, it } from "vitest"
import { type Choice, fitChoice } from "../../../tools/fit-ranker/Choice.ts"

const option = (feature: number, right: boolean) => ({ features: [1, feature], right })
const repeated = (times: number, choice: Choice): ReadonlyArray<Choice> => Array.from({ length: times }, () => choice)

/** What a leaf's option gets of the whole, nothing included. */
const shareOf = (weights: ReadonlyArray<number>, features: ReadonlyArray<number>, at: number): number => {
  const exps = features.map((feature) => Math.exp(weights[0]! + weights[1]! * feature))
  return exps[at]! / (1 + exps.reduce((sum, one) => sum + one, 0))
}

describe("fitChoice", () => {
  it("gives the option that was right most of a leaf's whole, and twice the same", () => {
    const data = repeated(50, { options: [option(1, true), option(0, false), option(0, false)] })
    const weights = fitChoice(data)
    expect(shareOf(weights, [1, 0, 0], 0)).toBeGreaterThan(0.8)
    expect(fitChoice(data)).toEqual(weights)
  })

  it("prefers nothing where no option was right", () => {
    const weights = fitChoice(repeated(50, { options: [option(1, false), option(1, false)] }))
    expect(shareOf(weights, [1, 1], 0)).toBeLessThan(0.2)
  })

  it("learns from leaves of any number of options, and counts several right ones as one", () => {
    const weights = fitChoice([
      ...repeated(30, { options: [option(1, true), option(1, true), option(0, false)] }),
      ...repeated(30, { options: [option(0, false)] })
    ])
    expect(shareOf(weights, [1, 1, 0], 0) + shareOf(weights, [1, 1, 0], 1)).toBeGreaterThan(0.8)
    expect(shareOf(weights, [0], 0)).toBeLessThan(0.3)
  })
})
