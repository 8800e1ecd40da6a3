import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Example, fitProbability } from "../../../tools/fit-ranker/Logistic.ts"

const said = (weights: ReadonlyArray<number>, features: ReadonlyArray<number>): number =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * weights[at]!, 0)))

/** `right` of `of` cases with one feature set, beside as many without it of which `other` are right. */
const cases = (of: number, right: number, other: number): ReadonlyArray<Example> =>
  [1, 0].flatMap((feature) =>
    Array.from({ length: of }, (_, at) => ({ features: [1, feature], right: at < (feature === 1 ? right : other) }))
  )

describe("fitProbability", () => {
  it("gives back the shares that were right", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 180 }), fc.integer({ min: 20, max: 180 }), (right, other) => {
        const weights = fitProbability(cases(200, right, other))
        expect(said(weights, [1, 1])).toBeCloseTo(right / 200, 1)
        expect(said(weights, [1, 0])).toBeCloseTo(other / 200, 1)
      }),
      { numRuns: 20 }
    )
  })
})
