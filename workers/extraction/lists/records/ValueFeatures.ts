import { measureMatch } from "../../candidates/Measures.ts"
import type { Material } from "../../candidates/Mention.ts"
import { describedIn, type FieldWords, fieldWords, namedIn, nearnessOf } from "../../judge/FieldWords.ts"
import { corrects, former, reported, settled, unsure } from "../../judge/Manners.ts"
import { FIRST_NAMES } from "../../lexicon/FirstNames.ts"
import { soughtType } from "../../lexicon/NameTypes.ts"
import { NEGATION } from "../../lexicon/Polarity.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { asks } from "../../text/Sentences.ts"
import { identifierWords, normaliseValue, tokenise } from "../../text/Tokens.ts"
import { contextOf, type Member, stemsOf } from "./MemberFeatures.ts"
import { type Place, placesFor } from "./NounPhrases.ts"

/** One entry of a list while it is put together: what it is called, and how likely that is. */
export interface RecordEntry {
  readonly member: Member
  readonly chance: number
}

/** A value that a leaf of an entry may have, in the order of `VALUE_FEATURES`. */
export interface ValueOption {
  readonly place: Place
  readonly features: ReadonlyArray<number>
}

const KINDS = [
  "name",
  "noun",
  "line",
  "code",
  "number",
  "money",
  "percent",
  "duration",
  "date",
  "time",
  "label",
  "answer"
] as const
const TYPES = ["person", "place", "organisation", "title"] as const

export const VALUE_FEATURES = [
  ...["text", "number", "integer", "enum", "boolean", "leaf_place", "leaves", "name_words", "description"] as const,
  ...TYPES.map((type) => `wants_${type}` as const),
  ...KINDS.map((kind) => `is_${kind}` as const),
  ...["prior", "words", "capital", "digits", "first_name", "size", "yes"] as const,
  ...["measure", "other_measure", "bare", "counts_other"] as const,
  ...["chance", "entries", "same_sentence", "same_passage", "before", "distance", "characters", "seconds"] as const,
  ...["last_named", "next_named", "others_between", "other_here", "first_mention", "row"] as const,
  ...["rank", "options", "values", "is_member", "nearer_elsewhere", "order"] as const,
  ...["named_here", "named_before", "described", "nearness", "other_leaf_here", "name_after"] as const,
  ...[
    "asks",
    "denies",
    "former",
    "unsure",
    "reported",
    "settled",
    "corrects",
    "asked_before",
    "on_screen",
    "repeated"
  ] as const
] as const

const flag = (condition: boolean): number => condition ? 1 : 0
const upTo = (most: number, count: number): number => Math.min(most, count) / most

/** How far around a mention of its entry a value is looked for, in passages. */
const BACK = 2
const AHEAD = 6
const MOST = 24

/** A place as it comes in time: speech and screen apart. */
const orderOf = ({ from, passage }: Place): number =>
  passage.index + Math.min(0.999, from / Math.max(1, passage.text.length + 1))

