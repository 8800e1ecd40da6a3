import { leafCount, type Tree, type Trees } from "../../workers/extraction/judge/Trees.ts"
import type { Example } from "../fit-ranker/Logistic.ts"

/** How boosting is done; chosen by cross-validation over videos (see `tools/fit-judge.ts`). */
export interface BoostingOptions {
  readonly trees: number
  readonly rate: number
  /** Least examples in a leaf. */
  readonly least: number
  /** What a leaf's second derivatives are added to. */
  readonly shrinkage: number
  /** Shares of examples and of features that a tree sees. */
  readonly examples: number
  readonly features: number
}

/** Numbers from 0 to 1 that are the same on every run (Mulberry32). */
export const numbersFrom = (seed: number): () => number => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const mostCuts = 31

/** Values between which a feature may be cut: its quantiles. What is hardly ever set is cut where it is not. */
const cutsOf = (column: Float64Array): ReadonlyArray<number> => {
  const sorted = column.toSorted()
  const cuts = new Set(
    Array.from({ length: mostCuts }, (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / (mostCuts + 1))]!)
  )
  cuts.delete(sorted.at(-1)!)
  if (cuts.size === 0 && sorted[0] !== sorted.at(-1)) cuts.add(sorted[0]!)
  return Array.from(cuts)
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** A fit's examples by feature, each value as the number of its stretch between cuts. */
const binned = (rows: ReadonlyArray<ReadonlyArray<number>>) =>
  Array.from({ length: rows[0]!.length }, (_, feature) => {
    const column = Float64Array.from(rows, (row) => row[feature]!)
    const cuts = cutsOf(column)
    const bins = Uint8Array.from(column, (value) => {
      const at = cuts.findIndex((cut) => value <= cut)
      return at < 0 ? cuts.length : at
    })
    return { cuts, bins }
  })

/** First and second derivatives of the loss by what the trees say of each example. */
interface Slopes {
  readonly slope: Float64Array
  readonly bend: Float64Array
}

/** Which examples a tree sees, and how the loss changes with what is said of each. */
interface Loss {
  readonly base: number
  readonly sample: (random: () => number, share: number) => Int32Array
  readonly into: (slopes: Slopes, said: Float64Array) => void
}

/** The logistic loss: each example stands by itself. */
const logistic = (data: ReadonlyArray<Example & { readonly weight: number }>): Loss => {
  const share = data.reduce((sum, { right, weight }) => sum + (right ? weight : 0), 0) /
    data.reduce((sum, { weight }) => sum + weight, 0)
  return {
    base: rounded(Math.log(share / (1 - share))),
    sample: (random, part) => Int32Array.from(data.keys()).filter(() => random() < part),
    into: ({ bend, slope }, said) =>
      data.forEach(({ right, weight }, at) => {
        const chance = 1 / (1 + Math.exp(-said[at]!))
        slope[at] = weight * (chance - (right ? 1 : 0))
        bend[at] = weight * chance * (1 - chance)
      })
  }
}

/**
 * The loss of a choice: the examples of one choice, and nothing, whose logit is 0, share a probability of one, which should be with any
 * of the right ones or, where there is none, with nothing (ListNet's top-one likelihood; Cao, Z. et al., 2007).
 */
const choosing = (choices: ReadonlyArray<ReadonlyArray<Example>>): Loss => {
  const all = choices.flat()
  const share = all.filter(({ right }) => right).length / all.length
  let place = 0
  const starts = choices.map(({ length }) => (place += length) - length)
  return {
    base: rounded(Math.log(share / (1 - share))),
    sample: (random, part) =>
      Int32Array.from(choices.flatMap((choice, at) => random() < part ? choice.map((_, k) => starts[at]! + k) : [])),
    into: ({ bend, slope }, said) =>
      choices.forEach((choice, at) => {
        const start = starts[at]!
        let top = 0
        for (let k = 0; k < choice.length; k++) top = Math.max(top, said[start + k]!)
        let [whole, good] = [Math.exp(-top), 0]
        choice.forEach(({ right }, k) => {
          const own = Math.exp(said[start + k]! - top)
          whole += own
          if (right) good += own
        })
        choice.forEach(({ right }, k) => {
          const own = Math.exp(said[start + k]! - top)
          const chance = own / whole
          slope[start + k] = chance - (right ? own / good : 0)
          bend[start + k] = Math.max(1e-6, chance * (1 - chance))
        })
      })
  }
}

