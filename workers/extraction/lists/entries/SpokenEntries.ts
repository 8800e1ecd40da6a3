import { type Material, type Mention, mentionText } from "../../candidates/Mention.ts"
import type { Reading } from "../../candidates/Reading.ts"
import type { Leaf } from "../../text/Plan.ts"
import { asks, type Sentence } from "../../text/Sentences.ts"
import { leadOf, type Span } from "../../text/SourceDocument.ts"
import { normaliseValue, tokenise } from "../../text/Tokens.ts"
import { wholeOf } from "../kinds/SlideContents.ts"
import { bySpan, type Entry, fullEntries, mentionOf, nearestLeaf, type Shape, sizeOf } from "./Entry.ts"
import { type EntryName, entryNames, type Form, namesPeople } from "./EntryNames.ts"
import { saidOfEntry } from "./EntryTexts.ts"
import type { EntryValue } from "./EntryValues.ts"

/** How many passages on a value without a name beside it still belongs to the entry that was spoken of. */
const REACH = 4

/** What was so before, or is said by someone else, or is of something else. */
const FORMER =
  /\b(?:used to|was (?:at |priced at )?|originally|formerly|previously|instead of|down from|claims?|promised?|another|extra)\s+(?:\p{L}+\s+){0,2}$/iu
/** A value below zero: no word of its number says so. */
const FALLING = /\b(?:down|minus|fell|fall|falling|dropped|lost|negative|below zero)(?: by)?\s+$/iu
/** Properties of which the last value that is said holds. */
const FINAL = /\b(?:final|latest|current|end|actual|new)\b/u
/** Properties of lists in which the same name may come twice. */
const MOMENT = /\b(?:minute|time|date|lap|round|when)\b/u

interface Draft extends Entry {
  readonly at: EntryName
  last: number
}

type Group = ReadonlyArray<EntryValue>

/** Puts together the entries whose names are of one form. */
class Assembly {
  readonly #names: ReadonlyMap<number, ReadonlyArray<EntryName>>
  readonly #drafts = new Map<string, Draft>()
  readonly #repeats: boolean
  readonly #people: boolean
  readonly #numbers: number
  readonly #sentenceOf: (value: Span) => Sentence | undefined
  readonly #told: ReadonlyMap<Sentence | undefined, ReadonlyArray<Group>>
  #current: Draft | undefined

  constructor(
    names: ReadonlyArray<EntryName>,
    shape: Shape,
    sentenceOf: (value: Span) => Sentence | undefined,
    told: ReadonlyMap<Sentence | undefined, ReadonlyArray<Group>>
  ) {
    this.#names = Map.groupBy(names, ({ passage }) => passage.index)
    this.#repeats = shape.others.some(({ name }) => MOMENT.test(name))
    this.#people = namesPeople(shape)
    this.#numbers = shape.others.filter(({ type }) => type === "number" || type === "integer").length
    this.#sentenceOf = sentenceOf
    this.#told = told
  }

