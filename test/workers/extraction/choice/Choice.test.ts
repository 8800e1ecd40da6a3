import { describe, expect, it } from "vitest"
import { choicesBy } from "../../../../workers/extraction/choice/Choice.ts"
import type { Option } from "../../../../workers/extraction/choice/ChoiceFeatures.ts"
import { planOf } from "../../../../workers/extraction/text/Plan.ts"

const [leaf] = planOf({ type: "object", properties: { weight_lb: { type: "number" } } }).leaves
const passage = { text: "Weight: 80 kg, or 176" } as Option["one"]["candidate"]["passage"]

const option = (value: number, barred?: true): Option => ({
  one: {
    leaf: leaf!,
    value,
    score: 0,
    candidate: { passage, from: 0, to: 2, kind: "number", text: String(value), value },
    ...(barred === undefined ? {} : { barred })
  },
  features: [value]
})

/** One tree of one cut: what is above 100 has a logit of 0, all else of 2. */
const trees = { base: 0, trees: [[0, 100, 2, 0]] }

describe("choicesBy", () => {
  it("never gives a value that is another unit's, and gives no other its likelihood", () => {
    const alone = choicesBy(trees, [option(176)])
    const beside = choicesBy(trees, [option(80, true), option(176)])
    expect(alone.map(({ value }) => value)).toEqual([176])
    expect(beside.map(({ value }) => value)).toEqual([176])
    expect(alone[0]!.score).toBeCloseTo(1 / 2)
    expect(beside[0]!.score).toBeCloseTo(1 / (2 + Math.exp(2)))
  })
})
