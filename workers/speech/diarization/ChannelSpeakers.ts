import type { RecognisedChunk, RecognisedPiece } from "../asr/RecognisedChunk.ts"
import { meanActivity, type SpeakerActivity } from "../asr/SpeakerActivity.ts"
import type { Interval } from "../dsp/Interval.ts"
import { type HeardPiece, heardPieces, type SaidPiece, saidPieces } from "./SpeakerTurns.ts"
import type { SpeakerBounds } from "./VoicedPiece.ts"

/** Voices that such a network tells apart: NVIDIA's Nemotron-3-Diarization has eight channels. */
const MOST_CHANNELS = 8
/** Above it a channel is heard: the middle of what a network is trained to say, no threshold that was tuned. */
const HEARD = 0.5
/** Two who are heard together for less than this, three of the network's frames, take turns. */
const OVERLAP_FRAMES = 3

/** Two or more speakers at once, by their numbers. */
export interface OverlappingSpeech extends Interval {
  readonly speakers: ReadonlyArray<number>
}

/** What is said and by whom; `overlaps` is null where nothing heard several voices at once. */
export interface ToldSpeech {
  readonly pieces: ReadonlyArray<SaidPiece>
  readonly overlaps: ReadonlyArray<OverlappingSpeech> | null
}

/** Whether a network of eight channels is worth asking: not of one speaker, nor where more than eight are known to speak. */
export const tracksSpeakers = ({ max_speakers, min_speakers, num_speakers }: SpeakerBounds): boolean =>
  (num_speakers ?? max_speakers) !== 1 && (num_speakers ?? min_speakers ?? 1) <= MOST_CHANNELS

/**
 * Who says what, by a network that hears several voices at once where there is `activity` of one, else by voices alone
 * (`saidPieces`). So, too, where the network hears fewer speakers than the caller knows of, and where it has no channel left
 * and voices alone tell more speakers than it has channels.
 */
export const tellSpeakers = (
  chunks: ReadonlyArray<RecognisedChunk>,
  bounds: SpeakerBounds,
  activity: SpeakerActivity | null
): ToldSpeech => {
  const byChannel = activity === null ? null : channelSpeakers(heardPieces(chunks), bounds, activity)
  if (byChannel !== null && speakersIn(byChannel.pieces) < activity!.channels) return byChannel
  const byVoice = saidPieces(chunks, bounds)
  return byChannel !== null && speakersIn(byVoice) <= activity!.channels
    ? byChannel
    : { pieces: byVoice, overlaps: null }
}

const speakersIn = (pieces: ReadonlyArray<SaidPiece>): number => new Set(pieces.map(({ speaker }) => speaker)).size

/** What is given to a channel as a whole: a word, or a piece without any. */
interface Unit extends Interval {
  readonly piece: RecognisedPiece
  readonly words: RecognisedPiece["words"]
  /** It makes its channel a speaker's. */
  readonly understood: boolean
  readonly means: Float64Array
}

const unitsOf = ({ piece, understood }: HeardPiece, activity: SpeakerActivity): ReadonlyArray<Unit> =>
  piece.words.length === 0
    ? [{ ...piece, piece, understood, means: meanActivity(activity, piece) }]
    : piece.words.map((word) => ({ ...word, piece, words: [word], understood, means: meanActivity(activity, word) }))

/** The likeliest of the channels for each unit, that of its neighbour where the network hears nobody at all. */
const channelsFor = (units: ReadonlyArray<Unit>, channels: ReadonlyArray<number>): ReadonlyArray<number> => {
  const likeliest = units.map(({ means }) => channels.reduce((a, b) => means[b]! > means[a]! ? b : a))
  const heard = units.map(({ means }, i) => means[likeliest[i]!]! > 0)
  return likeliest.map((channel, i) => {
    if (heard[i]) return channel
    const before = heard.lastIndexOf(true, i)
    return likeliest[before < 0 ? Math.max(0, heard.indexOf(true)) : before]!
  })
}

