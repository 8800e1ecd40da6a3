import { Schema } from "effect"
import { MediaFragment } from "./MediaFragment.ts"
import { Confidence, Seconds, SourceRef } from "./Moment.ts"

// Shapes as they were written, frozen: today's definitions may change without changing what is read of yesterday's.

const Channel = Schema.Literals(["asr", "captions", "ocr", "vision", "metadata"])
const moment = { source_ref: SourceRef, t_start: Seconds, t_end: Seconds, quote: Schema.String }

/** Evidence without `media_fragment`. */
export const EvidenceShape1 = Schema.Struct({
  spans: Schema.Array(Schema.Struct({
    pointer: Schema.String,
    value: Schema.Json,
    origin: Schema.Literals(["extracted", "derived", "default"]),
    origin_channel: Channel,
    modality: Schema.Literals(["audio", "visual", "both"]),
    ...moment,
    node_id: Schema.NullOr(Schema.String),
    support: Schema.Literals(["verbatim", "normalised", "fuzzy", "inferred"]),
    confidence: Schema.NullOr(Confidence),
    verified: Schema.Boolean,
    corroborated_by: Schema.Array(Schema.Struct({ origin_channel: Channel, ...moment })),
    alternatives: Schema.Array(Schema.Struct({ value: Schema.Json, ...moment }))
  })),
  unfilled: Schema.Array(Schema.Struct({ pointer: Schema.String, reason: Schema.String }))
})

const placed = { ...moment, media_fragment: MediaFragment }

/** Evidence without grades, citations and counts. */
export const EvidenceShape2 = Schema.Struct({
  spans: Schema.Array(Schema.Struct({
    pointer: Schema.String,
    value: Schema.Json,
    origin: Schema.Literals(["extracted", "derived", "default"]),
    origin_channel: Channel,
    modality: Schema.Literals(["audio", "visual", "both"]),
    ...placed,
    frame_id: Schema.optionalKey(Schema.String),
    word_confidence: Schema.optionalKey(Confidence),
    node_id: Schema.NullOr(Schema.String),
    support: Schema.Literals(["verbatim", "normalised", "fuzzy", "inferred"]),
    confidence: Schema.NullOr(Confidence),
    verified: Schema.Boolean,
    corroborated_by: Schema.Array(Schema.Struct({ origin_channel: Channel, ...placed })),
    alternatives: Schema.Array(Schema.Struct({ value: Schema.Json, ...placed }))
  })),
  unfilled: Schema.Array(Schema.Struct({ pointer: Schema.String, reason: Schema.String }))
})

const said = { t_start: Seconds, t_end: Seconds, text: Schema.String, confidence: Confidence }

/** A transcript without `turns`. */
export const TranscriptShape1 = Schema.Struct({
  language: Schema.NullOr(Schema.String),
  duration_seconds: Seconds,
  text: Schema.String,
  speakers: Schema.Array(
    Schema.Struct({ id: Schema.String, label: Schema.String, speaking_seconds: Seconds })
  ),
  segments: Schema.Array(Schema.Struct({
    id: Schema.String,
    origin: Schema.Literals(["asr", "captions"]),
    speaker: Schema.NullOr(Schema.String),
    ...said,
    words: Schema.Array(Schema.Struct(said))
  })),
  audio_branch: Schema.Literals(["present", "absent"]),
  model: Schema.NullOr(Schema.String)
})
