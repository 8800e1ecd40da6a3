/** Beyond this many rows or columns the best pairs are taken one by one: the best assignment takes cubic time. */
const MOST = 128

/** Pairs by falling worth, each row and each column once. */
const greedy = (worth: ReadonlyArray<ReadonlyArray<number>>): ReadonlyMap<number, number> => {
  const cells = worth.flatMap((row, at) => row.flatMap((value, to) => value > 0 ? [{ at, to, value }] : []))
  const pairs = new Map<number, number>()
  const taken = new Set<number>()
  for (const { at, to } of cells.toSorted((a, b) => b.value - a.value || a.to - b.to || a.at - b.at)) {
    if (pairs.has(at) || taken.has(to)) continue
    pairs.set(at, to)
    taken.add(to)
  }
  return pairs
}

/** For every row the column of the least total cost; there are no fewer columns than rows (Kuhn 1955, with potentials). */
const cheapest = (costs: ReadonlyArray<ReadonlyArray<number>>, width: number): ReadonlyArray<number> => {
  const rowPotential = new Float64Array(costs.length + 1)
  const potential = new Float64Array(width + 1)
  const rowOf = new Int32Array(width + 1)
  const way = new Int32Array(width + 1)
  for (let row = 1; row <= costs.length; row++) {
    const least = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY)
    const used = new Uint8Array(width + 1)
    let column = 0
    rowOf[0] = row
    do {
      used[column] = 1
      const from = rowOf[column]!
      let [step, next] = [Number.POSITIVE_INFINITY, 0]
      for (let to = 1; to <= width; to++) {
        if (used[to] === 1) continue
        const cost = costs[from - 1]![to - 1]! - rowPotential[from]! - potential[to]!
        if (cost < least[to]!) {
          least[to] = cost
          way[to] = column
        }
        if (least[to]! < step) [step, next] = [least[to]!, to]
      }
      for (let to = 0; to <= width; to++) {
        if (used[to] === 1) {
          rowPotential[rowOf[to]!]! += step
          potential[to]! -= step
        } else least[to]! -= step
      }
      column = next
    } while (rowOf[column] !== 0)
    for (; column !== 0; column = way[column]!) rowOf[column] = rowOf[way[column]!]!
  }
  const chosen = Array.from(costs, () => -1)
  for (let to = 1; to <= width; to++) if (rowOf[to] !== 0) chosen[rowOf[to]! - 1] = to - 1
  return chosen
}

/** Pairs of rows and columns of the greatest total worth, each once; what is worth nothing is paired with nothing. */
export const bestPairs = (worth: ReadonlyArray<ReadonlyArray<number>>): ReadonlyMap<number, number> => {
  const width = worth[0]?.length ?? 0
  if (width === 0) return new Map()
  if (Math.max(worth.length, width) > MOST) return greedy(worth)
  const columns = Math.max(width, worth.length)
  const costs = worth.map((row) => Array.from({ length: columns }, (_, to) => -(row[to] ?? 0)))
  const chosen = cheapest(costs, columns)
  return new Map(Array.from(chosen.entries()).filter(([at, to]) => (worth[at]![to] ?? 0) > 0))
}
