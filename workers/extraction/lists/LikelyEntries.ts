import type { Material } from "../candidates/Mention.ts"
import type { Reading } from "../candidates/Reading.ts"
import { type Draft, draftOf } from "../grounding/Draft.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import { type RankModel, scoreAll } from "../ranking/Rank.ts"
import type { List } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { isTyped } from "./entries/EntryValues.ts"
import { distinctBy } from "./kinds/ListKinds.ts"
import { isUnavailable } from "./kinds/Unavailable.ts"
import { speaksOfSubject, subjectOf } from "./texts/ListSubject.ts"
import { unstatedSeries } from "./texts/SeriesStatement.ts"

/** A value that stands in a list needs no lead over the others: the first fit alone decides. */
const LIKELY_ENTRY = 0.4

/** How many passages before or after its list is spoken of an entry may stand. */
const NEARBY = 3

/** Whether a list is spoken of around a passage, or shown on its picture: who runs the shop has not won for that. */
const spokenOf = (reading: Reading, list: List): (passage: Passage) => boolean => {
  const subject = subjectOf(list)
  if (subject.named.size + subject.described.size === 0) return () => true
  const telling = reading.passages.filter(({ text }) => speaksOfSubject(subject, text) > 0)
  const near = new Set(
    telling.flatMap(({ index, modality }) =>
      modality === "visual" ? [] : Array.from({ length: 2 * NEARBY + 1 }, (_, at) => index - NEARBY + at)
    )
  )
  const shown = new Set(telling.flatMap(({ modality, source_ref }) => modality === "visual" ? [source_ref] : []))
  return ({ index, source_ref }) => near.has(index) || shown.has(source_ref)
}

/** Lists that nothing else finds: every sufficiently likely value of the entry, or of its first text, with its neighbours. */
export const likelyEntries = (
  { reading, sentences }: Material,
  list: List,
  model: RankModel
): ReadonlyArray<Draft> => {
  const leaves = Array.from(list.leaves.values())
  const anchor = leaves.find((leaf) => leaf.type === "string") ?? leaves[0]
  if (anchor === undefined) return []
  const scored = scoreAll(reading, leaves, model.weights).filter((one) =>
    one.score > LIKELY_ENTRY && !reading.suspects.has(one.candidate.passage.index)
  )
  // What its form tells, a place or a day, is one wherever it is said; who is one of the winners is not.
  const told = isTyped(anchor) || soughtType(anchor) === "place"
  const isAnnounced = told ? () => true : spokenOf(reading, list)
  const unstated = Map.groupBy(unstatedSeries(sentences, subjectOf(list), list), ({ passage }) => passage)
  const isStated = ({ candidate }: (typeof scored)[number]): boolean =>
    !isUnavailable(candidate, list.words) &&
    !(unstated.get(candidate.passage) ?? []).some(({ from, to }) => candidate.from >= from && candidate.to <= to)
  const anchors = distinctBy(
    scored.filter((one) => one.leaf === anchor && isAnnounced(one.candidate.passage) && isStated(one)).toSorted((
      a,
      b
    ) => b.score - a.score || a.candidate.passage.index - b.candidate.passage.index),
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
