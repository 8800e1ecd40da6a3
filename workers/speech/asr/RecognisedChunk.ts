import { Schema } from "effect"
import { PackedPosteriors } from "../ctc/PackedPosteriors.ts"
import { intervalFields } from "../dsp/Interval.ts"
import { Calibration } from "./Calibration.ts"

/** A word as it was heard: its moments are of the chunk's own arithmetic, not yet those of a transcript. */
const HeardWord = Schema.Struct({ ...intervalFields, text: Schema.String, confidence: Schema.Finite })

/** A piece of speech that one speaker is taken to have said. */
export const RecognisedPiece = Schema.Struct({
  ...intervalFields,
  /** In the space that the chunk's `voice_spread` tells. Null where the piece is too short to tell a voice by. */
  voice: Schema.NullOr(Schema.Array(Schema.Finite)),
  words: Schema.Array(HeardWord)
})
export type RecognisedPiece = typeof RecognisedPiece.Type

/** A chunk with what its network heard, so that words can be searched anew once more is known (`Rescoring.ts`). */
export const HeardChunk = Schema.Struct({
  /** Which models made it, for the transcript's `model`. */
  model: Schema.String,
  /** False where the caller says that a language is spoken which the model does not know: then there are no words. */
  recognised: Schema.Boolean,
  /** Base tag of the language that most of the speech is in; null where it is not recognised or the model tells none. */
  language: Schema.NullOr(Schema.String),
  /** Words have capitals and punctuation as the model wrote them. */
  cased: Schema.Boolean,
  /** The `spread` of the speaker network that heard the voices; null where they are directions of unit length. */
  voice_spread: Schema.NullOr(Schema.Array(Schema.Finite)),
  /** Absent where the recogniser's confidence was never measured, and in chunks of earlier versions. */
  calibration: Schema.optionalKey(Calibration),
  pieces: Schema.Array(RecognisedPiece),
  /** `heard` is null where the model keeps nothing. */
  slices: Schema.Array(
    Schema.Struct({
      pieces: Schema.Int,
      heard: Schema.NullOr(Schema.Struct({ ...intervalFields, posteriors: PackedPosteriors }))
    })
  )
})
export type HeardChunk = typeof HeardChunk.Type

/** What one task of `transcribe` leaves. Pieces are in time order and do not overlap. */
export interface RecognisedChunk extends Omit<HeardChunk, "slices"> {
  /** What was recognised at once, in time order: each has the next so many of the pieces. */
  readonly slices: ReadonlyArray<{ readonly pieces: number }>
}
