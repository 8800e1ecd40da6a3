import { Schema } from "effect"
import { MediaFragment } from "./MediaFragment.ts"
import { Confidence, Seconds, SourceRef } from "./Moment.ts"

const Channel = Schema.Literals(["asr", "captions", "ocr", "vision", "metadata"])

/** What takes the place of a `source_ref` where a value is the schema's own. */
export const SCHEMA_REF = "schema"

/** The same where a person gave a value without naming a place of the source. */
export const PERSON_REF = "person"

/** Who decided on a value, in evidence as a review left it. */
export const Reviewer = Schema.Struct({
  key_id: Schema.NullOr(Schema.String).annotate({ description: "The API key; null where it was none." }),
  name: Schema.NullOr(Schema.String).annotate({ description: "The key's name when it was decided." })
}).annotate({ identifier: "Reviewer", description: "Who decided: an API key and its name." })
export type Reviewer = typeof Reviewer.Type

/** What reviewed evidence has beside a job's own: absent of what nobody has decided on. */
const reviewFields = {
  reviewed_by: Schema.optionalKey(Reviewer),
  revision: Schema.optionalKey(Schema.Int.annotate({ description: "The revision that decided on it last." }))
}

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

/** By what kind of proof a value stands. */
export const Grade = Schema.Literals(["stated", "classified", "computed", "generated", "default"]).annotate({
  identifier: "Grade",
  description:
    "`stated`: the value's own words are said or shown, also in another form (a date, a number, a unit). `classified`: a label or a yes or no by what the quote means. `computed`: counted, summed, or a moment, a place in order, a voice: see `formula`. `generated`: new words that sum up their citations. `default`: the schema's own constant or default, of which the footage says nothing."
})
export type Grade = typeof Grade.Type

/** One place of the source that a value rests on. */
export const Citation = Schema.Struct({
  source_ref: described(SourceRef, "The segment or frame."),
  t_start: described(Seconds, "When it begins, in seconds."),
  t_end: described(Seconds, "When it ends, in seconds."),
  quote: described(Schema.String, "Its words, character for character."),
  role: described(
    Schema.Literals(["value", "subject", "question", "input", "support"]),
    "`value`: says the value. `subject`: says whom or what it is about. `question`: what it answers. `input`: enters the formula. `support`: carries one sentence of a generated text."
  ),
  origin_channel: described(Channel, "What it was read from."),
  media_fragment: MediaFragment
}).annotate({ identifier: "Citation", description: "One place of the source that a value rests on." })
export type Citation = typeof Citation.Type

/** What was checked of a span, each by itself, so that a result can be filtered by it afterwards. */
export const Checks = Schema.Struct({
  quoted: described(Schema.Boolean, "Every citation's quote is in its source, word for word, at its moment."),
  derivable: described(
    Schema.NullOr(Schema.Boolean),
    "The value follows from the quotes by rule: derived again where `stated` or `computed`; where `generated`, every number, name and quoted word of it stands in its citations. Null where no rule can say, as for `classified`."
  ),
  answers: described(
    Schema.NullOr(Confidence),
    "How surely the citations answer what this field asks, as somebody other than the proposer sees it; null where nobody judged."
  ),
  judged_by: described(
    Schema.NullOr(Schema.Literals(["rules", "reader", "model", "person"])),
    "Who judged: rules, a reading model of the stack, a language model in a call of its own, or the person who reviewed it."
  )
}).annotate({ identifier: "Checks", description: "What was checked of a span." })
export type Checks = typeof Checks.Type

/** Where one leaf of the result comes from: the words or pixels, word for word, and their moment. */
export const EvidenceSpan = Schema.Struct({
  pointer: described(Schema.String, "JSON pointer (RFC 6901) of the value in the result, such as `/items/0/price`."),
  value: described(Schema.Json, "The value as it stands in the result."),
  origin: described(
    Schema.Literals(["extracted", "derived", "default", "person"]),
    "`extracted`: the value is in the quote. `derived`: it follows from the moment, the speaker or the order of what is quoted. `default`: the schema's own. `person`: a review gave it, in reviewed evidence alone."
  ),
  origin_channel: described(
    Channel,
    "What the quote was read from: `asr` recognised speech, `captions` embedded captions, `ocr` text on screen, `vision` a thing that was found on a frame, or a model's sentence about one, `metadata` what is in no frame and no sound, such as the schema's own value."
  ),
  modality: described(
    Schema.Literals(["audio", "visual", "both", "none"]),
    "Whether it was heard or seen; `both` where the other kind says the same at that moment (`corroborated_by`), `none` where it is the schema's own."
  ),
  t_start: described(Seconds, "When the quoted words begin or the quoted text is first on screen, in seconds."),
  t_end: described(Seconds, "When they end, or it is last on screen, in seconds."),
  source_ref: described(
    Schema.Union([SourceRef, Schema.Literals([SCHEMA_REF, PERSON_REF])]),
    "`seg#…`: a segment of the transcript. `frame#…`: a sampled frame, as in the frame inventory. `schema`: the schema's own value, from 0 to 0 s without a quote; `person`: the same of a value that a review gave without a place."
  ),
  frame_id: Schema.optionalKey(described(
    Schema.String,
    "The kept frame that shows it, for `GET /v1/jobs/{id}/frames/{frame_id}/image`; absent where it was heard."
  )),
  quote: described(
    Schema.String,
    "The words of the source, character for character as its segment or line has them; of a thing on a frame its label's name."
  ),
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
    "How likely this is the value that the field asks for, as its proposer's record has it; null only in evidence that an earlier version wrote."
  ),
  verified: described(
    Schema.Boolean,
    "All of `checks` hold: every quote is in its source at that moment, the value follows from the quotes by rule where a rule can say, and `answers` reaches what the job's `precision` asks. What an earlier version wrote says the first two alone."
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
  ),
  grade: Grade,
  citations: described(
    Schema.Array(Citation),
    "Everything that the value rests on. The first repeats the span's own `source_ref`, moment and `quote`; none where `grade` is `default`."
  ),
  checks: Checks,
  proposed_by: described(
    Schema.String,
    "Who proposed the value, such as `rules:screen-label`, `ranker`, `list:series`, `qa:MODEL` or `llm:MODEL`."
  ),
  formula: Schema.optionalKey(described(
    Schema.String,
    "Of a computed value: how it comes from its inputs, such as `t_start(quote)`, `position(entry)` or `speaker(quote)`."
  )),
  ...reviewFields
}).annotate({
  identifier: "EvidenceSpan",
  description: "Where one value of the result comes from: the words or pixels, word for word, and their moment."
})
export type EvidenceSpan = typeof EvidenceSpan.Type

