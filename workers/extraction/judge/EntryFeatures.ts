import type { Reading } from "../candidates/Reading.ts"
import type { Leaf, List, Plan } from "../text/Plan.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { identifierWords, stem, STOP_WORDS } from "../text/Tokens.ts"
import { type FieldWords, fieldWords, namedIn, stemsIn } from "./FieldWords.ts"
import type { Judgeable } from "./Judgeable.ts"
import { STANDING_FEATURES, standingContext } from "./StandingFeatures.ts"

/** How a value was come upon, and how it stands in its line. */
export const FOUND_FEATURES = [
  "entry_of_table",
  "entry_alike",
  "entry_strung",
  "entry_chosen",
  "whole_line",
  "row"
] as const

/** How the entry that a value is in stands among the others of its list, and the list on its picture or in its talk. */
export const ENTRY_FEATURES = [
  // The list's words: in the lines of the picture that are none of its rows, right above them, in speech near by.
  ...[
    "picture_names_list",
    "heading_names_list",
    "speech_names_list",
    "heading_names_other",
    "line_names_single"
  ] as const,
  // The rows of the list on one picture.
  ...["rows", "rows_of_picture", "row_apart", "row_is_last", "pictures", "has_colon"] as const,
  // The entry beside the others.
  ...["filled_alike", "filled_in_mean", "typed", "typed_filled", "first_of_list"] as const
] as const

const flag = (condition: boolean): number => condition ? 1 : 0
const upTo = (most: number, count: number): number => Math.min(most, count) / most
const parentOf = (template: string): string => template.slice(0, template.lastIndexOf("/*") + 2)
const isInList = ({ pointer_template }: Judgeable): boolean => pointer_template.includes("/*")
const keyOf = ({ item_key, pointer_template }: Judgeable): string => `${parentOf(pointer_template)}|${item_key ?? ""}`

/** In the order of `FOUND_FEATURES`. */
export const comeUpon = (draft: Judgeable): ReadonlyArray<number> => {
  const { proposed_by, span: { from, passage: { text }, to } } = draft
  return [
    flag(proposed_by === "list:table"),
    flag(proposed_by === "list:entries"),
    flag(proposed_by === "list:strung" || proposed_by === "list:inner-series"),
    flag(isInList(draft) && proposed_by === "ranker"),
    flag(to - from >= text.trim().length - 1),
    flag(/\S\s{2,}\S/u.test(text))
  ]
}

/** How many passages of speech before and after a value may tell of its list. */
const NEAR = 3
/** How many seconds before and after a picture speech may tell what is on it. */
const BESIDE_SECONDS = 4

const listWords = ({ name }: List): FieldWords => {
  const words = identifierWords(name).filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(stem)
  return { name: new Set(words), all: new Map() }
}

/** Which properties an entry has. */
const signature = (entry: ReadonlyArray<Judgeable>): string =>
  entry.map(({ pointer_template }) => pointer_template).toSorted().join(" ")

const isTypedValue = ({ value }: Judgeable): boolean => typeof value !== "string" || /^\d{1,4}[-:]\d{2}/u.test(value)

/** A line, as one of a list. */
interface Line {
  readonly passage: Passage
  readonly template: string
}

/** What is true of all entries of a list. */
interface Listed {
  /** How many have the same properties, by these. */
  readonly alike: ReadonlyMap<string, number>
  readonly count: number
  readonly filled: number
  readonly first: ReadonlySet<Judgeable>
  readonly typed: number
  readonly wanted: number
}

const NO_WORDS: FieldWords = { name: new Set(), all: new Map() }

/** Each answer once: a table has hundreds of values on as many lines. */
const remembered = <Q, A>(answer: (question: Q) => A, keyOf: (question: Q) => string): (question: Q) => A => {
  const known = new Map<string, A>()
  return (question) => {
    const key = keyOf(question)
    const before = known.get(key)
    if (before !== undefined) return before
    const made = answer(question)
    known.set(key, made)
    return made
  }
}

/**
 * Prepares what tells rows of a list from other lines that look like them, in the order of `ENTRY_FEATURES`; zero throughout for a value that is in no
 * list. `all` are the drafts of one result. Pure.
 */
