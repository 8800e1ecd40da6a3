import { wantsDateTime } from "../candidates/DateTimes.ts"
import { sentenceAt } from "../candidates/FieldWords.ts"
import { rivalsFor, wantsDay } from "../candidates/LeafCandidates.ts"
import { measureOf } from "../candidates/Measures.ts"
import type { Reading } from "../candidates/Reading.ts"
import type { Candidate } from "../text/Candidate.ts"
import { wantsClock } from "../text/FieldForms.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"

/** Fields of one object that the same values may answer: days, times of day, moments, or numbers of one dimension. */
const kindOf = (leaf: Leaf): string | undefined => {
  const parent = leaf.template.slice(0, leaf.template.lastIndexOf("/"))
  const kind = wantsDay(leaf)
    ? "day"
    : wantsClock(leaf)
    ? "time"
    : wantsDateTime(leaf)
    ? "moment"
    : leaf.type === "integer" || leaf.type === "number"
    ? `number ${measureOf(leaf)?.dimension ?? ""}`
    : undefined
  return kind === undefined ? undefined : `${kind} ${parent}`
}

/** By stem: the one field of these whose name has the word. */
const tellingOf = (leaves: ReadonlyArray<Leaf>): ReadonlyMap<string, Leaf> => {
  const owners = new Map<string, Leaf | undefined>()
  for (const leaf of leaves) {
    for (const word of new Set(identifierWords(leaf.name).filter((one) => !STOP_WORDS.has(one)).map(stem))) {
      owners.set(word, owners.has(word) ? undefined : leaf)
    }
  }
  return new Map(Array.from(owners).flatMap(([word, leaf]) => leaf === undefined ? [] : [[word, leaf] as const]))
}

interface Mark {
  readonly from: number
  readonly leaf: Leaf | undefined
}

/** Fields and values in turn, a field first: "we open at nine and close at five". Undefined where they stand in any other way. */
const pairsIn = (marks: ReadonlyArray<Mark>): ReadonlyMap<number, Leaf> | undefined => {
  const turns = marks.filter(({ leaf }, at) => leaf === undefined || leaf !== marks[at - 1]?.leaf)
  const alternates = turns.length >= 4 && turns.length % 2 === 0 &&
    turns.every(({ leaf }, at) => (leaf === undefined) === (at % 2 === 1))
  const fields = turns.filter((_, at) => at % 2 === 0).map(({ leaf }) => leaf!)
  if (!alternates || new Set(fields).size < fields.length) return undefined
  return new Map(fields.map((leaf, at) => [turns[2 * at + 1]!.from, leaf]))
}

/**
 * Whether a sentence gives a value to another field of the same object: where it names fields and values in turn, each value is that of the
 * field right before it. Where the sentence is built otherwise, nothing is said of its values.
 */
export const pairedClauses = (
  reading: Reading,
  leaves: ReadonlyArray<Leaf>
): (leaf: Leaf, candidate: Candidate) => boolean => {
  const owner = new Map<Passage, Map<number, Map<string, Leaf>>>()
  for (const [kind, group] of Map.groupBy(leaves, kindOf)) {
    const telling = tellingOf(group)
    if (kind === undefined || new Set(telling.values()).size < 2) continue
    const values = Map.groupBy(
      group.flatMap((leaf) => rivalsFor(reading, leaf).map(({ candidate }) => candidate)),
      ({ passage }) => passage
    )
    for (const [passage, within] of values) {
      if (within.length < 2) continue
      const places = Array.from(new Set(within.map(({ from }) => from)))
      const bySentence = Map.groupBy(places, (from) => sentenceAt(passage, from).from)
      for (const [start, froms] of bySentence) {
        if (froms.length < 2) continue
        const words = tokenise(sentenceAt(passage, start).text).flatMap(({ from, norm }): ReadonlyArray<Mark> => {
          const leaf = telling.get(stem(norm))
          return leaf === undefined ? [] : [{ from: start + from, leaf }]
        })
        const marks = [...words, ...froms.map((from) => ({ from, leaf: undefined }))]
        for (const [from, leaf] of pairsIn(marks.toSorted((a, b) => a.from - b.from)) ?? []) {
          const known = owner.get(passage) ?? new Map<number, Map<string, Leaf>>()
          owner.set(passage, known)
          known.set(from, (known.get(from) ?? new Map<string, Leaf>()).set(kind, leaf))
        }
      }
    }
  }
  return (leaf, { from, passage }) => {
    const kinds = owner.get(passage)?.get(from)
    const kind = kinds === undefined ? undefined : kindOf(leaf)
    const own = kind === undefined ? undefined : kinds?.get(kind)
    return own !== undefined && own !== leaf
  }
}
