import type { Material } from "../../candidates/Mention.ts"
import type { Reading } from "../../candidates/Reading.ts"
import { describedIn, fieldWords, namedIn } from "../../judge/FieldWords.ts"
import { corrects, former, reported, unsure } from "../../judge/Manners.ts"
import { FIRST_NAMES } from "../../lexicon/FirstNames.ts"
import { ORGANISATION_WORD, PLACE_END, soughtType } from "../../lexicon/NameTypes.ts"
import { NEGATION } from "../../lexicon/Polarity.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { asks, type Sentence } from "../../text/Sentences.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { identifierWords, normaliseValue, stem, STOP_WORDS, tokenise } from "../../text/Tokens.ts"
import { isTyped } from "../entries/EntryValues.ts"
import { announcements, speaksOfSubject, subjectOf, subjectStem } from "../texts/ListSubject.ts"
import { type Place, placesFor } from "./NounPhrases.ts"

/** A value that may be what one entry of a list is called, with all the places at which it stands. */
export interface Member {
  readonly value: Place["value"]
  readonly places: ReadonlyArray<Place>
  /** In the order of `MEMBER_FEATURES`. */
  readonly features: ReadonlyArray<number>
}

const KINDS = ["name", "noun", "line", "code", "quoted", "named", "number", "label", "date", "time", "answer"] as const
const TYPES = ["person", "place", "organisation", "title"] as const
const BEFORE = {
  the: /\bthe\s$/iu,
  a: /\b(?:an?|another|one)\s$/iu,
  own: /\b(?:my|your|our|his|her|its|their)\s$/iu,
  number: /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\s$/iu,
  joined: /\b(?:and|or|plus)\s(?:the |an? |some )?$|,\s(?:the |an? |some )?$/iu,
  is: /(?:\b(?:is|are|was|were|called|named)|['’](?:s|re))\s(?:the |an? )?$/iu,
  with: /\b(?:with|use|using|need|bring|take|get|have|has|got|add|from)\s(?:the |an? |some )?$/iu,
  on: /\b(?:in|at|on|for|to|by|of)\s(?:the |an? )?$/iu
} as const
const AFTER = {
  joined: /^(?:,| and\b| or\b)/iu,
  is: /^(?:['’](?:s|re)\b| (?:is|are|was|were|has|had|gets?|goes|does|will|comes?|needs?|takes?)\b)/iu,
  end: /^\s*(?:[.!?;:]|$)/u,
  comma: /^\s*,/u
} as const
const COUNTED =
  /^(?:(?:and|so|okay|ok|now|then|right|well)[\s,]+)*(?:first|second|third|fourth|fifth|next|then|last|lastly|finally|one|two|three|number|step)\b/iu

export const MEMBER_FEATURES = [
  ...KINDS.map((kind) => `is_${kind}` as const),
  ...[
    "words",
    "length",
    "capital",
    "capitals",
    "digits",
    "first_name",
    "organisation",
    "place_name",
    "rarity"
  ] as const,
  ...Object.keys(BEFORE).map((name) => `after_${name}`),
  ...Object.keys(AFTER).map((name) => `before_${name}`),
  ...[
    "opens",
    "clause",
    "commas",
    "sentence_words",
    "asks",
    "denies",
    "former",
    "unsure",
    "reported",
    "corrects"
  ] as const,
  ...["counted", "announced", "list_here", "list_before", "leaf_here", "leaf_before", "leaf_described"] as const,
  ...["has_list_word", "has_leaf_word", "values_here", "values_soon", "values_before", "asked_before"] as const,
  ...["on_screen", "line_at", "lines", "heads_list", "row_values", "when"] as const,
  ...[
    "spoken",
    "shown",
    "spread",
    "best_announced",
    "best_values",
    "first_shared",
    "last_shared",
    "candidates"
  ] as const,
  ...["inside_longer", "speaker", "is_spoken_to", "prior"] as const,
  ...["texts_only", "leaves", "nested", "has_nested", "description"] as const,
  ...["free", "number_leaf", "enum_leaf", "typed_leaf"] as const,
  ...TYPES.map((type) => `wants_${type}` as const),
  ...["ruled", "ruled_otherwise", "is_name_word", "list_words"] as const,
  ...[
    "capital_inside",
    "opens_only",
    "addressed",
    "person",
    "after_list_word",
    "after_leaf_word",
    "alike",
    "beside_number"
  ] as const
] as const

const flag = (condition: boolean): number => condition ? 1 : 0
const upTo = (most: number, count: number): number => Math.min(most, count) / most

/** Which leaf tells entries apart: what they are called, else what is first said of each. */
export const anchorOf = (list: List): Leaf | undefined => {
  const leaves = Array.from(list.leaves.values())
  const [first] = leaves
  const text = leaves.find((leaf) => leaf.type === "string" && !isTyped(leaf))
  if (first === undefined || first.type === "string") return first
  const ordinal = /^(?:no|nr|number|order|index|position|step)$/u.test(identifierWords(first.name).join(" "))
  return first.type === "enum" || first.type === "boolean" || ordinal ? text ?? first : first
}

interface Context {
  readonly said: ReadonlyArray<Sentence>
  readonly sentenceOf: (place: Place) => number
}

const contexts = new WeakMap<Reading, Context>()

/** Sentences by place; remembered, since every list asks again. */
export const contextOf = ({ reading, sentences }: Material): Context => {
  const known = contexts.get(reading)
  if (known !== undefined) return known
  const byPassage = new Map<Passage, Array<number>>()
  sentences.forEach(({ passage }, at) => {
    const some = byPassage.get(passage)
    if (some === undefined) byPassage.set(passage, [at])
    else some.push(at)
  })
  const sentenceOf = ({ from, passage }: Place): number =>
    byPassage.get(passage)?.findLast((at) => sentences[at]!.from <= from) ?? byPassage.get(passage)?.[0] ?? 0
  const made = { said: sentences, sentenceOf }
  contexts.set(reading, made)
  return made
}

const stemSets = new WeakMap<Sentence, ReadonlySet<string>>()
export const stemsOf = (sentence: Sentence | undefined): ReadonlySet<string> => {
  if (sentence === undefined) return new Set()
  const known = stemSets.get(sentence) ?? new Set(tokenise(sentence.text).map(({ norm }) => stem(norm)))
  stemSets.set(sentence, known)
  return known
}

const typedLeaf = (leaf: Leaf): boolean => leaf.type !== "string" || isTyped(leaf)

/** "4417" and "0982" are of one form, "Box A" and "Box B" of another. */
const formOf = (key: string): string =>
  key.replaceAll(/\d/gu, "0").replaceAll(/\b\p{L}\b/gu, "a").replaceAll(/(?<=\p{L})\p{L}{2,}/gu, "w").replaceAll(
    /\b\p{L}w/gu,
    "w"
  )

const wordBefore = ({ from, passage: { text } }: Place): string =>
  /([\p{L}]+)(?: (?:number|no\.?|is|was))?[\s#]*$/u.exec(text.slice(Math.max(0, from - 24), from))?.[1]
    ?.toLowerCase() ?? ""

/** All values that may be a member of a list, with what they are told by. `ruled` are those that rules find. */
export const membersOf = (
  material: Material,
  list: List,
  nested: boolean,
  ruled: ReadonlyMap<string, string>
): ReadonlyArray<Member> => {
  const { reading } = material
  const anchor = anchorOf(list)
  if (anchor === undefined || anchor.type === "boolean") return []
  const { said, sentenceOf } = contextOf(material)
  const places = placesFor(reading, anchor)
  const subject = subjectOf(list)
  const audio = said.filter(({ passage }) => passage.modality === "audio")
  const toAudio = new Map(audio.map((sentence, at) => [sentence, at]))
  const announced = announcements(subject, audio)
  const others = Array.from(list.leaves.values()).filter((leaf) => leaf !== anchor && typedLeaf(leaf))
  /** Per passage, which other leaves may have a value there, by sentence. */
  const valued = new Map<number, Set<Leaf>>()
  for (const leaf of others) {
    for (const place of placesFor(reading, leaf)) {
      const at = sentenceOf(place)
      valued.set(at, (valued.get(at) ?? new Set()).add(leaf))
    }
  }
  const valuesIn = (from: number, to: number): number => {
    const found = new Set<Leaf>()
    for (let at = Math.max(0, from); at <= to; at++) for (const leaf of valued.get(at) ?? []) found.add(leaf)
    return others.length === 0 ? 0 : found.size / others.length
  }
  const listWords = subject.named
  const [leafWords, leafName] = [fieldWords(anchor), new Set(identifierWords(anchor.name).map(stem))]
  const frames = Map.groupBy(
    reading.passages.filter(({ channel }) => channel === "ocr"),
    ({ source_ref }) => source_ref
  )
  const speakers = new Set(Array.from(reading.document.speakers.values(), normaliseValue))
  const sought = anchor.type === "string" ? soughtType(anchor) : null
  const ofList = [
    flag(list.leaves.has("")),
    upTo(8, list.leaves.size),
    flag(nested),
    flag(list.nested.length > 0),
    upTo(15, list.words.split(/\s+/u).length),
    flag(!typedLeaf(anchor)),
    flag(anchor.type === "number" || anchor.type === "integer"),
    flag(anchor.type === "enum"),
    flag(anchor.type === "string" && typedLeaf(anchor)),
    ...TYPES.map((type) => flag(sought === type))
  ]
  const byValue = Map.groupBy(places, ({ value }) => normaliseValue(value))
  const firstWords = new Map<string, number>()
  const lastWords = new Map<string, number>()
  for (const key of byValue.keys()) {
    const words = key.split(" ")
    if (words.length < 2) continue
    firstWords.set(words[0]!, (firstWords.get(words[0]!) ?? 0) + 1)
    lastWords.set(words.at(-1)!, (lastWords.get(words.at(-1)!) ?? 0) + 1)
  }
  const forms = new Map<string, number>()
  for (const key of byValue.keys()) forms.set(formOf(key), (forms.get(formOf(key)) ?? 0) + 1)
  const people = new Set(
    material.registry.people.flatMap(({ name }) => [normaliseValue(name), ...normaliseValue(name).split(" ")])
  )
  const spans = Map.groupBy(places, ({ passage }) => passage.index)

  const hasList = (stems: ReadonlySet<string>): number =>
    Array.from(listWords).filter((word) => stems.has(word) || stems.has(stem(word))).length /
    Math.max(1, listWords.size)

  const ofPlace = (place: Place) => {
    const { from, passage, to } = place
    const at = sentenceOf(place)
    const sentence = said[at]!
    const before = said[at - 1]?.passage.modality === passage.modality ? said[at - 1] : undefined
    const lead = passage.text.slice(Math.max(0, from - 24), from)
    const rest = passage.text.slice(to, to + 24)
    const [here, earlier] = [stemsOf(sentence), stemsOf(before)]
    const frame = passage.channel === "ocr" ? frames.get(passage.source_ref)! : []
    const inLine = passage.channel === "ocr"
    return {
      announced: announced[toAudio.get(sentence) ?? -1] ?? 0,
      values: valuesIn(at, at),
      features: [
        ...Object.values(BEFORE).map((cue) => flag(cue.test(lead))),
        ...Object.values(AFTER).map((cue) => flag(cue.test(rest))),
        flag(from <= sentence.from + 1),
        flag(/(?:^|[,;:.!?–-])\s*(?:(?:and|so|then|but|now|the|an?|okay|right|well)[\s,]+)*$/iu.test(lead)),
        upTo(5, sentence.text.split(",").length - 1),
        upTo(40, here.size),
        flag(asks(sentence.text)),
        flag(NEGATION.test(sentence.text)),
        ...[former, unsure, reported, corrects].map((manner) => flag(manner.test(sentence.text))),
        flag(COUNTED.test(sentence.text)),
        Math.min(2, announced[toAudio.get(sentence) ?? -1] ?? 0),
        hasList(here),
        hasList(earlier),
        namedIn(leafWords, here),
        namedIn(leafWords, earlier),
        Math.min(2, describedIn(leafWords, here)),
        // Whether the value itself has a word of its list or leaf: "Tower Room" among rooms.
        flag(
          place.kind !== "number" && tokenise(String(place.value)).some(({ norm }) => listWords.has(subjectStem(norm)))
        ),
        flag(tokenise(String(place.value)).some(({ norm }) => leafName.has(stem(norm)))),
        valuesIn(at, at),
        valuesIn(at, at + 4),
        valuesIn(at - 2, at - 1),
        flag(before !== undefined && asks(before.text)),
        flag(inLine),
        inLine ? frame.indexOf(passage) / Math.max(1, frame.length) : 0,
        inLine ? upTo(10, frame.length) : 0,
        inLine ? Math.min(2, speaksOfSubject(subject, frame[0]!.text)) : 0,
        inLine ? valuesIn(at, at) : 0,
        passage.t_start / Math.max(1, reading.document.duration_seconds)
      ]
    }
  }

  const rarityOf = (words: ReadonlyArray<string>): number =>
    words.reduce((sum, word) => sum + (reading.rarity.get(stem(word)) ?? 0), 0) / Math.max(1, words.length)

  return Array.from(byValue, ([key, some]): Member => {
    const told = some.slice(0, 12).map(ofPlace)
    // What names an entry does so best where most is said of it.
    const best = told.reduce(
      (high, one, at) => one.values + one.announced > told[high]!.values + told[high]!.announced ? at : high,
      0
    )
    const first = some[best]!
    const text = String(first.value)
    const words = tokenise(text)
    const kinds = new Set(some.map(({ kind }) => kind))
    const [one, last] = [words[0]?.norm ?? "", words.at(-1)?.norm ?? ""]
    const longer = (spans.get(first.passage.index) ?? []).some((other) =>
      other.from <= first.from && other.to >= first.to && other.to - other.from > first.to - first.from
    )
    const spoken = some.filter(({ passage }) => passage.modality === "audio")
    const keyWords = key.split(" ")
    const capital = spoken.filter(({ value }) => /^\p{Lu}/u.test(String(value)))
    const opening = capital.filter(({ from, passage }) =>
      from === 0 || /[.!?…]["”]?\s+$/u.test(passage.text.slice(0, from))
    )
    const addressed = spoken.filter(({ from, passage: { text: said }, to }) =>
      /^\s*[,.!?]/u.test(said.slice(to)) &&
      /(?:^|[,.!?]\s+|\b(?:thanks|hi|hello|hey|okay|ok|yes|no|right|sorry|well)\s)$/iu.test(said.slice(0, from))
    )
    const led = some.slice(0, 12).map((place) => stem(wordBefore(place)))
    const number = typeof first.value === "number" ? first.value : undefined
    return {
      value: first.value,
      places: some,
      features: [
        ...KINDS.map((kind) => flag(kinds.has(kind))),
        upTo(6, words.length),
        upTo(40, text.length),
        flag(/^\p{Lu}/u.test(text)),
        words.filter((word) => /^\p{Lu}/u.test(word.text)).length / Math.max(1, words.length),
        text.replaceAll(/\D/gu, "").length / Math.max(1, text.length),
        flag(FIRST_NAMES.has(one)),
        flag(ORGANISATION_WORD.test(text)),
        flag(PLACE_END.test(text)),
        rarityOf(words.map(({ norm }) => norm)),
        ...told[best]!.features,
        upTo(8, spoken.length),
        upTo(3, some.length - spoken.length),
        (some.at(-1)!.passage.t_start - some[0]!.passage.t_start) / Math.max(1, reading.document.duration_seconds),
        Math.max(...told.map(({ announced: high }) => high)),
        Math.max(...told.map(({ values }) => values)),
        upTo(6, keyWords.length < 2 ? 0 : firstWords.get(keyWords[0]!)! - 1),
        upTo(6, keyWords.length < 2 ? 0 : lastWords.get(keyWords.at(-1)!)! - 1),
        upTo(300, byValue.size),
        flag(longer),
        flag(speakers.has(key)),
        flag(some.some(({ passage, to }) => /^[,!?]/u.test(passage.text.slice(to)) && /^\p{Lu}/u.test(text))),
        anchor.kinds.get(first.kind as never) ?? 0,
        ...ofList,
        flag(ruled.has(key)),
        flag(ruled.size > 0 && !ruled.has(key)),
        flag(STOP_WORDS.has(one) || STOP_WORDS.has(last)),
        upTo(4, listWords.size),
        upTo(3, capital.length - opening.length),
        flag(spoken.length > 0 && words.length === 1 && opening.length === spoken.length),
        addressed.length / Math.max(1, spoken.length),
        flag(people.has(key)),
        flag(led.some((word) => listWords.has(word))),
        flag(led.some((word) => leafName.has(word))),
        upTo(6, (forms.get(formOf(key)) ?? 1) - 1),
        number === undefined ? 0 : flag(byValue.has(String(number + 1))) + flag(byValue.has(String(number - 1)))
      ]
    }
  })
}
