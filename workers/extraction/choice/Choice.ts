import { logitBy, type Trees } from "../judge/Trees.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Option } from "./ChoiceFeatures.ts"

/**
 * The values of one leaf with the probability that each is its right one: a softmax of what boosted trees make of them, and of nothing,
 * whose logit is 0. Pure.
 */
export const choicesBy = (trees: Trees, options: ReadonlyArray<Option>): ReadonlyArray<Ranked> => {
  const logits = options.map(({ features }) => logitBy(trees, features))
  const top = logits.reduce((high, one) => Math.max(high, one), 0)
  const whole = logits.reduce((sum, one) => sum + Math.exp(one - top), Math.exp(-top))
  return options.flatMap(({ one }, at) =>
    one.barred === undefined ? [Object.assign({}, one, { score: Math.exp(logits[at]! - top) / whole })] : []
  )
}
