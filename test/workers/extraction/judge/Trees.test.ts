import { assert, describe, it } from "@effect/vitest"
import { boost, boostChoices } from "../../../../tools/fit-judge/Boosting.ts"
import { CHOICE_FEATURES } from "../../../../workers/extraction/choice/ChoiceFeatures.ts"
import { choiceTrees } from "../../../../workers/extraction/choice/ChoiceWeights.ts"
import { JUDGE_FEATURES } from "../../../../workers/extraction/judge/JudgeFeatures.ts"
import { judgeTrees, thresholds } from "../../../../workers/extraction/judge/JudgeWeights.ts"
import { chanceBy, leafCount, logitBy, treeDepth } from "../../../../workers/extraction/judge/Trees.ts"

const options = { trees: 60, rate: 0.2, least: 5, shrinkage: 1, examples: 0.8, features: 1 }

/** Right where exactly one of two features is set: what no sum of the two can tell. */
const either = Array.from({ length: 200 }, (_, at) => {
  const features = [at & 1, (at >> 1) & 1, at % 7]
  return { features, right: features[0] !== features[1], weight: 1 }
})

describe("boosted trees", () => {
  it("learn what only two features together tell", () => {
    const trees = boost(either, options, treeDepth)
    for (const { features, right } of either) assert.strictEqual(chanceBy(trees, features) > 0.5, right)
  })

  it("are the same on every run", () => {
    assert.deepStrictEqual(boost(either, options, treeDepth), boost(either, options, treeDepth))
  })
})

describe("trees that choose", () => {
  /** The right one of three is the highest; of three that are all low none is right. */
  const choices = Array.from({ length: 200 }, (_, at) => {
    const low = at % 4 === 0
    return [0, 1, 2].map((k) => ({ features: [low ? 0 : (k + at) % 3, at % 7], right: !low && (k + at) % 3 === 2 }))
  })
  const trees = boostChoices(choices, options, treeDepth)
  const chosen = (choice: (typeof choices)[number]) => choice.filter(({ features }) => logitBy(trees, features) > 0)

  it("choose the right option, and nothing where none is right", () => {
    for (const choice of choices) assert.deepStrictEqual(chosen(choice), choice.filter(({ right }) => right))
  })

  it("are whole trees over features that there are", () => {
    const inner = leafCount(treeDepth) - 1
    assert.isNotEmpty(choiceTrees.trees)
    for (const tree of choiceTrees.trees) {
      assert.lengthOf(tree, 2 * inner + leafCount(treeDepth))
      for (let node = 0; node < inner; node++) assert.isBelow(tree[2 * node]!, CHOICE_FEATURES.length)
    }
  })
})

describe("the judge's weights", () => {
  it("are whole trees over features that there are", () => {
    const inner = leafCount(treeDepth) - 1
    assert.isNotEmpty(judgeTrees.trees)
    for (const tree of judgeTrees.trees) {
      assert.lengthOf(tree, 2 * inner + leafCount(treeDepth))
      for (let node = 0; node < inner; node++) assert.isBelow(tree[2 * node]!, JUDGE_FEATURES.length)
    }
  })

  it("hold back more where strict was asked for", () => {
    assert.isAbove(thresholds.strict, thresholds.balanced)
  })
})
