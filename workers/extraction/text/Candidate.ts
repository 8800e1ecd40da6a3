import type { Span } from "./SourceDocument.ts"

/** What shape of value a scanner saw. */
export type Kind =
  | "number"
  | "percent"
  | "money"
  | "duration"
  | "date"
  | "time"
  | "email"
  | "url"
  | "phone"
  | "name"
  | "address"
  | "answer"
  | "label"
  | "quoted"
  | "phrase"
  | "named"
  | "code"

/** One typed thing that a passage says, with the characters that say it. */
export interface Candidate extends Span {
  readonly kind: Kind
  readonly text: string
  /** The number itself (money in its unit, durations in seconds, percent as said); otherwise the text. */
  readonly value: unknown
  /** ISO currency for money, `s` for durations, the following word for plain numbers. */
  readonly unit?: string | undefined
  readonly ordinal?: boolean
  /** What stands before the colon in `Label: value`. */
  readonly label?: string | undefined
  /** Of a name without capitals: no ordinary word stands between it and the words around it that could be part of it. */
  readonly whole?: boolean
  /** Of a day that is named by its number alone: which it is, as `YYYY-MM-DD`, and the date that tells its month. */
  readonly day?: { readonly iso: string; readonly month: Span }
}

/** A candidate as a value of one leaf. */
export interface LeafCandidate {
  readonly candidate: Candidate
  readonly value: string | number | boolean
  /** Of a yes or no: whether a statement says it or an answer. */
  readonly manner?: "asserted" | "answered"
  /** It competes for its leaf and is never its value: another unit's or another office's. */
  readonly barred?: true
}
