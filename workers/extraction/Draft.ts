import type { Derivation } from "./Found.ts"
import type { Leaf } from "./Plan.ts"
import type { Proposal } from "./Proposal.ts"
import type { Span } from "./SourceDocument.ts"

/** A proposal of the built-in extractor: it knows the very characters that it read. */
export interface Draft extends Proposal {
  readonly leaf: Leaf
  readonly span: Span
  readonly derived?: Derivation | undefined
  /** Whether `score` is a probability fitted on data; a rule's score only ranks. */
  readonly calibrated: boolean
}
