import { setImmediate as turn } from "node:timers/promises"
import { unpackPosteriors } from "../ctc/PackedPosteriors.ts"
import type { HeardChunk, RecognisedChunk, RecognisedPiece } from "./RecognisedChunk.ts"
import type { Recogniser } from "./Recogniser.ts"
import { share } from "./Transcription.ts"

/**
 * Rescores a chunk with contextual biasing: its words are searched anew in the kept CTC posteriors where more is known of a stretch of speech than
 * when it was heard: `termsOf` gives all terms for it, or null where there is nothing new. Slices without kept
 * posteriors, or of another model, stay as they are. Rejects with the signal's reason when it is aborted, after the slice
 * at hand.
 */
export const rescoreChunk = async (
  chunk: HeardChunk,
  recogniser: Recogniser,
  termsOf: (t_start: number, t_end: number) => ReadonlyArray<string> | null,
  signal?: AbortSignal
): Promise<RecognisedChunk> => {
  if (recogniser.again === undefined || recogniser.name !== chunk.model) return chunk
  const pieces: Array<RecognisedPiece> = []
  for (const { heard, pieces: count } of chunk.slices) {
    const own = chunk.pieces.slice(pieces.length, pieces.length + count)
    const terms = heard === null ? null : termsOf(heard.t_start, heard.t_end)
    if (heard === null || terms === null) {
      pieces.push(...own)
      continue
    }
    // A cancellation gets its turn.
    await turn()
    signal?.throwIfAborted()
    const before = own.flatMap((piece) => piece.words)
    const words = recogniser.again({ ...heard, posteriors: unpackPosteriors(heard.posteriors) }, terms, before)
    const shared = share(words, own)
    for (const [i, piece] of own.entries()) pieces.push({ ...piece, words: shared[i]! })
  }
  return { ...chunk, pieces }
}
