import type { Material } from "../candidates/Mention.ts"
import { type Draft, draftOf } from "../grounding/Draft.ts"
import { type RankModel, scoreAll } from "../ranking/Rank.ts"
import type { List } from "../text/Plan.ts"
import { distinctBy } from "./kinds/ListKinds.ts"

/** A value that stands in a list needs no lead over the others: the first fit alone decides. */
const LIKELY_ENTRY = 0.4

/** Lists that nothing else finds: every sufficiently likely value of the entry, or of its first text, with its neighbours. */
export const likelyEntries = ({ reading }: Material, list: List, model: RankModel): ReadonlyArray<Draft> => {
  const leaves = Array.from(list.leaves.values())
  const anchor = leaves.find((leaf) => leaf.type === "string") ?? leaves[0]
  if (anchor === undefined) return []
  const scored = scoreAll(reading, leaves, model.weights).filter((one) =>
    one.score > LIKELY_ENTRY && !reading.suspects.has(one.candidate.passage.index)
  )
  const anchors = distinctBy(
    scored.filter((one) => one.leaf === anchor).toSorted((a, b) =>
      b.score - a.score || a.candidate.passage.index - b.candidate.passage.index
    ),
    (one) => one.value
  ).slice(0, 100)
  return anchors.flatMap((one, at) => {
    const beside = leaves.filter((leaf) => leaf !== anchor).flatMap((leaf) =>
      scored
        .filter((other) =>
          other.leaf === leaf && other.candidate.passage === one.candidate.passage &&
          other.candidate.from !== one.candidate.from
        )
        .toSorted((a, b) => b.score - a.score).slice(0, 1)
    )
    return [one, ...beside].map((part) => draftOf(part, `record-${at}`))
  })
}
