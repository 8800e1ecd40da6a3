import type { Material } from "../../candidates/Mention.ts"
import type { Draft } from "../../grounding/Draft.ts"
import { chanceBy, logitBy, type Trees } from "../../judge/Trees.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import { shapeOf } from "../entries/Entry.ts"
import { inOwnColumn } from "../entries/TableHeader.ts"
import { isUnavailable } from "../kinds/Unavailable.ts"
import { subjectOf } from "../texts/ListSubject.ts"
import { deniedSeries, unstatedSeries } from "../texts/SeriesStatement.ts"
import { anchorOf, type Member, membersOf } from "./MemberFeatures.ts"
import type { Place } from "./NounPhrases.ts"
import { type RecordEntry, type ValueOption, valueOptions } from "./ValueFeatures.ts"

/** Boosted trees that tell members of lists and values of their entries: written by `node tools/fit-records.ts`. */
export interface RecordTrees {
  readonly members: Trees
  readonly values: Trees
}

/** From this probability on a member is an entry that values are looked for: whether it is given is said later. */
const LEAST_MEMBER = 0.15
const MOST_ENTRIES = 30

const wordsOf = (value: unknown): ReadonlySet<string> => new Set(normaliseValue(value).split(" "))
const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  some.size <= all.size && Array.from(some).every((word) => all.has(word))

const firstOf = ({ member: { places: [place] } }: RecordEntry): readonly [number, number] => [
  place!.passage.index,
  place!.from
]

/** Of values that share their words or their place the likeliest, in order of the places. */
export const chosenEntries = (
  members: ReadonlyArray<Member>,
  chanceOf: (member: Member) => number
): ReadonlyArray<RecordEntry> => {
  const kept: Array<RecordEntry & { readonly words: ReadonlySet<string> }> = []
  const sorted = members.map((member) => ({ member, chance: chanceOf(member), words: wordsOf(member.value) }))
    .filter(({ chance }) => chance >= LEAST_MEMBER)
    .toSorted((a, b) => b.chance - a.chance)
  for (const one of sorted) {
    const covers = kept.some(({ words }) => isWithin(words, one.words) || isWithin(one.words, words))
    if (!covers && kept.length < MOST_ENTRIES) kept.push(one)
  }
  return kept.toSorted((a, b) => firstOf(a)[0] - firstOf(b)[0] || firstOf(a)[1] - firstOf(b)[1])
}

/** The probability of each option that it is its leaf's value, by a softmax with nothing among them. */
export const chancesOf = (
  trees: Trees,
  options: ReadonlyArray<Pick<ValueOption, "features">>
): ReadonlyArray<number> => {
  const logits = options.map(({ features }) => logitBy(trees, features))
  const top = logits.reduce((high, one) => Math.max(high, one), 0)
  const whole = logits.reduce((sum, one) => sum + Math.exp(one - top), Math.exp(-top))
  return logits.map((one) => Math.exp(one - top) / whole)
}

/** Less likely than this nothing is proposed: no precision that a job asks for gives it. */
const LEAST = 0.25

/** The entries of a list that rules propose: the key of each by what it is called. */
export type RuledEntries = ReadonlyMap<string, string>

export const ruledEntries = (list: List, drafts: ReadonlyArray<Draft>): RuledEntries => {
  const anchor = anchorOf(list)
  return new Map(
    drafts.flatMap(({ item_key, leaf, value }) =>
      leaf === anchor && item_key !== undefined ? [[normaliseValue(value), item_key] as const] : []
    )
  )
}

interface Found {
  readonly leaf: Leaf
  readonly place: Place
  readonly chance: number
  readonly key: string
}

const draftOf = ({ chance, key, leaf, place: { from, passage, to, value } }: Found): Draft => ({
  pointer_template: leaf.template,
  item_key: key,
  value,
  source_refs: [passage.source_ref],
  score: chance,
  proposed_by: "list:records",
  leaf,
  span: { passage, from, to },
  calibrated: true,
  verdict: { answers: Math.round(1000 * chance) / 1000, judged_by: "rules" }
})

/** Of values of one leaf at one place the entry's that is likeliest. */
const onceEach = (found: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const taken = new Set<string>()
  return found.toSorted((a, b) => b.chance - a.chance).filter(({ leaf, place: { from, passage } }) => {
    const key = `${leaf.template}|${passage.index}:${from}`
    return leaf.type === "boolean" || leaf.type === "enum" || (!taken.has(key) && taken.add(key))
  })
}

/** Whether a place is stated as what the list asks for: in no series that is denied, left out or somebody else's, and to be had. */
const statedPlaces = ({ sentences }: Material, list: List): (place: Place) => boolean => {
  const unstated = [...unstatedSeries(sentences, subjectOf(list), list), ...deniedSeries(sentences, list)]
  const byPassage = Map.groupBy(unstated, ({ passage }) => passage)
  return (place) =>
    byPassage.get(place.passage)?.some(({ from, to }) => place.from < to && place.to > from) !== true &&
    !isUnavailable(place, list.words)
}

const foundIn = (
  material: Material,
  list: List,
  ruled: RuledEntries,
  trees: RecordTrees
): ReadonlyArray<Found> => {
  const anchor = anchorOf(list)
  if (anchor === undefined) return []
  const isStated = statedPlaces(material, list)
  const members = membersOf(material, list, false, ruled).flatMap((member) => {
    const places = member.places.filter(isStated)
    return places.length === 0 ? [] : [{ ...member, places }]
  })
  const entries = chosenEntries(members, ({ features }) => chanceBy(trees.members, features))
  const known = Array.from(ruled, ([name, key]) => ({ key, words: wordsOf(name) }))
  const keyOf = (entry: RecordEntry): string => {
    const words = wordsOf(entry.member.value)
    // "MV Petrel Star" is the "Petrel Star" of the rules.
    const same = known.find((one) => isWithin(one.words, words) || isWithin(words, one.words))
    return same?.key ?? `entry-${entries.indexOf(entry)}`
  }
  const names = entries.map((entry): Found => ({
    leaf: anchor,
    place: entry.member.places[0]!,
    chance: entry.chance,
    key: keyOf(entry)
  }))
  const others = Array.from(list.leaves.values()).filter((leaf) => leaf !== anchor)
  const values = others.flatMap((leaf) =>
    onceEach(
      valueOptions(material, list, entries, leaf).flatMap((options, at): ReadonlyArray<Found> => {
        const chances = chancesOf(trees.values, options)
        const best = chances.indexOf(Math.max(...chances))
        if (best < 0) return []
        // What is said of an entry is as unsure as the entry itself.
        const chance = Math.min(chances[best]!, entries[at]!.chance)
        return [{ leaf, place: options[best]!.place, chance, key: keyOf(entries[at]!) }]
      })
    )
  )
  const shape = shapeOf(list)
  const found = [...names, ...values]
  if (shape === undefined) return found
  const isOwn = inOwnColumn(material.reading.passages, shape)
  return found.filter(({ leaf, place: { from, passage } }) => isOwn(leaf, passage, from))
}

/**
 * Proposals for the entries of a list: what each is called, and around where it is spoken of the values of its other leaves, with the
 * probability that each is right. What is unlikely is not proposed, and nothing for lists inside its entries: of 15 values that these trees gave for
 * such lists on unseen videos none was right.
 */
export const recordDrafts = (
  material: Material,
  list: List,
  ruled: RuledEntries,
  trees: RecordTrees
): ReadonlyArray<Draft> => foundIn(material, list, ruled, trees).filter(({ chance }) => chance >= LEAST).map(draftOf)
