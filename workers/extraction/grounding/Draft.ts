import type { Derivation } from "../candidates/Found.ts"
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
}

/** A ranked value as a draft, of an entry where `item_key` names one. */
export const draftOf = ({ candidate, leaf, rule, score, value }: Ranked, item_key?: string): Draft => ({
  pointer_template: leaf.template,
  ...(item_key === undefined ? {} : { item_key }),
  value,
  source_refs: [candidate.passage.source_ref],
  score,
  by: "builtin",
  leaf,
  span: { passage: candidate.passage, from: candidate.from, to: candidate.to },
  calibrated: rule !== true
})
