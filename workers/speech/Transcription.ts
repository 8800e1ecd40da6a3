import type { Word } from "../../src/artifacts/Transcript.ts"
import type { Chunk, Slice } from "./Chunks.ts"
import { HOP, logMel, SAMPLE_RATE } from "./FeatureExtractor.ts"
import type { PcmFile } from "./PcmFile.ts"
import { RECOGNISED_LANGUAGE, type RecognisedChunk, type RecognisedPiece } from "./RecognisedChunk.ts"
import type { Interval } from "./SpeechGate.ts"
import type { SpeechModels } from "./SpeechModels.ts"

export interface TranscriptionOptions {
  /** Words and names that the caller expects. */
  readonly terms: ReadonlyArray<string>
  /** False where the caller says that another language is spoken: voices are told apart, words are not guessed. */
  readonly recognises: boolean
  readonly signal?: AbortSignal
}

/**
 * Recognises the slices of one chunk, one after the other, so that a slice's words and voices never depend on its
 * neighbours. Rejects with the signal's reason when it is aborted, after the slice at hand.
 */
export const transcribeChunk = async (
  models: SpeechModels,
  pcm: PcmFile,
  { slices }: Chunk,
  { recognises, signal, terms }: TranscriptionOptions
): Promise<RecognisedChunk> => {
  const pieces: Array<RecognisedPiece> = []
  for (const slice of slices) {
    signal?.throwIfAborted()
    pieces.push(...await transcribeSlice(models, pcm, slice, recognises, terms))
  }
  return { model: models.name, language: recognises ? RECOGNISED_LANGUAGE : null, pieces }
}

const transcribeSlice = async (
  { embedding, recogniser }: SpeechModels,
  pcm: PcmFile,
  slice: Slice,
  recognises: boolean,
  terms: ReadonlyArray<string>
): Promise<Array<RecognisedPiece>> => {
  const from = Math.round(slice.t_start * SAMPLE_RATE)
  const features = logMel(await pcm.read(from, Math.round(slice.t_end * SAMPLE_RATE)))
  const words = recognises ? await recogniser.recognise(features, from / SAMPLE_RATE, terms) : []
  const shared = share(words, slice.pieces)
  const frameAt = (seconds: number) => Math.round(((seconds - slice.t_start) * SAMPLE_RATE) / HOP)
  const pieces: Array<RecognisedPiece> = []
  for (const [i, { t_end, t_start }] of slice.pieces.entries()) {
    const voice = await embedding.embed(features, frameAt(t_start), frameAt(t_end))
    // Five digits of a unit vector: far below what a voice varies by, and a third of the bytes.
    const rounded = voice && Array.from(voice, (x) => Math.round(x * 1e5) / 1e5)
    pieces.push({ t_start, t_end, voice: rounded, words: shared[i]! })
  }
  return pieces
}

const apart = (at: number, { t_end, t_start }: Interval) => Math.max(0, t_start - at, at - t_end)

/** Each word to the piece that its middle lies in or is nearest to; words stay in order. */
const share = (words: ReadonlyArray<Word>, pieces: ReadonlyArray<Interval>): Array<Array<Word>> => {
  const shared: Array<Array<Word>> = pieces.map(() => [])
  let current = 0
  for (const word of words) {
    const middle = (word.t_start + word.t_end) / 2
    while (
      current + 1 < pieces.length && apart(middle, pieces[current + 1]!) < apart(middle, pieces[current]!)
    ) current++
    shared[current]!.push(word)
  }
  return shared
}
