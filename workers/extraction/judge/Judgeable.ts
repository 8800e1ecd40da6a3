import type { GroundedDraft } from "../grounding/Grounding.ts"

/** What is judged of a value: who proposes it for which field, and which words it rests on. */
export type Judgeable = Pick<
  GroundedDraft,
  | "pointer_template"
  | "item_key"
  | "proposed_by"
  | "score"
  | "value"
  | "quote"
  | "span"
  | "modality"
  | "support"
  | "grade"
  | "citations"
  | "alternatives"
>
