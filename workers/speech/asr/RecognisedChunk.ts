import type { Word } from "../../../src/artifacts/Transcript.ts"
import type { PackedPosteriors } from "../ctc/PackedPosteriors.ts"
import type { Interval } from "../dsp/Interval.ts"

/** A piece of speech that one speaker is taken to have said. */
export interface RecognisedPiece extends Interval {
  /** In the space that the chunk's `voice_spread` tells. Null where the piece is too short to tell a voice by. */
  readonly voice: ReadonlyArray<number> | null
  readonly words: ReadonlyArray<Word>
}

/** What one task of `transcribe` leaves. Pieces are in time order and do not overlap. */
export interface RecognisedChunk {
  /** Which models made it, for the transcript's `model`. */
  readonly model: string
  /** False where the caller says that a language is spoken which the model does not know: then there are no words. */
  readonly recognised: boolean
  /** Base tag of the language that most of the speech is in; null where it is not recognised or the model tells none. */
  readonly language: string | null
  /** Words have capitals and punctuation as the model wrote them. */
  readonly cased: boolean
  /** The `spread` of the speaker network that heard the voices; null where they are directions of unit length. */
  readonly voice_spread: ReadonlyArray<number> | null
  readonly pieces: ReadonlyArray<RecognisedPiece>
  /** What was recognised at once, in time order: each has the next so many of the pieces. */
  readonly slices: ReadonlyArray<{ readonly pieces: number }>
}

/** A chunk with what its network heard, so that words can be searched anew once more is known (`Rescoring.ts`). */
export interface HeardChunk extends RecognisedChunk {
  /** `heard` is null where the model keeps nothing. */
  readonly slices: ReadonlyArray<{
    readonly pieces: number
    readonly heard: (Interval & { readonly posteriors: PackedPosteriors }) | null
  }>
}