const entryContext = (
  { passages }: Reading,
  plan: Plan,
  planned: ReadonlyArray<List>,
  all: ReadonlyArray<Judgeable>
): (draft: Judgeable) => ReadonlyArray<number> => {
  const listed = all.filter(isInList)
  const lists = Map.groupBy(listed, ({ pointer_template }) => parentOf(pointer_template))
  const entries = Map.groupBy(listed, keyOf)
  const wordsOf = new Map(planned.map((list) => [`${list.template}/*`, listWords(list)]))
  const singles = plan.leaves.map(fieldWords)
  const pictures = Map.groupBy(passages.filter(({ channel }) => channel === "ocr"), ({ source_ref }) => source_ref)
  const stems = new Map<Passage, ReadonlySet<string>>()
  const stemsOf = (passage: Passage): ReadonlySet<string> => {
    const known = stems.get(passage) ?? stemsIn(passage.text)
    stems.set(passage, known)
    return known
  }
  const named = (words: FieldWords, some: ReadonlyArray<Passage>): number =>
    some.reduce((high, one) => Math.max(high, namedIn(words, stemsOf(one))), 0)

  const rowsIn = new Map<string, ReadonlySet<Passage>>(
    Array.from(lists, ([template, some]) => [template, new Set(some.map(({ span }) => span.passage))])
  )

  const onPicture = (template: string, passage: Passage, words: FieldWords): ReadonlyArray<number> => {
    const lines = passage.channel === "ocr" ? pictures.get(passage.source_ref) ?? [] : []
    const own = rowsIn.get(template) ?? new Set()
    const rows = lines.filter((line) => own.has(line))
    const [at, first, last] = [lines.indexOf(passage), lines.indexOf(rows[0]!), lines.indexOf(rows.at(-1)!)]
    const others = lines.filter((line) => !own.has(line))
    const above = lines.slice(0, at).findLast((line) => !own.has(line))
    const otherLists = Array.from(wordsOf).flatMap(([other, one]) => other === template ? [] : [one])
    const heading = above === undefined ? [] : [above]
    const speech = passages.filter((one) =>
      one.modality === "audio" &&
      (passage.channel === "ocr"
        ? one.t_end >= passage.t_start - BESIDE_SECONDS && one.t_start <= passage.t_end + BESIDE_SECONDS
        : Math.abs(one.index - passage.index) <= NEAR)
    )
    const places = rows.map((line) => lines.indexOf(line))
    const gaps = places.filter((place) => place !== at).map((place) => Math.abs(place - at) - 1)
    return [
      named(words, others),
      named(words, heading),
      named(words, speech),
      Math.max(0, ...[...otherLists, ...singles].map((one) => named(one, heading))),
      Math.max(0, ...singles.map((one) => named(one, [passage]))),
      upTo(8, rows.length),
      lines.length === 0 ? 0 : rows.length / lines.length,
      gaps.length === 0 ? 1 : upTo(5, Math.min(...gaps)),
      flag(rows.length > 1 && at === last && at !== first),
      upTo(5, new Set(Array.from(own, ({ source_ref }) => source_ref)).size),
      flag(/\p{L}:\s/u.test(passage.text))
    ]
  }

  const lineOf = remembered(
    ({ passage, template }: Line) => onPicture(template, passage, wordsOf.get(template) ?? NO_WORDS),
    ({ passage, template }) => `${passage.index} ${template}`
  )
  const listOf = remembered((template: string): Listed => {
    const every = Array.from(Map.groupBy(lists.get(template) ?? [], keyOf).values())
    const leaves = Array.from(planned.find((one) => `${one.template}/*` === template)?.leaves.values() ?? [])
    const alike = new Map<string, number>()
    for (const one of every) alike.set(signature(one), (alike.get(signature(one)) ?? 0) + 1)
    return {
      alike,
      count: Math.max(1, every.length),
      filled: every.reduce((sum, one) => sum + one.length, 0),
      first: new Set(every[0]),
      typed: leaves.filter(({ type }) => type !== "string").length,
      wanted: Math.max(1, leaves.length)
    }
  }, (template) => template)

  const nothing = ENTRY_FEATURES.map(() => 0)
  return (draft) => {
    if (!isInList(draft)) return nothing
    const template = parentOf(draft.pointer_template)
    const { alike, count, filled, first, typed, wanted } = listOf(template)
    const own = entries.get(keyOf(draft)) ?? [draft]
    return [
      ...lineOf({ passage: draft.span.passage, template }),
      (alike.get(signature(own)) ?? 0) / count,
      filled / (count * wanted),
      typed / wanted,
      own.filter(isTypedValue).length / wanted,
      flag(first.has(draft))
    ]
  }
}

/** How each of the drafts of one result goes with the others, in the order of `ENTRY_FEATURES` and `STANDING_FEATURES`. Pure. */
export const standingOfEntries = (
  reading: Reading,
  plan: Plan,
  planned: ReadonlyArray<List>,
  leaves: ReadonlyArray<Leaf>,
  all: ReadonlyArray<Judgeable>
): (draft: Judgeable, leaf: Leaf | undefined) => ReadonlyArray<number> => {
  const inList = entryContext(reading, plan, planned, all)
  const goesWith = standingContext(leaves, all, reading.document.duration_seconds)
  const unknown = STANDING_FEATURES.map(() => 0)
  return (draft, leaf) => [...inList(draft), ...(leaf === undefined ? unknown : goesWith(draft, leaf))]
}
