import type { Word } from "../../src/artifacts/Transcript.ts"
import type { Interval } from "./SpeechGate.ts"

/** The only language that the built-in recogniser knows, as a base language tag. */
export const RECOGNISED_LANGUAGE = "en"

/** A piece of speech that one speaker is taken to have said. */
export interface RecognisedPiece extends Interval {
  /** Unit length. Null where the piece is too short to tell a voice by. */
  readonly voice: ReadonlyArray<number> | null
  readonly words: ReadonlyArray<Word>
}

/** What one task of `transcribe` leaves. Pieces are in time order and do not overlap. */
export interface RecognisedChunk {
  /** Which models made it, for the transcript's `model`. */
  readonly model: string
  /** Null where the caller says that a language is spoken which the model does not know: then there are no words. */
  readonly language: string | null
  readonly pieces: ReadonlyArray<RecognisedPiece>
}