export const UnfilledReason = Schema.Literals([
  "not_found",
  "not_stated",
  "below_threshold",
  "refused",
  "conflicting",
  "source_unclear",
  "unsupported",
  "budget"
]).annotate({
  identifier: "UnfilledReason",
  description:
    "`not_found`: the source does not say. `not_stated`: the field wants a value only if it is stated, and it is not. `below_threshold`: something was found that is not sure enough for the job's `precision`. `refused`: a value was proposed that its quote or the schema does not carry. `conflicting`: the source says several values and none of them prevails. `source_unclear`: speech or picture are too unclear to rely on. `unsupported`: nothing here can answer a field of this shape. `budget`: the tokens, the time or the room of a job did not suffice."
})
export type UnfilledReason = typeof UnfilledReason.Type

/** A value that was found and held back, for a person to accept. */
export const UnfilledCandidate = Schema.Struct({
  value: described(Schema.Json, "The value that was held back."),
  confidence: described(Schema.NullOr(Confidence), "How likely it is the value that the field asks for."),
  quote: described(Schema.String, "The words that it was proposed with, as they stand in the source where they do."),
  source_ref: described(Schema.NullOr(SourceRef), "The segment or frame; null where the quote is in none."),
  t_start: described(Schema.NullOr(Seconds), "When it begins, in seconds; null where the quote is nowhere."),
  t_end: described(Schema.NullOr(Seconds), "When it ends, in seconds; null where the quote is nowhere."),
  refused_because: described(Schema.String, "Why it is not in the result, in words for people.")
}).annotate({ identifier: "UnfilledCandidate", description: "A value that was found and held back." })
export type UnfilledCandidate = typeof UnfilledCandidate.Type

export const Unfilled = Schema.Struct({
  pointer: described(Schema.String, "JSON pointer of the leaf, in the result or where it would have been."),
  // Earlier versions wrote other reasons, and what a later one writes must not keep this one from reading the rest.
  reason: Schema.Union([UnfilledReason, Schema.String]).annotate({
    description:
      "Why: one of these, or in reviewed evidence `rejected`. Earlier versions also wrote `does_not_fit`, `placeholder`, `default` and `constant`; others may be added."
  }),
  candidates: described(
    Schema.Array(UnfilledCandidate),
    "Up to three values that were found and held back, the likeliest first."
  ),
  ...reviewFields
}).annotate({ identifier: "Unfilled", description: "A leaf of the schema that no evidence was found for." })
export type Unfilled = typeof Unfilled.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** How much of what a schema asks was found: an empty success is seen at once. */
export const EvidenceCounts = Schema.Struct({
  leaves: described(Count, "Leaves that were asked for: all of the result, and those that it leaves out."),
  filled: described(Count, "Those with a value that the footage gives; the schema's own values are none."),
  verified: described(Count, "Those of them whose span is verified."),
  unfilled: described(Count, "Those that are told in `unfilled`.")
}).annotate({ identifier: "EvidenceCounts", description: "How much of what the schema asks was found." })
export type EvidenceCounts = typeof EvidenceCounts.Type

/** One span for every leaf of the result that has a value; every other leaf is told in `unfilled`. */
export const Evidence = Schema.Struct({
  spans: Schema.Array(EvidenceSpan),
  unfilled: Schema.Array(Unfilled),
  counts: EvidenceCounts
}).annotate({ identifier: "Evidence" })
export type Evidence = typeof Evidence.Type

/** Counts spans and unfilled leaves; every leaf is in exactly one of them. */
export const countsOf = (
  spans: ReadonlyArray<Pick<EvidenceSpan, "grade" | "verified">>,
  unfilled: ReadonlyArray<unknown>
): EvidenceCounts => {
  const filled = spans.filter(({ grade }) => grade !== "default")
  return {
    leaves: spans.length + unfilled.length,
    filled: filled.length,
    verified: filled.filter(({ verified }) => verified).length,
    unfilled: unfilled.length
  }
}

/** The part of a page's address that names one value with its moment, as the application and its reports have it: `/evidence/rooms/0/name`. */
export const evidenceAddress = (pointer: string): string =>
  `/evidence${pointer.split("/").map((token) => encodeURIComponent(token.toWellFormed())).join("/")}`