/** Gradient boosting of regression trees (Friedman 2001) with second-order leaves (Chen and Guestrin 2016) on a loss. */
const boosted = (
  rows: ReadonlyArray<ReadonlyArray<number>>,
  { base, into, sample }: Loss,
  options: BoostingOptions,
  depth: number
): Trees => {
  const random = numbersFrom(1)
  const columns = binned(rows)
  const inner = leafCount(depth) - 1
  const said = new Float64Array(rows.length).fill(base)
  const [slope, bend] = [new Float64Array(rows.length), new Float64Array(rows.length)]
  const sums = (some: Int32Array) => {
    let [first, second] = [0, 0]
    for (const at of some) {
      first += slope[at]!
      second += bend[at]!
    }
    return { first, second }
  }
  /** How much a leaf with these sums takes off the loss, but for a factor. */
  const worthOf = (first: number, second: number): number => (first * first) / (second + options.shrinkage)
  const parts = {
    first: new Float64Array(mostCuts + 1),
    second: new Float64Array(mostCuts + 1),
    count: new Int32Array(mostCuts + 1)
  }
  const bestCut = (some: Int32Array, allowed: ReadonlyArray<number>) => {
    const whole = sums(some)
    let best = { gain: 1e-6, feature: -1, cut: 0 }
    for (const feature of allowed) {
      const { bins, cuts } = columns[feature]!
      for (const part of Object.values(parts)) part.fill(0)
      for (const at of some) {
        const bin = bins[at]!
        parts.first[bin]! += slope[at]!
        parts.second[bin]! += bend[at]!
        parts.count[bin]!++
      }
      let [first, second, count] = [0, 0, 0]
      for (let at = 0; at < cuts.length; at++) {
        first += parts.first[at]!
        second += parts.second[at]!
        count += parts.count[at]!
        if (count < options.least || some.length - count < options.least) continue
        const gain = worthOf(first, second) + worthOf(whole.first - first, whole.second - second) -
          worthOf(whole.first, whole.second)
        if (gain > best.gain) best = { gain, feature, cut: at }
      }
    }
    return best
  }
  const treeOf = (): Tree => {
    into({ slope, bend }, said)
    const seen = sample(random, options.examples)
    const allowed = Array.from(columns.keys()).filter(() => random() < options.features)
    const tree = Array.from({ length: 3 * inner + 1 }, () => 0)
    const grow = (some: Int32Array, node: number): void => {
      if (node >= inner) {
        const { first, second } = sums(some)
        tree[inner + node] = rounded((-options.rate * first) / (second + options.shrinkage))
        return
      }
      const best = some.length < 2 * options.least ? { feature: -1, cut: 0 } : bestCut(some, allowed)
      const { bins, cuts } = columns[Math.max(0, best.feature)]!
      tree[2 * node] = Math.max(0, best.feature)
      tree[2 * node + 1] = best.feature < 0 ? Number.MAX_SAFE_INTEGER : cuts[best.cut]!
      const goesLeft = (at: number): boolean => best.feature < 0 || bins[at]! <= best.cut
      grow(some.filter(goesLeft), 2 * node + 1)
      grow(some.filter((at) => !goesLeft(at)), 2 * node + 2)
    }
    grow(seen, 0)
    return tree
  }
  const trees: Array<Tree> = []
  for (let round = 0; round < options.trees; round++) {
    const tree = treeOf()
    trees.push(tree)
    for (let at = 0; at < rows.length; at++) {
      let node = 0
      while (node < inner) node = 2 * node + (rows[at]![tree[2 * node]!]! <= tree[2 * node + 1]! ? 1 : 2)
      said[at]! += tree[inner + node]!
    }
  }
  return { base, trees }
}

/** Boosted trees whose logistic function is the probability that an example is right. The same data give the same trees. */
export const boost = (
  data: ReadonlyArray<Example & { readonly weight: number }>,
  options: BoostingOptions,
  depth: number
): Trees => boosted(data.map(({ features }) => features), logistic(data), options, depth)

/** Boosted trees whose softmax over the options of a choice, and nothing, is the probability that an option is to be chosen. */
export const boostChoices = (
  choices: ReadonlyArray<ReadonlyArray<Example>>,
  options: BoostingOptions,
  depth: number
): Trees => boosted(choices.flat().map(({ features }) => features), choosing(choices), options, depth)

const endless = (value: number): string => value === Number.MAX_SAFE_INTEGER ? "9e9" : String(value)

/** A tree as it is written into a file: cuts are rounded up, so that the value that one was made at stays on its left. */
export const written = (tree: Tree): string => {
  const cuts = (2 * (tree.length - 1)) / 3
  return `[${
    tree.map((value, at) =>
      at < cuts && at % 2 === 1 && value !== Number.MAX_SAFE_INTEGER
        ? String(Math.ceil(value * 1e4) / 1e4)
        : endless(value)
    ).join(", ")
  }]`
}
