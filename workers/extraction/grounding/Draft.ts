import type { Citation } from "../../../src/artifacts/Evidence.ts"
import type { Derivation } from "../candidates/Mention.ts"
import type { Ranked } from "../ranking/Rank.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Span } from "../text/SourceDocument.ts"
import type { Proposal } from "./Proposal.ts"

/** A proposal of the built-in extractor: it knows the very characters that it read. */
export interface Draft extends Proposal {
  readonly leaf: Leaf
  readonly span: Span
  readonly derived?: Derivation | undefined
  /** Whether `score` is a probability fitted on data; a rule's score only ranks. */
  readonly calibrated: boolean
  /** By what kind of proof the value stands where its quote does not say it: a label by meaning, a sum, a text in new words. */
  readonly grade?: "classified" | "computed" | "generated" | undefined
  /** What else the value rests on, beside its own span. */
  readonly citations?: ReadonlyArray<{ readonly span: Span; readonly role: Citation["role"] }> | undefined
  /** What somebody other than the proposer says of it. */
  readonly verdict?: { readonly answers: number; readonly judged_by: "model" | "rules" } | undefined
}

/**
 * That nobody was hurt is no value that the judge has seen often enough to know: on 180 videos the rule spoke twice and was right twice, which is
 * as much as three of four by Laplace's rule of succession.
 */
const NONE = { answers: 0.75, judged_by: "rules" } as const

/**
 * What rules are worth whose values the judge has not seen in what it was fitted on, by Laplace's rule of succession over 468 open videos: "I'm Bex" for who
 * presents 39 of 42 (13 of 15 in footage that is written to trap), "welcome to Larkrise Meadow" 8 of 9, the one phone number, address or identifier of its form 13 of 13, the number behind the field's own noun 14 of 14, the end of a range on the screen 9 of 9,
 * what a caption says of whom it shows 9 of 9, the one name on the screen that ends with its field's kind 13 of 14, the one currency that is named 14 of 14.
 * A size whose key stands behind it is labelled: the judge gives labels of numbers as much.
 */
const WORTH: Readonly<Partial<Record<NonNullable<Ranked["rule"]>, number>>> = {
  "own-name": 0.83,
  welcome: 0.82,
  "plain-form": 0.93,
  "noun-number": 0.94,
  "name-kind": 0.88,
  "opening-name": 0.83,
  "keyed-size": 0.95,
  "screen-range": 0.91,
  caption: 0.91,
  "only-currency": 0.94
}

/** Whether what a rule says is worth the same wherever it is read, so that no judge doubts it. */
export const isToldByRule = ({ rule }: Ranked): boolean => rule !== undefined && WORTH[rule] !== undefined

/** A ranked value as a draft, of an entry where `item_key` names one. */
export const draftOf = ({ candidate, leaf, rule, score, value }: Ranked, item_key?: string): Draft => ({
  pointer_template: leaf.template,
  ...(item_key === undefined ? {} : { item_key }),
  value,
  source_refs: [candidate.passage.source_ref],
  score,
  proposed_by: rule === undefined ? "ranker" : `rules:${rule}`,
  leaf,
  span: { passage: candidate.passage, from: candidate.from, to: candidate.to },
  calibrated: rule === undefined,
  ...(candidate.day === undefined ? {} : { citations: [{ span: candidate.day.month, role: "input" }] }),
  ...(rule === "summary" ? { grade: "generated" } : {}),
  ...(rule === "number-of" && value === 0 ? { verdict: NONE } : {}),
  ...(rule === undefined || WORTH[rule] === undefined ? {} : { verdict: { answers: WORTH[rule], judged_by: "rules" } })
})
