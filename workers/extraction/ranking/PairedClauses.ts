import { wantsDateTime } from "../candidates/DateTimes.ts"
import { sentenceAt } from "../candidates/FieldWords.ts"
import { rivalsFor, wantsDay } from "../candidates/LeafCandidates.ts"
import { measureOf } from "../candidates/Measures.ts"
import type { Reading } from "../candidates/Reading.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import type { Candidate } from "../text/Candidate.ts"
import { evokedBy } from "../text/EvokedWords.ts"
import { wantsClock } from "../text/FieldForms.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS, tokenise } from "../text/Tokens.ts"

const PERSON = "person"

/** Fields of one object that the same values may answer: people, days, times of day, moments, or numbers of one dimension. */
const kindOf = (leaf: Leaf): string | undefined => {
  const parent = leaf.template.slice(0, leaf.template.lastIndexOf("/"))
  const kind = soughtType(leaf) === "person"
    ? PERSON
    : wantsDay(leaf)
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

/** Plurals that no ending tells. */
const SINGULAR: Readonly<Record<string, string>> = { children: "child", men: "man", women: "woman", people: "person" }
const stemOf = (word: string): string => stem(SINGULAR[word] ?? word)

/** Words that are everywhere, and yet tell one field from another. */
const TELLING = /^(?:yes|no|before|after|up|down)$/u

/** By stem: the one field of these whose name has the word. Where `evoked`, also the one that people speak of by it. */
const tellingOf = (leaves: ReadonlyArray<Leaf>, evoked: boolean): ReadonlyMap<string, Leaf> => {
  const owners = new Map<string, Leaf | undefined>()
  const add = (leaf: Leaf, words: Iterable<string>) => {
    for (const word of words) owners.set(word, owners.has(word) && owners.get(word) !== leaf ? undefined : leaf)
  }
  for (const leaf of leaves) {
    const words = identifierWords(leaf.name)
    add(leaf, new Set(words.filter((one) => !STOP_WORDS.has(one) || TELLING.test(one)).map(stemOf)))
    if (evoked) add(leaf, words.flatMap((word) => Array.from(evokedBy.get(stem(word)) ?? [])))
  }
  return new Map(Array.from(owners).flatMap(([word, leaf]) => leaf === undefined ? [] : [[word, leaf] as const]))
}

interface Mark {
  readonly from: number
  readonly to: number
  readonly leaf: Leaf | undefined
}

/** Where a clause ends and the next one begins. */
const BREAK = /[,;.–—]|\b(?:and|but|while|whereas|then)\b/iu

/**
 * Fields and values in turn, and which value is whose: "we open at nine and close at five", "Nadia is the chair, Tom is the treasurer". Undefined
 * where they stand in any other way, or where a value has its field in another clause.
 */
const pairsIn = (marks: ReadonlyArray<Mark>, text: string): ReadonlyMap<number, Leaf> | undefined => {
  const breaks = (from: Mark, to: Mark): boolean => BREAK.test(text.slice(from.to, to.from))
  const all = marks.filter(({ leaf }, at) => leaf === undefined || leaf !== marks[at - 1]?.leaf)
  // A last one whose clause has no other is of none.
  const alone = all.length % 2 === 1 && all.length > 4 && breaks(all.at(-2)!, all.at(-1)!)
  const turns = alone ? all.slice(0, -1) : all
  const valueFirst = turns[0]?.leaf === undefined
  const alternates = turns.length >= 4 && turns.length % 2 === 0 &&
    turns.every(({ leaf }, at) => (leaf === undefined) === (at % 2 === (valueFirst ? 0 : 1)))
  if (!alternates) return undefined
  const pairs = turns.filter((_, at) => at % 2 === 0).map((one, at) => [one, turns[2 * at + 1]!] as const)
  const fields = pairs.map(([one, other]) => one.leaf ?? other.leaf!)
  const parted = pairs.some(([one, other]) => breaks(one, other))
  // "In 2019 the revenue was twelve and the loss is not told" begins with a value that is nobody's.
  const joined = valueFirst && pairs.some(([one], at) => at > 0 && !breaks(pairs[at - 1]![1], one))
  if (new Set(fields).size < fields.length || parted || joined) return undefined
  return new Map(pairs.map(([one, other]) => one.leaf === undefined ? [one.from, other.leaf!] : [other.from, one.leaf]))
}

/**
 * Whether a sentence gives a value to another field of the same object: where it names fields and values in turn, each value is that of the
 * field beside it. Where the sentence is built otherwise, nothing is said of its values.
 */
export const pairedClauses = (
  reading: Reading,
  leaves: ReadonlyArray<Leaf>
): (leaf: Leaf, candidate: Candidate) => boolean => {
  const owner = new Map<Passage, Map<number, Map<string, Leaf>>>()
  for (const [kind, group] of Map.groupBy(leaves, kindOf)) {
    // "The sun rises at six and sets at nine" names no `sunset`; a field's own words go before what evokes it.
    const tellings = [false, true].map((evoked) => tellingOf(group, evoked))
    if (kind === undefined || tellings.every((telling) => new Set(telling.values()).size < 2)) continue
    const values = Map.groupBy(
      group.flatMap((leaf) => rivalsFor(reading, leaf).map(({ candidate }) => candidate))
        .filter((one) => !kind.startsWith(PERSON) || one.kind === "name"),
      ({ passage }) => passage
    )
    for (const [passage, within] of values) {
      if (within.length < 2) continue
      const places = Array.from(new Map(within.map(({ from, to }) => [from, { from, to, leaf: undefined }])).values())
      const bySentence = Map.groupBy(places, ({ from }) => sentenceAt(passage, from).from)
      for (const [start, values] of bySentence) {
        if (values.length < 2) continue
        const said = tokenise(sentenceAt(passage, start).text)
        const pairs = (telling: ReadonlyMap<string, Leaf>) => {
          const words = said.flatMap(({ from, norm, to }): ReadonlyArray<Mark> => {
            const leaf = telling.get(stemOf(norm))
            return leaf === undefined ? [] : [{ from: start + from, to: start + to, leaf }]
          })
          return pairsIn([...words, ...values].toSorted((a, b) => a.from - b.from), passage.text)
        }
        for (const [from, leaf] of pairs(tellings[0]!) ?? pairs(tellings[1]!) ?? []) {
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