/** Of each entry, which values a leaf may have near where the entry is spoken of. */
export const valueOptions = (
  material: Material,
  list: List,
  entries: ReadonlyArray<RecordEntry>,
  leaf: Leaf
): ReadonlyArray<ReadonlyArray<ValueOption>> => {
  const { reading } = material
  const { said, sentenceOf } = contextOf(material)
  const leaves = Array.from(list.leaves.values())
  const places = placesFor(reading, leaf)
  const words = fieldWords(leaf)
  const others: ReadonlyArray<FieldWords> = leaves.filter((other) => other !== leaf).map(fieldWords)
  const sought = leaf.type === "string" ? soughtType(leaf) : null
  const members = new Set(entries.map(({ member }) => normaliseValue(member.value)))
  const named = entries.flatMap((entry) => entry.member.places.map((place) => ({ entry, place, at: orderOf(place) })))
    .toSorted((a, b) => a.at - b.at)
  const counts = new Map<string, number>()
  for (const { value } of places) counts.set(normaliseValue(value), (counts.get(normaliseValue(value)) ?? 0) + 1)
  const byPassage = Map.groupBy(places, ({ passage }) => passage.index)
  const ofLeaf = [
    flag(leaf.type === "string"),
    flag(leaf.type === "number"),
    flag(leaf.type === "integer"),
    flag(leaf.type === "enum"),
    flag(leaf.type === "boolean"),
    leaves.indexOf(leaf) / Math.max(1, leaves.length),
    upTo(8, leaves.length),
    upTo(4, identifierWords(leaf.name).length),
    upTo(15, String(leaf.schema["description"] ?? "").split(/\s+/u).length),
    ...TYPES.map((type) => flag(sought === type))
  ]
  const nearestOf = (place: Place, entry: RecordEntry) => {
    const at = orderOf(place)
    return entry.member.places
      .filter(({ passage }) => passage.modality === place.passage.modality)
      .map((one) => ({ one, gap: at - orderOf(one) }))
      .reduce<{ readonly one: Place; readonly gap: number } | undefined>(
        (best, each) => best === undefined || Math.abs(each.gap) < Math.abs(best.gap) ? each : best,
        undefined
      )
  }
  return entries.map((entry) => {
    const own = new Set(entry.member.places.map(({ passage }) => passage.index))
    const near = new Set<number>()
    for (const index of own) {
      const { modality } = reading.passages[index]!
      for (
        let at = index - (modality === "visual" ? 5 : BACK);
        at <= index + (modality === "visual" ? 5 : AHEAD);
        at++
      ) {
        const passage = reading.passages[at]
        if (
          passage?.modality === modality &&
          (modality === "audio" || passage.source_ref === reading.passages[index]!.source_ref)
        ) near.add(at)
      }
    }
    const found = Array.from(near).flatMap((index) => byPassage.get(index) ?? [])
      .filter((place) =>
        !entry.member.places.some(({ from, passage, to }) =>
          passage === place.passage && from < place.to && place.from < to
        )
      )
      .flatMap((place) => {
        const nearest = nearestOf(place, entry)
        return nearest === undefined ? [] : [{ place, nearest }]
      })
      .toSorted((a, b) => Math.abs(a.nearest.gap) - Math.abs(b.nearest.gap))
    // Of one value only its nearest place.
    const seen = new Set<string>()
    const options = found.filter(({ place: { value } }) => {
      const key = normaliseValue(value)
      return !seen.has(key) && seen.add(key)
    }).slice(0, MOST)
    return options.map(({ nearest, place }, rank): ValueOption => {
      const { candidate, from, kind, passage, to, value } = place
      const text = String(value)
      const at = orderOf(place)
      const sentenceAt = sentenceOf(place)
      const sentence = said[sentenceAt]!
      const before = said[sentenceAt - 1]?.passage.modality === passage.modality ? said[sentenceAt - 1] : undefined
      const [here, earlier] = [stemsOf(sentence), stemsOf(before)]
      const sameModality = named.filter(({ place: other }) => other.passage.modality === passage.modality)
      const last = sameModality.findLast((one) => one.at < at)
      const next = sameModality.find((one) => one.at > at)
      const [low, high] = [Math.min(at, at - nearest.gap), Math.max(at, at - nearest.gap)]
      const between = new Set(
        sameModality.filter((one) => one.entry !== entry && one.at > low && one.at < high).map((one) => one.entry)
      )
      const otherHere = sameModality.some((one) =>
        one.entry !== entry && one.place.passage === passage && one.place.from >= sentence.from &&
        one.place.to <= sentence.to
      )
      const gaps = entries.filter((other) => other !== entry).map((other) =>
        Math.abs(nearestOf(place, other)?.gap ?? 99)
      )
      const rest = passage.text.slice(to, to + 30)
      const measure = candidate === undefined || typeof value !== "number"
        ? [0, 0, 0, 0]
        : measureMatch(leaf, candidate, rest)
      const tokens = tokenise(text)
      const samePassage = nearest.one.passage === passage
      return {
        place,
        features: [
          ...ofLeaf,
          ...KINDS.map((one) => flag(one === kind)),
          leaf.kinds.get(kind as never) ?? 0,
          upTo(8, tokens.length),
          flag(/^\p{Lu}/u.test(text)),
          text.replaceAll(/\D/gu, "").length / Math.max(1, text.length),
          flag(FIRST_NAMES.has(tokens[0]?.norm ?? "")),
          typeof value === "number" ? Math.sign(value) * Math.log10(1 + Math.abs(value)) : 0,
          flag(value === true),
          ...measure,
          entry.chance,
          upTo(10, entries.length),
          flag(samePassage && nearest.one.from >= sentence.from && nearest.one.to <= sentence.to + 1),
          flag(samePassage),
          flag(nearest.gap < 0),
          Math.max(-8, Math.min(8, passage.index - nearest.one.passage.index)),
          samePassage ? Math.max(-1, Math.min(1, (from - nearest.one.to) / 200)) : 0,
          Math.max(-30, Math.min(60, passage.t_start - nearest.one.passage.t_start)),
          flag(last?.entry === entry),
          flag(next?.entry === entry),
          upTo(3, between.size),
          flag(otherHere),
          flag(nearest.one === entry.member.places[0]),
          flag(passage.modality === "visual" && samePassage),
          rank,
          options.length,
          upTo(30, counts.size),
          flag(members.has(normaliseValue(value))),
          flag(Math.min(99, ...gaps) < Math.abs(nearest.gap)),
          passage.modality === "visual" ? (byPassage.get(passage.index) ?? []).indexOf(place) : -1,
          namedIn(words, here),
          namedIn(words, earlier),
          Math.min(2, describedIn(words, here)),
          nearnessOf(words, place),
          others.reduce((most, other) => Math.max(most, namedIn(other, here)), 0),
          flag(
            /^\s*\p{L}+/u.test(rest) && namedIn(words, new Set(tokenise(rest).slice(0, 2).map(({ norm }) => norm))) > 0
          ),
          flag(asks(sentence.text)),
          flag(NEGATION.test(sentence.text)),
          ...[former, unsure, reported, settled, corrects].map((manner) => flag(manner.test(sentence.text))),
          flag(before !== undefined && asks(before.text)),
          flag(passage.modality === "visual"),
          upTo(4, counts.get(normaliseValue(value)) ?? 1)
        ]
      }
    })
  })
}
