import type { Reading } from "../candidates/Reading.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"

/**
 * Passages in which a leaf is spoken of most (its terms, weighted by rarity), with their neighbours, in order. Suspect ones
 * are left out: a model that reads them could be talked into something.
 */
export const relevantPassages = (
  reading: Reading,
  leaves: ReadonlyArray<Leaf>,
  most: number
): ReadonlyArray<Passage> => {
  const chosen = new Set<number>()
  for (const leaf of leaves) {
    const weights = reading.stems.map((stems, index) => {
      let weight = 0
      for (const [term, own] of leaf.terms) if (stems.has(term)) weight += own * (reading.rarity.get(term) ?? 0)
      return { index, weight }
    })
    const best = weights.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight || a.index - b.index)
    for (const { index } of best.slice(0, most)) for (const at of [index - 1, index, index + 1]) chosen.add(at)
  }
  return reading.passages.filter(({ index }) => chosen.has(index) && !reading.suspects.has(index))
}
