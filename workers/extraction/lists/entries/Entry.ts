import type { Mention } from "../../candidates/Mention.ts"
import type { Leaf, List } from "../../text/Plan.ts"
import { identifierWords, stem, tokenise } from "../../text/Tokens.ts"
import type { EntryValue } from "./EntryValues.ts"
import { isTyped } from "./EntryValues.ts"

/** One entry of a list while it is put together: its name and what was found for its other properties. */
export interface Entry {
  readonly name: Mention
  readonly values: Map<Leaf, Mention>
  /** Set where nothing but the order of the schema says which of its texts is which property. */
  readonly untold?: true
  /** Properties whose values stand in a column that nothing names. */
  readonly guessed?: ReadonlySet<Leaf>
}

/** The properties of a list's entries by their part in it. */
export interface Shape {
  readonly list: List
  /** What an entry is called: the first text that is not told by its form. */
  readonly anchor: Leaf
  readonly others: ReadonlyArray<Leaf>
  /** Texts besides it that may say anything. */
  readonly texts: ReadonlyArray<Leaf>
}

/** The shape of a list of objects; undefined where nothing names its entries or there is nothing else to find. */
export const shapeOf = (list: List): Shape | undefined => {
  const leaves = Array.from(list.leaves.values())
  const anchor = leaves.find((leaf) => leaf.type === "string" && !isTyped(leaf))
  const others = leaves.filter((leaf) => leaf !== anchor)
  return anchor === undefined || others.length === 0
    ? undefined
    : { list, anchor, others, texts: others.filter((leaf) => leaf.type === "string" && !isTyped(leaf)) }
}

/** What a property is called, in words. */
export const nameOf = (leaf: Leaf): string => identifierWords(leaf.name).join(" ")

export const mentionOf = ({ from, passage, to, value }: EntryValue): Mention => ({ value, span: { passage, from, to } })

const termsOf = (leaf: Leaf): ReadonlySet<string> =>
  new Set([
    ...identifierWords(leaf.name),
    ...tokenise(String(leaf.schema["description"] ?? "")).map(({ norm }) => norm)
  ].map(stem))

/** How far around a number the words are that say which of two like properties it is of, in characters. */
const NEAR = 28

const wordsAround = ({ from, passage: { text }, to }: EntryValue): ReadonlyArray<string> => {
  const before = text.slice(Math.max(0, from - NEAR), from).split(/[,.;!?]/u).at(-1)!
  const after = text.slice(to, to + NEAR).split(/[,.;!?]/u)[0]!
  return tokenise(`${before} ${after}`).map(({ norm }) => stem(norm))
}

/** Of properties that a value fits alike, the one whose own words stand beside it; undefined where none has more of these than the others. */
export const toldLeaf = (fits: ReadonlyArray<EntryValue>): EntryValue | undefined => {
  const terms = fits.map(({ leaf }) => termsOf(leaf))
  const telling = fits.map((fit, at) =>
    wordsAround(fit).filter((word) =>
      terms[at]!.has(word) && !terms.some((other, index) => index !== at && other.has(word))
    )
      .length
  )
  const most = Math.max(...telling)
  return most > 0 ? fits[telling.indexOf(most)] : undefined
}

/** Of properties that a value fits alike, the one whose own words stand beside it; else the first that is open. */
export const nearestLeaf = (fits: ReadonlyArray<EntryValue>): EntryValue | undefined =>
  fits.length < 2 ? fits[0] : toldLeaf(fits) ?? fits[0]

/** The same characters read as values of several properties. */
export const bySpan = (values: ReadonlyArray<EntryValue>): ReadonlyArray<ReadonlyArray<EntryValue>> =>
  Array.from(Map.groupBy(values, ({ from, passage }) => `${passage.index}:${from}`).values())

/** Entries that hold at least half as much as the fullest of them, `strictly` more than half; a list has at least two. */
export const fullEntries = <E extends Entry>(entries: ReadonlyArray<E>, strictly: boolean): ReadonlyArray<E> => {
  const most = Math.max(0, ...entries.map(({ values }) => values.size))
  const full = entries.filter(({ values: { size } }) => size > 0 && (strictly ? size > most / 2 : size >= most / 2))
  return full.length >= 2 ? full : []
}

export const sizeOf = (entries: ReadonlyArray<Entry>): number =>
  entries.reduce((sum, { values }) => sum + 1 + values.size, 0)
