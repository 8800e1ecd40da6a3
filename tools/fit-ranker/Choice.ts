import type { Example } from "./Logistic.ts"

/** The candidates of one leaf. Where none of them is right, the leaf should stay empty. */
export interface Choice {
  readonly options: ReadonlyArray<Example>
}

const ITERATIONS = 400
const L2 = 1e-3

const thousandths = (value: number): number => Math.round(value * 1000) / 1000 + 0

/**
 * Weights under which each leaf's right candidates, or nothing where none is right, get most of a softmax over all of them
 * and nothing, whose logit is 0 (ListNet's top-one likelihood; Cao, Z. et al., 2007), by Adam (Kingma, D. and Ba, J., 2015).
 */
export const fitChoice = (data: ReadonlyArray<Choice>): ReadonlyArray<number> => {
  const size = data.find(({ options }) => options.length > 0)!.options[0]!.features.length
  const weights = new Float64Array(size)
  const mean = new Float64Array(size)
  const square = new Float64Array(size)
  const rows = data.map(({ options }) => options.map(({ features }) => Float64Array.from(features)))
  for (let step = 1; step <= ITERATIONS; step++) {
    const gradient = new Float64Array(size)
    data.forEach(({ options }, at) => {
      const logits = rows[at]!.map((row) => {
        let sum = 0
        for (let k = 0; k < size; k++) sum += row[k]! * weights[k]!
        return sum
      })
      const top = Math.max(0, ...logits)
      const exps = logits.map((logit) => Math.exp(logit - top))
      const none = Math.exp(-top)
      const all = exps.reduce((sum, one) => sum + one, none)
      const possible = options.some(({ right }) => right)
      const good = possible ? exps.reduce((sum, one, k) => sum + (options[k]!.right ? one : 0), 0) : none
      exps.forEach((one, k) => {
        const slope = one / all - (possible && options[k]!.right ? one / good : 0)
        if (Math.abs(slope) < 1e-7) return
        const row = rows[at]![k]!
        for (let j = 0; j < size; j++) gradient[j]! += slope * row[j]!
      })
    })
    for (let k = 0; k < size; k++) {
      const slope = gradient[k]! / data.length + (k === 0 ? 0 : L2 * weights[k]!)
      mean[k] = 0.9 * mean[k]! + 0.1 * slope
      square[k] = 0.999 * square[k]! + 0.001 * slope * slope
      weights[k]! -= (0.05 * (mean[k]! / (1 - 0.9 ** step))) / (Math.sqrt(square[k]! / (1 - 0.999 ** step)) + 1e-8)
    }
  }
  return Array.from(weights, thousandths)
}
