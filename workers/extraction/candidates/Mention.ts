import type { Schema } from "effect"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Sentence } from "../text/Sentences.ts"
import { momentOf, type Span } from "../text/SourceDocument.ts"
import type { EntityRegistry } from "./EntityRegistry.ts"
import type { Reading } from "./Reading.ts"

/** What a value is computed from, where it is not read: a bound of its span, its place in a list, who speaks. */
export type Derivation = "t_start" | "t_end" | "order" | "speaker"

/** A value with the characters that say it, before anyone has checked that they do. */
export interface Mention {
  readonly value: Schema.Json
  readonly span: Span
  readonly derived?: Derivation
}

/** One entry of a list, by role: `text`, `owner`, `amount` … Roles meet properties by their names. */
export type EntryMentions = Readonly<Record<string, Mention>>

/** What finders of entries work on. */
export interface Material {
  readonly reading: Reading
  readonly sentences: ReadonlyArray<Sentence>
  readonly registry: EntityRegistry
}

/** Lists the entries of one sort that a source holds, in order of time. */
export type EntryFinder = (material: Material) => ReadonlyArray<EntryMentions>

const WORD = /[\p{L}\p{N}]/u

/** Whether no word goes on over this place of a text. */
const isBetweenWords = (text: string, at: number): boolean =>
  !WORD.test(text[at - 1] ?? "") || !WORD.test(text[at] ?? "")

/** What stands at `[from, from + text.length)` of a passage as a value; undefined where nothing is left once padding and end marks are cut. */
export const mentionAt = (passage: Span["passage"], from: number, text: string): Mention | undefined => {
  const start = from + text.length - text.trimStart().length
  const value = text.trim().replace(/[.!?,;:\s]+$/u, "")
  return value === "" ? undefined : { value, span: { passage, from: start, to: start + value.length } }
}

/**
 * The exact part `text` of a span as a value, or undefined where it is not in it. Padding and end marks are cut. It never begins or ends
 * inside a word. Of several places it is the first: where a pattern has found the text, `groupOf` gives its own.
 */
export const mentionText = (span: Span, text: string): Mention | undefined => {
  const value = text.trim().replace(/[.!?,;:\s]+$/u, "")
  if (value === "") return undefined
  const whole = span.passage.text
  for (let at = whole.indexOf(value, span.from); at >= 0; at = whole.indexOf(value, at + 1)) {
    const to = at + value.length
    if (to > span.to) return undefined
    if (isBetweenWords(whole, at) && isBetweenWords(whole, to)) {
      return { value, span: { passage: span.passage, from: at, to } }
    }
  }
  return undefined
}

/** A group of a pattern with indices, found in the text of a span, as a value where it stands; undefined where it took part in no match. */
export const groupOf = ({ from, passage }: Span, match: RegExpExecArray, group: number): Mention | undefined => {
  const at = match.indices?.[group]?.[0]
  return at === undefined ? undefined : mentionAt(passage, from + at, match[group]!)
}

/** The second at which a span's first word is said or shown. */
export const secondOf = (span: Span): Mention => ({
  value: roundSeconds(momentOf(span).t_start),
  span,
  derived: "t_start"
})

/** Who says it: by name where the speaker gives one, else by the transcript's label. Undefined where nobody speaks. */
export const saidBy = ({ registry, reading }: Material, span: Span): Mention | undefined => {
  const id = span.passage.speaker
  if (id === null) return undefined
  const value = registry.speakers.get(id)?.name ?? reading.document.speakers.get(id) ?? id
  return { value, span, derived: "speaker" }
}

/** An entry without the roles that were not found; undefined where the first role is missing. */
export const entry = (roles: Readonly<Record<string, Mention | undefined>>): EntryMentions | undefined => {
  const found = Object.entries(roles).filter((role): role is [string, Mention] => role[1] !== undefined)
  return Object.values(roles)[0] === undefined ? undefined : Object.fromEntries(found)
}