const channelSpeakers = (
  heard: ReadonlyArray<HeardPiece>,
  bounds: SpeakerBounds,
  activity: SpeakerActivity
): ToldSpeech | null => {
  const units = heard.flatMap((piece) => unitsOf(piece, activity))
  if (!units.some(({ means }) => means.some((mean) => mean > 0))) return null
  const all = Array.from({ length: activity.channels }, (_, channel) => channel)
  const free = channelsFor(units, all)
  const seconds = new Map<number, number>()
  for (const [i, { t_end, t_start, understood }] of units.entries()) {
    if (understood) seconds.set(free[i]!, (seconds.get(free[i]!) ?? 0) + t_end - t_start)
  }
  if (seconds.size < (bounds.num_speakers ?? bounds.min_speakers ?? 1)) return null
  // Of more channels than the caller allows, those with the most speech: a voice that is taken for two has a small second.
  const kept = [...seconds].toSorted(([, a], [, b]) => b - a).map(([channel]) => channel)
    .slice(0, bounds.num_speakers ?? bounds.max_speakers)
  const channels = kept.length === seconds.size ? free : channelsFor(units, kept)
  const said = units.flatMap((unit, i) => {
    const channel = channels[i]!
    return unit.understood || (kept.includes(channel) && unit.means[channel]! >= HEARD) ? [{ unit, channel }] : []
  })
  const numbers = new Map<number, number>()
  for (const { channel } of said) if (!numbers.has(channel)) numbers.set(channel, numbers.size)
  return {
    pieces: piecesOf(said.map(({ channel, unit }) => ({ unit, speaker: numbers.get(channel)! }))),
    overlaps: overlapsOf(activity, numbers)
  }
}

/** A piece for each run of one speaker's words in a piece; it is cut in the middle between two words. */
const piecesOf = (said: ReadonlyArray<{ readonly unit: Unit; readonly speaker: number }>): Array<SaidPiece> => {
  const runs: Array<{ readonly speaker: number; readonly units: Array<Unit> }> = []
  for (const { speaker, unit } of said) {
    const run = runs.at(-1)
    if (run?.speaker === speaker && run.units[0]!.piece === unit.piece) run.units.push(unit)
    else runs.push({ speaker, units: [unit] })
  }
  const cut = (before: Unit | undefined, after: Unit): number | null => {
    if (before?.piece !== after.piece) return null
    const { t_end, t_start } = after.piece
    return Math.max(t_start, Math.min(t_end, (before.t_end + after.t_start) / 2))
  }
  return runs.map(({ speaker, units }, i) => {
    const { piece } = units[0]!
    const after = runs[i + 1]?.units[0]
    return {
      speaker,
      voice: piece.voice,
      t_start: cut(runs[i - 1]?.units.at(-1), units[0]!) ?? piece.t_start,
      t_end: (after === undefined ? null : cut(units.at(-1), after)) ?? piece.t_end,
      words: units.flatMap(({ words }) => words)
    }
  })
}

/** Where two or more speakers are heard at once, in time order. */
const overlapsOf = (
  { channels, frame_seconds, probabilities }: SpeakerActivity,
  numbers: ReadonlyMap<number, number>
): Array<OverlappingSpeech> => {
  const overlaps: Array<OverlappingSpeech> = []
  const frames = probabilities.length / channels
  const heardAt = (frame: number): ReadonlyArray<number> =>
    [...numbers].flatMap(([channel, speaker]) => probabilities[frame * channels + channel]! >= HEARD ? [speaker] : [])
  for (let frame = 0; frame < frames; frame++) {
    const from = frame
    const together = new Map<number, number>()
    for (let heard = heardAt(frame); heard.length > 1; heard = ++frame < frames ? heardAt(frame) : []) {
      for (const speaker of heard) together.set(speaker, (together.get(speaker) ?? 0) + 1)
    }
    const speakers = [...together].flatMap(([speaker, count]) => count >= OVERLAP_FRAMES ? [speaker] : [])
    if (speakers.length > 1) {
      speakers.sort((a, b) => a - b)
      overlaps.push({ t_start: from * frame_seconds, t_end: frame * frame_seconds, speakers })
    }
  }
  return overlaps
}
