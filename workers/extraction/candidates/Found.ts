import type { Schema } from "effect"
import { roundSeconds } from "../../../src/artifacts/Moment.ts"
import type { Sentence } from "../text/Sentences.ts"
import { momentOf, type Span } from "../text/SourceDocument.ts"
import type { Cast } from "./Cast.ts"
import type { Reading } from "./Reading.ts"

/** What a value is computed from, where it is not read: a bound of its span, its place in a list, who speaks. */
export type Derivation = "t_start" | "t_end" | "order" | "speaker"

/** A value with the characters that say it, before anyone has checked that they do. */
export interface Found {
  readonly value: Schema.Json
  readonly span: Span
  readonly derived?: Derivation
}

/** One entry of a list, by role: `text`, `owner`, `amount` … Roles meet properties by their names. */
export type FoundEntry = Readonly<Record<string, Found>>

/** What recognisers work on. */
export interface Material {
  readonly reading: Reading
  readonly sentences: ReadonlyArray<Sentence>
  readonly cast: Cast
}

/** Lists the entries of one sort that a source holds, in order of time. */
export type Recogniser = (material: Material) => ReadonlyArray<FoundEntry>

/** The exact part `text` of a span as a value, or undefined where it is not in it. Padding and end marks are cut. */
export const foundText = (span: Span, text: string): Found | undefined => {
  const value = text.trim().replace(/[.!?,;:\s]+$/u, "")
  const at = span.passage.text.indexOf(value, span.from)
  if (value === "" || at < 0 || at + value.length > span.to) return undefined
  return { value, span: { passage: span.passage, from: at, to: at + value.length } }
}

/** The second at which a span's first word is said or shown. */
export const secondOf = (span: Span): Found => ({
  value: roundSeconds(momentOf(span).t_start),
  span,
  derived: "t_start"
})

/** Who says it: by name where the speaker gives one, else by the transcript's label. Undefined where nobody speaks. */
export const sayer = ({ cast, reading }: Material, span: Span): Found | undefined => {
  const id = span.passage.speaker
  if (id === null) return undefined
  const value = cast.speakers.get(id)?.name ?? reading.document.speakers.get(id) ?? id
  return { value, span, derived: "speaker" }
}

/** An entry without the roles that were not found; undefined where the first role is missing. */
export const entry = (roles: Readonly<Record<string, Found | undefined>>): FoundEntry | undefined => {
  const found = Object.entries(roles).filter((role): role is [string, Found] => role[1] !== undefined)
  return Object.values(roles)[0] === undefined ? undefined : Object.fromEntries(found)
}
