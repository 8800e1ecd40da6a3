import { Schema } from "effect"
import { Confidence, Seconds } from "./Moment.ts"

export const Word = Schema.Struct({
  t_start: Seconds,
  t_end: Seconds,
  text: Schema.String,
  confidence: Confidence
}).annotate({ identifier: "Word" })
export type Word = typeof Word.Type

/** A stretch of one speaker, in the words' own order. `text` is the words joined by single spaces. */
export const Segment = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^seg#\d{6,}$/u)),
  origin: Schema.Literals(["asr", "captions"]),
  t_start: Seconds,
  t_end: Seconds,
  speaker: Schema.NullOr(Schema.String),
  text: Schema.String,
  confidence: Confidence,
  words: Schema.Array(Word)
}).annotate({ identifier: "Segment" })
export type Segment = typeof Segment.Type

const Speaker = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^S\d+$/u)),
  label: Schema.String,
  speaking_seconds: Seconds
}).annotate({ identifier: "Speaker" })

/**
 * A stretch in which one speaker is heard, words or none: what is too far away to understand has a speaker too. Where
 * several speak at once it is one of them.
 */
export const SpeakerTurn = Schema.Struct({
  speaker: Schema.String.check(Schema.isPattern(/^S\d+$/u)),
  t_start: Seconds,
  t_end: Seconds
}).annotate({ identifier: "SpeakerTurn" })
export type SpeakerTurn = typeof SpeakerTurn.Type

/**
 * What was said, by whom and when. `segments` have the words; `turns` tell who is heard when, in time order and without
 * overlap. Without audible speech it is empty and `audio_branch` tells whether there was sound.
 */
export const Transcript = Schema.Struct({
  language: Schema.NullOr(Schema.String),
  duration_seconds: Seconds,
  text: Schema.String,
  speakers: Schema.Array(Speaker),
  segments: Schema.Array(Segment),
  turns: Schema.Array(SpeakerTurn),
  audio_branch: Schema.Literals(["present", "absent"]),
  model: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Transcript" })
export type Transcript = typeof Transcript.Type
