import type { Schema } from "effect"
import type { EvidenceSpan } from "../../../src/artifacts/Evidence.ts"

/**
 * What a proposer may say about one leaf of the result. Nothing else of a model reaches the caller: grounding,
 * verification and assembly are shared code.
 */
export interface Proposal {
  /**
   * Which leaf, as a JSON pointer into the result in which the part `*` stands for an array index and the part `{}` for a
   * key of a map (an object whose schema names no properties). `/topics/*` is a list of scalars, `/prices/{}` a map, the
   * owner of an action `/actions`, `/*`, `/owner` in one, and the empty pointer a scalar root.
   */
  readonly pointer_template: string
  /**
   * Which record of the array, where the template has a wild card: leaves with equal keys end in the same record. Nested
   * wild cards take one part each, separated by `/` (`order-1/line-2`); a part may hold anything else. For `{}` the part is
   * the key itself. Without a key every proposal is a record of its own.
   */
  readonly item_key?: string
  readonly value: Schema.Json
  /** The words it came from, as they stand in the source. */
  readonly quote?: string
  readonly source_refs: ReadonlyArray<string>
  /** How it was worked out from numbers of the cited lines, as the proposer says. */
  readonly formula?: string | undefined
  /** From 0 to 1; the higher score wins where two values compete for one leaf. */
  readonly score: number
  /**
   * Who proposes it, as its span tells: `rules:NAME`, `ranker`, `list:NAME`, `qa:MODEL`, `llm:MODEL`. The built-in's
   * reliability goes by it (`ranking/Reliability.ts`).
   */
  readonly proposed_by: string
}

/**
 * A proposal whose quote was found in its source and whose value was derived again from it: all that an evidence span
 * needs but its pointer and its graph node.
 */
export interface Grounded
  extends
    Proposal,
    Omit<EvidenceSpan, "pointer" | "value" | "node_id" | "quote" | "source_ref" | "confidence" | "formula">
{
  readonly source_ref: string
  readonly quote: string
  readonly confidence: number
  /** Where the quote stands among the lines of its source. */
  readonly span?: { readonly passage: { readonly index: number }; readonly from: number }
}