  /** Whether the sentence of a name gives what a value would be of it: in "squats, three sets. Then lunges, two sets" lunges have two. */
  #hasOwn(name: EntryName, group: Group): boolean {
    const own = this.#told.get(this.#sentenceOf(name)) ?? []
    return own.some((other) => other !== group && other.some(({ leaf }) => group.some((one) => one.leaf === leaf)))
  }

  #draftFor(name: EntryName, group: Group): Draft {
    const key = normaliseValue(name.text)
    const known = this.#drafts.get(key)
    const again = known !== undefined && this.#repeats && known.last !== name.passage.index &&
      group.every(({ leaf }) => known.values.has(leaf))
    if (known !== undefined && !again) return known
    const { from, passage, to } = name.full ?? name
    const span = { passage, from, to }
    const made: Draft = { at: name, name: { value: name.text, span }, values: new Map(), last: name.passage.index }
    this.#drafts.set(again ? `${key} ${name.passage.index}` : key, made)
    return made
  }

  #isOpen(draft: Draft | undefined, group: Group): boolean {
    return draft !== undefined && group.some(({ leaf }) => !draft.values.has(leaf) || FINAL.test(leaf.words))
  }

  /** The name that a value belongs to: the subject of its sentence or passage, or whom the passages before speak of. */
  #target(group: Group, sentence: Sentence): Draft | undefined {
    const { from, passage } = group[0]!
    const here = (this.#names.get(passage.index) ?? []).filter((name) =>
      !group.some((value) => name.from < value.to && name.to > value.from)
    )
    const same = here.filter((name) => name.from >= sentence.from && name.to <= sentence.to)
    const before = (names: ReadonlyArray<EntryName>): EntryName | undefined => {
      const open = names.filter((name) =>
        name.to <= from && (this.#repeats || this.#isOpen(this.#drafts.get(normaliseValue(name.text)) ?? EMPTY, group))
      )
      // A sentence is about what it names first; of people, about whom it names last.
      return this.#people ? open.at(-1) : open[0]
    }
    const named = before(same) ?? before(here)
    if (named !== undefined) return this.#draftFor(named, group)
    const [previous] = (this.#names.get(passage.index - 1) ?? []).slice(-1)
    if (this.#isOpen(this.#current, group) && passage.index - this.#current!.last <= REACH) {
      const isOther = previous !== undefined &&
        normaliseValue(previous.text) !== normaliseValue(this.#current!.at.text) &&
        passage.index - 1 > this.#current!.last
      if (!isOther) return this.#current
    }
    const after = same.find((name) => name.from >= from) ??
      here.find((name) => name.from >= from && !this.#hasOwn(name, group))
    if (after !== undefined) return this.#draftFor(after, group)
    return previous === undefined ? undefined : this.#draftFor(previous, group)
  }

  /** Takes a value that says which property it is of. */
  addSure(group: Group): void {
    const [first] = group
    const sentence = this.#sentenceOf(first!)
    const lead = leadOf(first!)
    if (sentence === undefined || asks(sentence.text) || FORMER.test(lead) || FALLING.test(lead)) return
    const target = this.#target(group, sentence)
    const one = target === undefined
      ? undefined
      : nearestLeaf(group.filter(({ leaf }) => !target.values.has(leaf) || FINAL.test(leaf.words)))
    if (target === undefined || one === undefined) return
    target.values.set(one.leaf, mentionOf(one))
    target.last = passageOf(one)
    this.#current = target
  }

  /** Properties that most entries, three at least, have with their unit: a bare number is none of these. */
  clear(): ReadonlySet<Leaf> {
    const drafts = this.entries()
    const counts = new Map<Leaf, number>()
    for (const { values } of drafts) for (const leaf of values.keys()) counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
    return new Set(Array.from(counts).flatMap(([leaf, count]) => count > Math.max(2, drafts.length / 2) ? [leaf] : []))
  }

  /**
   * Takes the bare numbers of one sentence, each in the first property that is open, where they stand beside the name of an
   * entry or another of its values, or are as many as an entry has numbers.
   */
  addUnsure(groups: ReadonlyArray<Group>, sentence: Sentence): void {
    const [first] = groups[0]!
    const inside = ({ from, passage, to }: Span): boolean =>
      passage === sentence.passage && from >= sentence.from && to <= sentence.to
    const beside = Array.from(this.#drafts.values()).find(({ values }) =>
      Array.from(values.values()).some(({ span }) => inside(span))
    )
    const names = (this.#names.get(sentence.passage.index) ?? []).filter((name) => name.to <= first!.from)
    const whole = tokenise(sentence.text).length <= 5 || (this.#numbers > 1 && groups.length === this.#numbers)
    const name = names.findLast(inside) ?? (whole ? names[0] : undefined)
    for (const group of groups) {
      const lead = leadOf(group[0]!)
      if (FORMER.test(lead) || FALLING.test(lead)) continue
      const target = beside ?? (name === undefined ? undefined : this.#draftFor(name, group))
      const one = target === undefined ? undefined : nearestLeaf(group.filter(({ leaf }) => !target.values.has(leaf)))
      if (target !== undefined && one !== undefined) target.values.set(one.leaf, mentionOf(one))
    }
  }

  /** What has a name and a value so far, in order of the names. */
  entries(): ReadonlyArray<Draft> {
    return Array.from(this.#drafts.values()).filter(({ values }) => values.size > 0).toSorted((a, b) =>
      a.at.passage.index - b.at.passage.index || a.at.from - b.at.from
    )
  }
}

const EMPTY = { values: new Map() } as unknown as Draft
const passageOf = ({ passage }: EntryValue): number => passage.index

/** Short lines that open a frame: names that speech may take up. */
const screenNames = (reading: Reading): ReadonlyArray<Mention> => {
  const lines = reading.passages.filter(({ channel }) => channel === "ocr")
  return Array.from(Map.groupBy(lines, ({ source_ref }) => source_ref).values()).flatMap(([first]) => {
    const named = tokenise(first!.text).length <= 4 && /^\p{Lu}/u.test(first!.text) && !/[:$€£%°]/u.test(first!.text)
    return named ? mentionText(wholeOf(first!), first!.text) ?? [] : []
  })
}

const LEAST_GUESSED = 3

const FORMS: ReadonlyArray<Form> = ["guessed", "name", "phrase", "letter"]

/**
 * Entries that speech tells of: names of one form, each with the values said in its sentence, in the sentences around it or
 * until the next name. The form under which most is found is the list's.
 */
export const entriesSpoken = (
  { reading, sentences }: Material,
  shape: Shape,
  values: ReadonlyArray<EntryValue>,
  shown: ReadonlyArray<Entry>,
  table: boolean
): ReadonlyArray<Entry> => {
  const said = sentences.filter(({ passage }) => passage.modality === "audio" && !reading.suspects.has(passage.index))
  const groups = bySpan(values.filter(({ leaf, passage }) => passage.modality === "audio" && leaf.type !== "boolean"))
  if (groups.length < 2) return []
  const inPassage = Map.groupBy(said, ({ passage }) => passage)
  const sentenceOf = ({ from, passage }: Span) =>
    inPassage.get(passage)?.find((one) => one.from <= from && from < one.to)
  const told = Map.groupBy(groups, ([first]) => sentenceOf(first!))
  let best: ReadonlyArray<Draft> = []
  const known = shown.length > 0 ? shown.map(({ name }) => name) : screenNames(reading)
  for (const form of shown.length > 0 ? ["known" as const, ...FORMS.slice(1)] : FORMS) {
    const names = entryNames(reading, said, form, shape, known)
    if (names.length < 2) continue
    const assembly = new Assembly(names, shape, sentenceOf, told)
    for (const group of groups) {
      const sure = group.filter((one) => one.sure)
      if (sure.length > 0) assembly.addSure(sure)
    }
    const certain = new Set(assembly.entries())
    const most = Math.max(0, ...Array.from(certain, ({ values: { size } }) => size))
    const clear = assembly.clear()
    const bare = groups.flatMap((group) => {
      const open = group.some((one) => one.sure) ? [] : group.filter(({ leaf }) => !clear.has(leaf))
      const sentence = open.length === 0 ? undefined : sentenceOf(open[0]!)
      return sentence === undefined || asks(sentence.text) ? [] : [{ open, sentence }]
    })
    for (const [sentence, numbers] of Map.groupBy(bare, (one) => one.sentence)) {
      assembly.addUnsure(numbers.map(({ open }) => open), sentence)
    }
    const marked = form !== "name" && form !== "phrase"
    const entries = fullEntries(
      assembly.entries().filter((one) => marked || certain.has(one) || (most > 1 && one.values.size >= most)),
      form === "phrase"
    )

    if (sizeOf(entries) > sizeOf(best)) best = entries
    // What a screen names is surer than anything that merely may be a name.
    if (best.length >= (table ? 2 : LEAST_GUESSED) && (table || form === "guessed")) break
  }
  const flags = values.filter(({ leaf, passage }) => leaf.type === "boolean" && passage.modality === "audio")
  return best.map(({ at, name, values: found }, index) => {
    const more = saidOfEntry(reading, shape, flags, { from: at, until: best[index + 1]?.at })
    return { name, values: new Map([...more, ...found]) }
  })
}
