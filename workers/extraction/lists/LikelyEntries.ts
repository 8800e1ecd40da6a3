import type { Material } from "../candidates/Mention.ts"
import type { Reading } from "../candidates/Reading.ts"
import { type Draft, draftOf } from "../grounding/Draft.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import { isWeekday } from "../lexicon/Weekdays.ts"
import { type Ranked, type RankModel, scoreAll } from "../ranking/Rank.ts"
import { wantsWeekday } from "../text/FieldForms.ts"
import type { List } from "../text/Plan.ts"
import type { Sentence } from "../text/Sentences.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, tokenise } from "../text/Tokens.ts"
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

/** What parts the members of a series: "Denmark, Poland and Spain". */
const JOINT = /^(?:,\s+(?:(?:and|or)\s+)?|\s+(?:and|or)\s+)$/u

/** Names that commas and "and" join to a likely one: whoever lists one of them lists all. */
const joinedTo = (likely: ReadonlyArray<Ranked>, all: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const known = new Set(likely)
  const names = all.filter(({ candidate }) => candidate.kind === "name" && candidate.passage.modality === "audio")
  return Array.from(Map.groupBy(names, ({ candidate }) => candidate.passage)).flatMap(([{ text }, within]) => {
    const runs: Array<Array<Ranked>> = []
    let end = -1
    for (const one of within.toSorted((a, b) => a.candidate.from - b.candidate.from)) {
      const { from, to } = one.candidate
      if (end >= 0 && from >= end && JOINT.test(text.slice(end, Math.min(from, end + 8)))) runs.at(-1)!.push(one)
      else runs.push([one])
      end = to
    }
    return runs.filter((run) => run.length > 2 && run.some((one) => known.has(one)))
      .flatMap((run) => run.filter((one) => !known.has(one)))
  })
}

/** Days of the week in a sentence with a word that the list is called by, as it stands: "we close at seven from Tuesday to Friday" tells no closed days. */
const daysOf = ({ name }: List, sentences: ReadonlyArray<Sentence>): (one: Ranked) => boolean => {
  const own = new Set(identifierWords(name).filter((word) => !/^(?:days?|on|of|the)$/u.test(word)))
  if (own.has("closed")) own.add("shut")
  // Each sentence is looked at once: a text without stops is one sentence with thousands of days.
  const called = Map.groupBy(
    sentences.filter(({ text }) => own.size === 0 || tokenise(text).some(({ norm }) => own.has(norm))),
    ({ passage }) => passage
  )
  return ({ candidate, value }) =>
    isWeekday(String(value)) &&
    called.get(candidate.passage)?.some(({ from, to }) => from <= candidate.from && candidate.from < to) === true
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
  const all = scoreAll(reading, leaves, model.weights).filter(({ candidate }) =>
    !reading.suspects.has(candidate.passage.index)
  )
  // Of a forecast's entries the day is told by what is said beside it.
  const isDay = leaves.length === 1 && wantsWeekday(anchor) ? daysOf(list, sentences) : undefined
  const likely = all.filter((one) => one.score > LIKELY_ENTRY || isDay?.(one) === true)
  const scored = leaves.length > 1 ? likely : [...likely, ...joinedTo(likely, all)]
  // What its form tells, a place or a day, is one wherever it is said; who is one of the winners is not.
  const told = isTyped(anchor) || soughtType(anchor) === "place"
  const isAnnounced = told ? () => true : spokenOf(reading, list)
  const unstated = Map.groupBy(unstatedSeries(sentences, subjectOf(list), list), ({ passage }) => passage)
  const isStated = ({ candidate }: (typeof scored)[number]): boolean =>
    !isUnavailable(candidate, list.words) &&
    !(unstated.get(candidate.passage) ?? []).some(({ from, to }) => candidate.from >= from && candidate.to <= to)
  const anchors = distinctBy(
    scored.filter((one) =>
      one.leaf === anchor && isDay?.(one) !== false &&
      isAnnounced(one.candidate.passage) &&
      isStated(one)
    ).toSorted((
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
