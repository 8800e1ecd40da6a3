import { Schema } from "effect"
import { MediaFragment } from "./MediaFragment.ts"
import { Confidence, Seconds, SourceRef } from "./Moment.ts"

const Channel = Schema.Literals(["asr", "captions", "ocr", "vision", "metadata"])

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

/** Where one leaf of the result comes from: the words or pixels, word for word, and their moment. */
export const EvidenceSpan = Schema.Struct({
  pointer: described(Schema.String, "JSON pointer (RFC 6901) of the value in the result, such as `/items/0/price`."),
  value: described(Schema.Json, "The value as it stands in the result."),
  origin: described(
    Schema.Literals(["extracted", "derived", "default"]),
    "`extracted`: the value is in the quote. `derived`: it follows from the moment, the speaker or the order of what is quoted. `default`: the schema's own."
  ),
  origin_channel: described(
    Channel,
    "What the quote was read from: `asr` recognised speech, `captions` embedded captions, `ocr` text on screen, `vision` a model's sentence about a frame, `metadata` the file's own."
  ),
  modality: described(
    Schema.Literals(["audio", "visual", "both"]),
    "Whether it was heard or seen; `both` where the other kind says the same at that moment (`corroborated_by`)."
  ),
  t_start: described(Seconds, "When the quoted words begin or the quoted text is first on screen, in seconds."),
  t_end: described(Seconds, "When they end, or it is last on screen, in seconds."),
  source_ref: described(
    SourceRef,
    "`seg#…`: a segment of the transcript. `frame#…`: a sampled frame, as in the frame inventory."
  ),
  frame_id: Schema.optionalKey(described(
    Schema.String,
    "The kept frame that shows it, for `GET /v1/jobs/{id}/frames/{frame_id}/image`; absent where it was heard."
  )),
  quote: described(Schema.String, "The words of the source, character for character as its segment or line has them."),
  word_confidence: Schema.optionalKey(described(
    Confidence,
    "The recogniser's own mean confidence in the cited words, uncalibrated: it ranks, and is no probability that they are right. Absent where nothing was recognised from speech."
  )),
  media_fragment: MediaFragment,
  node_id: described(
    Schema.NullOr(Schema.String),
    "The node of the canonical graph that holds the quote; null where none does."
  ),
  support: described(
    Schema.Literals(["verbatim", "normalised", "fuzzy", "inferred"]),
    "How the value follows from the quote. `verbatim`: it stands there. `normalised`: as a number, a date, another spelling. `fuzzy`: nearly. `inferred`: from the sense, the moment or the order."
  ),
  confidence: described(
    Schema.NullOr(Confidence),
    "How likely this is the value that the field asks for, as the extractor sees it; null where it does not say."
  ),
  verified: described(
    Schema.Boolean,
    "The value can be read from the quote, and the quote is in the source at that moment; it does not say that the value answers what the field asks for. Re-derived from the quote by rules: the right words about another thing are verified too. See `confidence` and `word_confidence`."
  ),
  corroborated_by: described(
    Schema.Array(Schema.Struct({
      origin_channel: described(Channel, "What the other quote was read from."),
      source_ref: described(SourceRef, "The segment or frame that says the same."),
      t_start: described(Seconds, "When it begins, in seconds."),
      t_end: described(Seconds, "When it ends, in seconds."),
      quote: described(Schema.String, "Its words, character for character."),
      media_fragment: MediaFragment
    })),
    "Where else, in the other modality, the source says the same."
  ),
  alternatives: described(
    Schema.Array(Schema.Struct({
      value: described(Schema.Json, "The value that was not taken."),
      source_ref: described(SourceRef, "The segment or frame that it is in."),
      t_start: described(Seconds, "When it begins, in seconds."),
      t_end: described(Seconds, "When it ends, in seconds."),
      quote: described(Schema.String, "Its words, character for character."),
      media_fragment: MediaFragment
    })),
    "Other values for this field that the source holds, the likeliest first."
  )
}).annotate({
  identifier: "EvidenceSpan",
  description: "Where one value of the result comes from: the words or pixels, word for word, and their moment."
})
export type EvidenceSpan = typeof EvidenceSpan.Type

export const UnfilledReason = Schema.Literals(["not_found", "does_not_fit", "placeholder", "default", "constant"])
  .annotate({
    identifier: "UnfilledReason",
    description:
      "`not_found`: left out, null or an empty list, because the source does not say. `does_not_fit`: something was found that the schema does not take. `placeholder`: nothing was found, and the smallest value that the schema allows stands in the result. `default`: nothing was found, and the schema's default stands there. `constant`: the schema allows this one value."
  })
export type UnfilledReason = typeof UnfilledReason.Type

export const Unfilled = Schema.Struct({
  pointer: described(Schema.String, "JSON pointer of the leaf, in the result or where it would have been."),
  // What a later version writes must not keep this one from reading the rest.
  reason: Schema.Union([UnfilledReason, Schema.String]).annotate({
    description: "Why: one of these, or one that is added later."
  })
}).annotate({ identifier: "Unfilled", description: "A leaf of the schema that no evidence was found for." })
export type Unfilled = typeof Unfilled.Type

/** One span for every leaf of the result that was extracted or derived; every other leaf is told in `unfilled`. */
export const Evidence = Schema.Struct({
  spans: Schema.Array(EvidenceSpan),
  unfilled: Schema.Array(Unfilled)
}).annotate({ identifier: "Evidence" })
export type Evidence = typeof Evidence.Type
