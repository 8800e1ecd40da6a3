/** What a fit learns from: features of one case and whether it was right. */
export interface Example {
  readonly features: ReadonlyArray<number>
  readonly right: boolean
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000 + 0

/** The solution of a small linear system by elimination with row exchange. */
const solve = (matrix: ReadonlyArray<ReadonlyArray<number>>, right: ReadonlyArray<number>): ReadonlyArray<number> => {
  const rows = matrix.map((row, at) => [...row, right[at]!])
  const size = rows.length
  for (let at = 0; at < size; at++) {
    let pivot = at
    for (let row = at; row < size; row++) if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row
    ;[rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!]
    for (let row = 0; row < size; row++) {
      if (row === at) continue
      const factor = rows[row]![at]! / rows[at]![at]!
      for (let column = at; column <= size; column++) rows[row]![column]! -= factor * rows[at]![column]!
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!)
}

/** Unweighted logistic regression by Newton's method: its results are probabilities. */
export const fitProbability = (data: ReadonlyArray<Example>): ReadonlyArray<number> => {
  const size = data[0]!.features.length
  const ridge = 1e-3 * data.length
  let weights = Array.from({ length: size }, () => 0)
  for (let step = 0; step < 30; step++) {
    const gradient = weights.map((weight, k) => (k === 0 ? 0 : ridge * weight))
    const curvature = weights.map((_, row) => weights.map((_, k) => row !== k ? 0 : row === 0 ? 1e-6 : ridge))
    for (const { features, right } of data) {
      const said = 1 / (1 + Math.exp(-features.reduce((sum, value, k) => sum + value * weights[k]!, 0)))
      for (let row = 0; row < size; row++) {
        gradient[row]! += (said - (right ? 1 : 0)) * features[row]!
        for (let k = 0; k < size; k++) curvature[row]![k]! += said * (1 - said) * features[row]! * features[k]!
      }
    }
    const move = solve(curvature, gradient)
    weights = weights.map((weight, k) => weight - move[k]!)
  }
  return weights.map(thousandths)
}
