/**
 * A complete binary tree of a fixed depth in one row: feature and cut of each inner node from the top, left before right, then the
 * leaves. A value up to the cut goes left.
 */
export type Tree = ReadonlyArray<number>

/** How deep the trees are: a decision looks at so many features at once. */
export const treeDepth = 3

export const leafCount = (depth: number): number => 2 ** depth

/** A boosted sum of trees, in logits. */
export interface Trees {
  readonly base: number
  readonly trees: ReadonlyArray<Tree>
}

/** The probability that boosted trees give to features. Pure. */
export const chanceBy = ({ base, trees }: Trees, features: ReadonlyArray<number>): number => {
  let sum = base
  const inner = leafCount(treeDepth) - 1
  for (const tree of trees) {
    let node = 0
    for (let level = 0; level < treeDepth; level++) {
      node = 2 * node + (features[tree[2 * node]!]! <= tree[2 * node + 1]! ? 1 : 2)
    }
    sum += tree[2 * inner + node - inner]!
  }
  return 1 / (1 + Math.exp(-sum))
}
