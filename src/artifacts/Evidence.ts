import { Schema } from "effect"
import { MediaFragment } from "./MediaFragment.ts"
import { Confidence, Seconds, SourceRef } from "./Moment.ts"

/** Where one leaf of the result comes from: the words or pixels, word for word, and their moment. */
export const EvidenceSpan = Schema.Struct({
  pointer: Schema.String,
  value: Schema.Json,
  origin: Schema.Literals(["extracted", "derived", "default"]),
  origin_channel: Schema.Literals(["asr", "captions", "ocr", "vision", "metadata"]),
  modality: Schema.Literals(["audio", "visual", "both"]),
  t_start: Seconds,
  t_end: Seconds,
  source_ref: SourceRef,
  quote: Schema.String,
  media_fragment: MediaFragment,
  node_id: Schema.NullOr(Schema.String),
  support: Schema.Literals(["verbatim", "normalised", "fuzzy", "inferred"]),
  confidence: Schema.NullOr(Confidence),
  verified: Schema.Boolean,
  corroborated_by: Schema.Array(Schema.Struct({
    origin_channel: Schema.Literals(["asr", "captions", "ocr", "vision", "metadata"]),
    source_ref: SourceRef,
    t_start: Seconds,
    t_end: Seconds,
    quote: Schema.String,
    media_fragment: MediaFragment
  })),
  alternatives: Schema.Array(Schema.Struct({
    value: Schema.Json,
    source_ref: SourceRef,
    t_start: Seconds,
    t_end: Seconds,
    quote: Schema.String,
    media_fragment: MediaFragment
  }))
}).annotate({ identifier: "EvidenceSpan" })
export type EvidenceSpan = typeof EvidenceSpan.Type

export const Unfilled = Schema.Struct({ pointer: Schema.String, reason: Schema.String }).annotate({
  identifier: "Unfilled"
})
export type Unfilled = typeof Unfilled.Type

/** One span for every leaf of the result that was extracted or derived; every other leaf is told in `unfilled`. */
export const Evidence = Schema.Struct({
  spans: Schema.Array(EvidenceSpan),
  unfilled: Schema.Array(Unfilled)
}).annotate({ identifier: "Evidence" })
export type Evidence = typeof Evidence.Type
