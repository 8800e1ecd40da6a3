/**
 * A complete binary tree in one row: feature and cut of each inner node from the top, left before right, then the leaves. A value up to
 * the cut goes left.
 */
export type Tree = ReadonlyArray<number>

/** How deep the judge's trees are: a decision looks at so many features at once. */
export const treeDepth = 3

export const leafCount = (depth: number): number => 2 ** depth

/** A boosted sum of trees of one depth, in logits. */
export interface Trees {
  readonly base: number
  readonly trees: ReadonlyArray<Tree>
}

/** What boosted trees make of features, in logits. Pure. */
export const logitBy = ({ base, trees }: Trees, features: ReadonlyArray<number>): number => {
  let sum = base
  // A row of a tree of depth d has two numbers for each of 2^d - 1 cuts and one for each of 2^d leaves.
  const inner = trees.length === 0 ? 0 : (trees[0]!.length - 1) / 3
  for (const tree of trees) {
    let node = 0
    while (node < inner) node = 2 * node + (features[tree[2 * node]!]! <= tree[2 * node + 1]! ? 1 : 2)
    sum += tree[inner + node]!
  }
  return sum
}

/** The probability that boosted trees give to features. Pure. */
export const chanceBy = (trees: Trees, features: ReadonlyArray<number>): number =>
  1 / (1 + Math.exp(-logitBy(trees, features)))
