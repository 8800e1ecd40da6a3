import type { Material } from "../../candidates/Mention.ts"
import type { Draft } from "../../grounding/Draft.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { normaliseValue } from "../../text/Tokens.ts"
import { draftsOf } from "../kinds/ListKinds.ts"
import { type Entry, type Shape, shapeOf, sizeOf } from "./Entry.ts"
import { entryValues } from "./EntryValues.ts"
import { peopleIntroduced } from "./IntroducedPeople.ts"
import { entriesShown } from "./ShownEntries.ts"
import { entriesSpoken } from "./SpokenEntries.ts"
import { typedRows } from "./TypedRows.ts"

/** One entry of what is shown and said of the same name: the screen's values before speech's. */
const merged = (shown: ReadonlyArray<Entry>, spoken: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  shown.map((one) => {
    const other = spoken.find(({ name }) => normaliseValue(name.value) === normaliseValue(one.name.value))
    return other === undefined ? one : { ...one, values: new Map([...other.values, ...one.values]) }
  })

/** Entries as proposals, and whether a table gives them whose header names at least two of their properties, or whose rows are made alike. */
export interface FoundEntries {
  readonly drafts: ReadonlyArray<Draft>
  readonly headed: boolean
  readonly counted: boolean
}

/**
 * Which of two texts is which property is then a guess by the order of the schema. Of 12 made tables of two texts 6 were the other way round, so
 * that no strict result has such texts; set by hand, since the footage has too few of them to fit.
 */
const UNTOLD = { answers: 0.6, judged_by: "rules" } as const

/** A bare number in a column without a name, of the only property that takes it: set by hand, no strict result has it. */
const UNNAMED = { answers: 0.75, judged_by: "rules" } as const

/** By what they are told: a header or a column of numbers that only one property takes, or no more than that they stand alike. */
type Found = "table" | "entries"

const draftsFor = ({ anchor, texts }: Shape, entries: ReadonlyArray<Entry>, by: Found): ReadonlyArray<Draft> => {
  const texted: ReadonlySet<Leaf> = new Set([anchor, ...texts])
  const untold = new Map<string, unknown>(
    entries.flatMap(({ name, untold: is }, at) => is === true ? [[`record-${at}`, name.span.passage] as const] : [])
  )
  const drafts = draftsOf(by, entries.map(({ name, values }) => [[anchor, name] as const, ...values]))
  const guessed = new Map(entries.map((one, at) => [`record-${at}`, one]))
  const isGuessed = ({ item_key, leaf, span }: Draft): boolean => {
    const entry = guessed.get(item_key ?? "")
    return entry?.guessed?.has(leaf) === true && entry.name.span.passage === span.passage
  }
  const judged = (draft: Draft): Draft =>
    texted.has(draft.leaf) && untold.get(draft.item_key ?? "") === draft.span.passage
      ? { ...draft, verdict: UNTOLD }
      : isGuessed(draft)
      ? { ...draft, verdict: UNNAMED }
      : draft
  return drafts.map(judged)
}

/** Rows whose entries nothing names, where names with values say less. */
const unnamed = (material: Material, list: List, found: FoundEntries): FoundEntries => {
  const drafts = draftsOf("entries", typedRows(material, list))
  return drafts.length > found.drafts.length ? { drafts, headed: false, counted: true } : found
}

/**
 * The entries of a list of objects, found by what repeats: rows and captions on screen, names with their values in speech.
 * `rivals` are the lists of the same result, `fields` its fields outside of lists: what a heading or a label gives to one of them is theirs. Empty where fewer than two entries say the same kind of thing.
 */
export const findEntries = (
  material: Material,
  list: List,
  rivals: ReadonlyArray<List>,
  fields: ReadonlyArray<Leaf>
): FoundEntries => unnamed(material, list, namedEntries(material, list, rivals, fields))

const namedEntries = (
  material: Material,
  list: List,
  rivals: ReadonlyArray<List>,
  fields: ReadonlyArray<Leaf>
): FoundEntries => {
  const shape = shapeOf(list)
  if (shape === undefined) return { drafts: [], headed: false, counted: false }
  const values = entryValues(material.reading, shape.others)
  const { counted, entries: shown, headed, table } = entriesShown(material, shape, values, rivals, fields)
  const spoken = entriesSpoken(material, shape, values, shown, table)
  const people = peopleIntroduced(material, shape)
  const unheaded = (entries: ReadonlyArray<Entry>) => ({
    drafts: draftsFor(shape, entries, "entries"),
    headed: false,
    counted: false
  })
  if (people.length > 0 && sizeOf(people) >= Math.max(sizeOf(shown), sizeOf(spoken))) return unheaded(people)
  const entries = merged(shown, spoken)
  return shown.length === 0 || sizeOf(entries) < sizeOf(spoken)
    ? unheaded(spoken)
    : { drafts: draftsFor(shape, entries, headed || counted ? "table" : "entries"), headed, counted }
}
