import { afterMerges, alone, countLasting, dropStray, mergesOf, nearestTo } from "./AgglomerativeClustering.ts"
import { originalsOf } from "./DuplicateVoices.ts"
import { resegment } from "./Resegmentation.ts"
import { searchSpeakers } from "./SpeakerCountSearch.ts"
import type { SpeakerBounds, VoicedPiece } from "./VoicedPiece.ts"

/**
 * For networks that give directions alone: clusters further apart than this cosine distance are different people. Tuned
 * on panels composed of unseen speakers' utterances, pieces of 2.3 s in the median.
 */
const THRESHOLD = 0.44
/** Only pieces of this length found speakers; shorter ones join the nearest. */
const SURE_SECONDS = 1.2
/** A voice heard for less than this, or than this share of a short conversation, is a stray piece of another. */
const LEAST_SPEAKER_SECONDS = 3
const LEAST_SPEAKER_SHARE = 0.15
/** So many of the longest pieces found speakers: linkage is quadratic, and 1200 of 2 s are 40 minutes of evidence. */
const MOST_FOUNDERS = 1200

const seconds = (piece: VoicedPiece) => piece.t_end - piece.t_start
const soundOf = (piece: VoicedPiece) => ({ voice: piece.voice!, seconds: seconds(piece) })

/**
 * Tells who speaks: a number per piece, 0 for the first speaker to be heard, 1 for the next and so on. It depends on the
 * pieces alone, never on their order in the array. With `spread`, how far speakers differ per dimension in units of how
 * far one speaker varies, the likeliest speakers of a hidden Markov model; without it voices are directions, clustered by
 * cosine distance and smoothed over time. Finds the number of speakers that is asked for wherever as many pieces have a
 * voice. Without any usable voice all pieces are one speaker's.
 */
export const diarize = (
  pieces: ReadonlyArray<VoicedPiece>,
  bounds: SpeakerBounds = {},
  spread: ReadonlyArray<number> | null = null
): Array<number> => {
  const order = pieces.map((_, i) => i).toSorted((a, b) => inTime(pieces[a]!, pieces[b]!))
  const sorted = order.map((i) => pieces[i]!)
  const speakers = tell(sorted, bounds, spread)
  const names = new Map<number, number>()
  for (const speaker of speakers) if (!names.has(speaker)) names.set(speaker, names.size)
  const result = pieces.map(() => 0)
  order.forEach((i, at) => result[i] = names.get(speakers[at]!)!)
  return result
}

const inTime = (a: VoicedPiece, b: VoicedPiece): number =>
  a.t_start - b.t_start || a.t_end - b.t_end ||
  (a.voice ?? []).reduce((first, x, d) => first || x - (b.voice?.[d] ?? 0), 0)

const tell = (
  pieces: ReadonlyArray<VoicedPiece>,
  bounds: SpeakerBounds,
  spread: ReadonlyArray<number> | null
): ReadonlyArray<number> => {
  const voiced = pieces.map((_, i) => i).filter((i) => pieces[i]!.voice !== null)
  if (voiced.length === 0) return pieces.map(() => 0)
  const own = voiced.map((i) => pieces[i]!)
  const told = (spread === null ? undefined : hearOriginals(own, bounds, spread)) ?? cluster(own, bounds)
  const speakers = new Map(voiced.map((i, at) => [i, told[at]!]))
  // A piece without a voice of its own goes to whoever speaks closest in time; the earlier of equals.
  const all = pieces.map((_, i) => speakers.get(i) ?? speakers.get(closest(pieces, voiced, i))!)
  return spread === null ? resegment(pieces, all) : all
}

/** A sound that is played again says nothing new about a voice: a copy goes to whoever said the original. */
const hearOriginals = (
  pieces: ReadonlyArray<VoicedPiece>,
  bounds: SpeakerBounds,
  spread: ReadonlyArray<number>
): ReadonlyArray<number> | undefined => {
  const originals = originalsOf(pieces.map(({ voice }) => voice!))
  const first = [...new Set(originals)]
  if (first.length < (bounds.num_speakers ?? bounds.min_speakers ?? 1)) return searchSpeakers(pieces, bounds, spread)
  const told = searchSpeakers(first.map((i) => pieces[i]!), bounds, spread)
  const speakers = told && new Map(first.map((i, at) => [i, told[at]!]))
  return speakers && originals.map((i) => speakers.get(i)!)
}

/**
 * Merges by rising distance: until the threshold, or, where that gives a count outside of the bounds, until as many
 * voices are left that are heard for long enough. A stray piece must not use up one of the speakers asked for.
 */
const cluster = (pieces: ReadonlyArray<VoicedPiece>, bounds: SpeakerBounds): Array<number> => {
  const founders = foundersOf(pieces, bounds)
  const sounds = founders.map((i) => soundOf(pieces[i]!))
  const total = sounds.reduce((sum, { seconds }) => sum + seconds, 0)
  const least = Math.min(LEAST_SPEAKER_SECONDS, LEAST_SPEAKER_SHARE * total)
  const merges = mergesOf(sounds)
  const voices = countLasting(sounds, merges, least)
  const usual = merges.filter((merge) => merge.distance <= THRESHOLD).length
  const found = Math.max(1, voices[usual]!)
  const wanted = bounds.num_speakers ??
    Math.max(bounds.min_speakers ?? 1, Math.min(found, bounds.max_speakers ?? Infinity))
  const enough = voices.findLastIndex((count) => count >= wanted)
  const count = wanted === found ? usual : enough === -1 ? Math.max(0, sounds.length - wanted) : enough
  const clusters = dropStray(afterMerges(sounds, merges, count), wanted, least)
  const speakers = new Map<number, number>()
  clusters.forEach(({ members }, k) => members.forEach((at) => speakers.set(founders[at]!, k)))
  return pieces.map((piece, i) => speakers.get(i) ?? nearestTo(alone(soundOf(piece)), clusters))
}

/** Which pieces found speakers: the sure ones, unless they are fewer than the speakers asked for. */
const foundersOf = (pieces: ReadonlyArray<VoicedPiece>, bounds: SpeakerBounds): Array<number> => {
  const all = pieces.map((_, i) => i)
  const sure = all.filter((i) => seconds(pieces[i]!) >= SURE_SECONDS)
  const founders = sure.length >= Math.max(1, bounds.num_speakers ?? bounds.min_speakers ?? 1) ? sure : all
  return founders.length <= MOST_FOUNDERS
    ? founders
    : founders.toSorted((a, b) => seconds(pieces[b]!) - seconds(pieces[a]!) || a - b).slice(0, MOST_FOUNDERS)
      .toSorted((a, b) => a - b)
}

/** Among pieces in time order, the one with the smallest silence between it and the piece asked for. */
const closest = (pieces: ReadonlyArray<VoicedPiece>, known: ReadonlyArray<number>, index: number): number => {
  const piece = pieces[index]!
  const apart = (i: number) => Math.max(0, pieces[i]!.t_start - piece.t_end, piece.t_start - pieces[i]!.t_end)
  return known.reduce((a, b) => apart(b) < apart(a) ? b : a)
}
