import type { Word } from "../../../src/artifacts/Transcript.ts"
import { packPosteriors } from "../ctc/PackedPosteriors.ts"
import { HOP, SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import type { Interval } from "../dsp/Interval.ts"
import type { PcmFile } from "../dsp/PcmFile.ts"
import { type SoundSlice, soundSlice } from "../dsp/SoundSlice.ts"
import type { Chunk, Slice } from "../vad/Chunks.ts"
import type { HeardChunk, RecognisedPiece } from "./RecognisedChunk.ts"
import type { RecognisedSlice } from "./Recogniser.ts"
import type { SpeakerEmbedding } from "./SpeakerEmbedding.ts"
import type { SpeechModels } from "./SpeechModels.ts"

export interface TranscriptionOptions {
  /** Words and names that the caller expects. */
  readonly terms: ReadonlyArray<string>
  /** Base tag of the language that the caller says is spoken. */
  readonly language?: string | null
  /** False where that is a language which the model does not know: voices are told apart, words are not guessed. */
  readonly recognises: boolean
  /** Whose sound it is. */
  readonly tenant_id?: string
  readonly signal?: AbortSignal
}

/**
 * Recognises the slices of one chunk, so that a slice's words and voices never depend on its neighbours. Rejects with
 * the signal's reason when it is aborted, after the slice at hand.
 */
export const transcribeChunk = async (
  { embedding, recogniser }: Pick<SpeechModels, "embedding" | "recogniser">,
  pcm: PcmFile,
  { slices }: Chunk,
  { language = null, recognises, signal, tenant_id, terms }: TranscriptionOptions
): Promise<HeardChunk> => {
  const sounds: Array<SoundSlice> = []
  for (const { pieces, t_end, t_start } of slices) {
    const from = Math.round(t_start * SAMPLE_RATE)
    sounds.push(soundSlice(await pcm.read(from, Math.round(t_end * SAMPLE_RATE)), from / SAMPLE_RATE, pieces))
  }
  signal?.throwIfAborted()
  const heard = recognises
    ? await recogniser.recognise(sounds, {
      terms,
      language,
      ...(tenant_id === undefined ? {} : { tenant_id }),
      ...(signal === undefined ? {} : { signal })
    })
    : sounds.map((): RecognisedSlice => ({ words: [], language: null }))
  const pieces: Array<RecognisedPiece> = []
  for (const [i, slice] of slices.entries()) {
    signal?.throwIfAborted()
    pieces.push(...await piecesOf(embedding, sounds[i]!, slice, heard[i]!.words))
  }
  return {
    model: recogniser.name,
    recognised: recognises,
    language: recognises ? mostly(heard) : null,
    cased: recogniser.cased,
    voice_spread: embedding.spread,
    ...(recogniser.calibration === undefined ? {} : { calibration: recogniser.calibration }),
    pieces,
    slices: heard.map(({ heard }, i) => ({
      pieces: slices[i]!.pieces.length,
      heard: heard === undefined ? null : { ...heard, posteriors: packPosteriors(heard.posteriors) }
    }))
  }
}

const piecesOf = async (
  embedding: SpeakerEmbedding,
  sound: SoundSlice,
  slice: Slice,
  words: ReadonlyArray<Word>
): Promise<Array<RecognisedPiece>> => {
  const shared = share(words, slice.pieces)
  const frameAt = (seconds: number) => Math.round(((seconds - slice.t_start) * SAMPLE_RATE) / HOP)
  const pieces: Array<RecognisedPiece> = []
  for (const [i, { t_end, t_start }] of slice.pieces.entries()) {
    const voice = await embedding.embed(sound, frameAt(t_start), frameAt(t_end))
    // Far below what a voice varies by, and a third of the bytes: five digits of a unit vector, three of a wider space.
    const digits = embedding.spread === null ? 1e5 : 1e3
    const rounded = voice && Array.from(voice, (x) => Math.round(x * digits) / digits)
    pieces.push({ t_start, t_end, voice: rounded, words: shared[i]! })
  }
  return pieces
}

/** The language of the most words, the earlier of equals; of slices without words where there are no words at all. */
const mostly = (heard: ReadonlyArray<RecognisedSlice>): string | null => {
  const counts = new Map<string, number>()
  for (const { language, words } of heard) {
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + words.length)
  }
  let best: string | null = null
  for (const [language, count] of counts) if (best === null || count > counts.get(best)!) best = language
  return best
}

const apart = (at: number, { t_end, t_start }: Interval) => Math.max(0, t_start - at, at - t_end)

/** Each word to the piece that its middle lies in or is nearest to; words stay in order. */
export const share = (words: ReadonlyArray<Word>, pieces: ReadonlyArray<Interval>): Array<Array<Word>> => {
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
