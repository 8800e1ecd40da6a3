import type { UnfilledCandidate, UnfilledReason } from "../../../src/artifacts/Evidence.ts"
import type { Draft } from "./Draft.ts"
import type { GroundedDraft } from "./Grounding.ts"

/** A value that somebody proposed and that is not in the result: told in `unfilled`, for a person to accept. */
export interface HeldBack {
  readonly pointer_template: string
  readonly item_key?: string | undefined
  readonly reason: UnfilledReason
  /** Absent where it must not be shown: what a model made up is nobody's. */
  readonly candidate: UnfilledCandidate | undefined
}

const sentences: Readonly<Partial<Record<UnfilledReason, string>>> = {
  below_threshold: "It is not sure enough.",
  refused: "The quoted words do not carry it.",
  not_stated: "It is not stated in so many words.",
  conflicting: "The source says another value as well.",
  source_unclear: "What was recognised there is too unclear to rely on."
}

/** A grounded value that is held back, with its moment. */
export const heldBack = (
  { confidence, item_key, pointer_template, quote, source_ref, t_end, t_start, value }: GroundedDraft,
  reason: UnfilledReason,
  refused_because = sentences[reason] ?? "It was held back."
): HeldBack => ({
  pointer_template,
  item_key,
  reason,
  candidate: { value, confidence, quote, source_ref, t_start, t_end, refused_because }
})

/** A draft whose words do not carry its value: what it cites is told, and that it is no evidence. */
export const refused = ({ item_key, pointer_template, span, value }: Draft): HeldBack => ({
  pointer_template,
  item_key,
  reason: "refused",
  candidate: {
    value,
    confidence: null,
    quote: span.passage.text.slice(span.from, span.to),
    source_ref: span.passage.source_ref,
    t_start: span.passage.t_start,
    t_end: span.passage.t_end,
    refused_because: sentences.refused!
  }
})
