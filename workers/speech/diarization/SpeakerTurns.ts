import type { RecognisedChunk, RecognisedPiece } from "../asr/RecognisedChunk.ts"
import type { Interval } from "../dsp/Interval.ts"
import { gateDefaults } from "../vad/SpeechGate.ts"
import { diarize } from "./Diarization.ts"
import type { SpeakerBounds } from "./VoicedPiece.ts"

/** A piece with the number of who says it, from 0 for the first to be heard. */
export type SaidPiece = RecognisedPiece & { readonly speaker: number }

/** One speaker heard without a break. */
export interface SpokenTurn extends Interval {
  readonly speaker: number
}

/**
 * A shorter piece without a word beside others that have words is a breath. On composed panels of LibriSpeech leaving
 * them out takes false speech from 2.6 to 1.7 % and misses nothing; from 1 s on it misses 0.2 % of learners' speech.
 */
const BREATH_SECONDS = 0.6
/**
 * The detector hears on a little, and what it finds is widened for the recogniser: it ends 0.15 s after the last aligned
 * word in the median, 0.18 s with noise, and begins 0.06 s before the first.
 */
const LATE_SECONDS = gateDefaults.pad_seconds

/**
 * Everything that somebody says, in time order, and who: also what is mumbled, or too far away to understand. Who is
 * never understood at all counts for nobody, because music and machines that pass for speech have voices too; the others
 * are told apart without them. Where a chunk's language is not known to the recogniser nobody has to be understood. Does
 * not depend on the order of the chunks.
 */
export const saidPieces = (chunks: ReadonlyArray<RecognisedChunk>, bounds: SpeakerBounds): Array<SaidPiece> => {
  const spread = chunks[0]?.voice_spread ?? null
  const tell = (heard: ReadonlyArray<HeardPiece>, bounds: SpeakerBounds) =>
    diarize(heard.map(({ piece }) => piece), bounds, spread)
  let heard = heardPieces(chunks)
  // Strangers are found without bounds: those are about people, and two of these would be taken for one.
  for (let strangers = true; strangers && heard.some(({ understood }) => !understood);) {
    const speakers = tell(heard, {})
    const understood = new Set(speakers.filter((_, i) => heard[i]!.understood))
    const kept = heard.filter((_, i) => understood.has(speakers[i]!))
    strangers = kept.length < heard.length
    heard = kept
  }
  const speakers = tell(heard, bounds)
  return heard.map(({ piece: { t_end, t_start, voice, words } }, i) => ({
    t_start,
    t_end,
    voice,
    words,
    speaker: speakers[i]!
  }))
}

export interface HeardPiece {
  readonly piece: RecognisedPiece
  /** Whether it has words; true, too, where the recogniser does not know the language. */
  readonly understood: boolean
}

/** What is heard, without breaths, in time order whatever the order of the chunks. */
export const heardPieces = (chunks: ReadonlyArray<RecognisedChunk>): Array<HeardPiece> =>
  chunks.flatMap(withoutBreaths)
    .toSorted(({ piece: a }, { piece: b }) => a.t_start - b.t_start || a.t_end - b.t_end)

const withoutBreaths = ({ pieces, recognised, slices }: RecognisedChunk): Array<HeardPiece> => {
  const heard: Array<HeardPiece> = []
  let at = 0
  for (const slice of slices) {
    const own = pieces.slice(at, at += slice.pieces)
    const least = own.some(({ words }) => words.length > 0) ? BREATH_SECONDS : 0
    for (const piece of own) {
      const understood = !recognised || piece.words.length > 0
      if (understood || piece.t_end - piece.t_start >= least) heard.push({ piece, understood })
    }
  }
  return heard
}

/** Who is heard when: pieces in time order, those of one speaker joined where they touch. Turns do not overlap. */
export const turnsOf = (pieces: ReadonlyArray<SaidPiece>): Array<SpokenTurn> => {
  const turns: Array<{ speaker: number; t_start: number; t_end: number }> = []
  for (const { speaker, t_end, t_start } of pieces) {
    const last = turns.at(-1)
    if (last?.speaker === speaker && t_start <= last.t_end) last.t_end = Math.max(last.t_end, t_end)
    else turns.push({ speaker, t_start, t_end })
  }
  return turns.map(({ speaker, t_end, t_start }, i) => {
    const goesOn = i + 1 < turns.length && turns[i + 1]!.t_start <= t_end
    return { speaker, t_start, t_end: goesOn ? t_end : Math.max((t_start + t_end) / 2, t_end - LATE_SECONDS) }
  })
}
