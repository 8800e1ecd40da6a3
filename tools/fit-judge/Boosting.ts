import { leafCount, type Tree } from "../../workers/extraction/judge/Trees.ts"
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

const mostCuts = 15

/** Values between which a feature may be cut: its quantiles. */
const cutsOf = (column: ReadonlyArray<number>): ReadonlyArray<number> => {
  const sorted = column.toSorted((a, b) => a - b)
  const quantiles = Array.from(
    { length: mostCuts },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / (mostCuts + 1))]!
  )
  return Array.from(new Set(quantiles))
}

/** How much a leaf with these sums takes off the loss, but for a factor. */
const worthOf = (slope: number, bend: number, shrinkage: number): number => (slope * slope) / (bend + shrinkage)

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** Gradient boosting of regression trees on the logistic loss (Friedman 2001), second-order leaves (Chen and Guestrin 2016). */
export const boost = (
  data: ReadonlyArray<Example & { readonly weight: number }>,
  options: BoostingOptions,
  depth: number
): { readonly base: number; readonly trees: ReadonlyArray<Tree> } => {
  const random = numbersFrom(1)
  const width = data[0]!.features.length
  const cuts = Array.from({ length: width }, (_, feature) => cutsOf(data.map(({ features }) => features[feature]!)))
  const bins = data.map(({ features }) =>
    features.map((value, feature) => {
      const at = cuts[feature]!.findIndex((cut) => value <= cut)
      return at < 0 ? cuts[feature]!.length : at
    })
  )
  const share = data.reduce((sum, { right, weight }) => sum + (right ? weight : 0), 0) /
    data.reduce((sum, { weight }) => sum + weight, 0)
  const base = rounded(Math.log(share / (1 - share)))
  const said = data.map(() => base)
  const trees: Array<Tree> = []
  for (let round = 0; round < options.trees; round++) {
    const gradient = data.map(({ right, weight }, at) => weight * (1 / (1 + Math.exp(-said[at]!)) - (right ? 1 : 0)))
    const curvature = data.map(({ weight }, at) => {
      const chance = 1 / (1 + Math.exp(-said[at]!))
      return weight * chance * (1 - chance)
    })
    const seen = [...data.keys()].filter(() => random() < options.examples)
    const allowed = Array.from({ length: width }, (_, feature) => feature).filter(() => random() < options.features)
    const splits: Array<number> = []
    const leaves: Array<number> = []
    const sums = (some: ReadonlyArray<number>) => {
      let [slope, bend] = [0, 0]
      for (const at of some) {
        slope += gradient[at]!
        bend += curvature[at]!
      }
      return { slope, bend }
    }
    const bestCut = (some: ReadonlyArray<number>) => {
      const { bend, slope } = sums(some)
      let best = { gain: 1e-6, feature: -1, cut: 0 }
      for (const feature of allowed) {
        const own = cuts[feature]!
        const parts = Array.from({ length: own.length + 1 }, () => ({ slope: 0, bend: 0, count: 0 }))
        for (const at of some) {
          const part = parts[bins[at]![feature]!]!
          part.slope += gradient[at]!
          part.bend += curvature[at]!
          part.count++
        }
        let [s, b, n] = [0, 0, 0]
        for (let at = 0; at < own.length; at++) {
          s += parts[at]!.slope
          b += parts[at]!.bend
          n += parts[at]!.count
          if (n < options.least || some.length - n < options.least) continue
          const gain = worthOf(s, b, options.shrinkage) + worthOf(slope - s, bend - b, options.shrinkage) -
            worthOf(slope, bend, options.shrinkage)
          if (gain > best.gain) best = { gain, feature, cut: at }
        }
      }
      return best
    }
    const grow = (some: ReadonlyArray<number>, node: number, level: number): void => {
      if (level === depth) {
        const { bend, slope } = sums(some)
        leaves[node - (leafCount(depth) - 1)] = rounded((-options.rate * slope) / (bend + options.shrinkage))
        return
      }
      const best = some.length < 2 * options.least ? { feature: -1, cut: 0 } : bestCut(some)
      const [feature, cut] = best.feature < 0
        ? [0, Number.MAX_SAFE_INTEGER]
        : [best.feature, cuts[best.feature]![best.cut]!]
      splits[2 * node] = feature
      splits[2 * node + 1] = cut
      const goesLeft = (at: number): boolean => best.feature < 0 || bins[at]![best.feature]! <= best.cut
      grow(some.filter(goesLeft), 2 * node + 1, level + 1)
      grow(some.filter((at) => !goesLeft(at)), 2 * node + 2, level + 1)
    }
    grow(seen, 0, 0)
    const tree: Tree = [...splits, ...leaves]
    trees.push(tree)
    data.forEach((_, at) => {
      let node = 0
      for (let level = 0; level < depth; level++) {
        const [feature, cut] = [splits[2 * node]!, splits[2 * node + 1]!]
        node = 2 * node + (data[at]!.features[feature]! <= cut ? 1 : 2)
      }
      said[at]! += leaves[node - (leafCount(depth) - 1)]!
    })
  }
  return { base, trees }
}
