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

/** A stretch in which several speakers are heard at once: what one of them says may be missing, or be under another's name. */
export const SpokenOverlap = Schema.Struct({
  t_start: Seconds,
  t_end: Seconds,
  speakers: Schema.Array(Schema.String.check(Schema.isPattern(/^S\d+$/u)))
}).annotate({ identifier: "SpokenOverlap" })
export type SpokenOverlap = typeof SpokenOverlap.Type

/**
 * What was said, by whom and when. `segments` have the words; `turns` tell who is heard when, in time order and without
 * overlap; `overlaps` where others are heard beside them, and is absent where the models cannot tell. Without audible speech it is empty and `audio_branch` tells whether there was sound.
 */
export const Transcript = Schema.Struct({
  language: Schema.NullOr(Schema.String),
  duration_seconds: Seconds,
  text: Schema.String,
  speakers: Schema.Array(Speaker),
  segments: Schema.Array(Segment),
  turns: Schema.Array(SpeakerTurn),
  overlaps: Schema.optionalKey(Schema.Array(SpokenOverlap)),
  audio_branch: Schema.Literals(["present", "absent"]),
  model: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Transcript" })
export type Transcript = typeof Transcript.Type
