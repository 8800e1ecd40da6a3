import { afterMerges, alone, clustersOf, likeness, mergesOf, nearestTo } from "./AgglomerativeClustering.ts"
import { fitSpeakerHmm, type HmmFit, type Observation } from "./SpeakerHmm.ts"
import type { SpeakerBounds, VoicedPiece } from "./VoicedPiece.ts"

/**
 * What one second of speech is worth, in independent hearings of a voice, and the seconds after which a piece says no
 * more; the strength of the prior that a voice is the population's mean, which is the penalty on a further speaker (as
 * BIC's). Only evidence over caution matters much. Tuned on composed
 * panels of seeds 41 to 48: at a caution of 0.65, 0.85 and 1 the count is right in 14, 16 and 16 of 16 panels of
 * LibriSpeech (seeds 41 to 44), with noise in 6, 12 and 14; at 0.75, 0.85 and 0.95 in 16, 15 and 14 of the others, with
 * noise in 8, 11 and 13. `npm run eval -- speech` scores other seeds.
 */
const EVIDENCE = 0.25
const MOST_SECONDS = 3
const CAUTION = 0.85
/**
 * The evidence was tuned on conversations with this much speech. In longer ones it counts for less, by a power of their
 * length: what one speaker says in an hour is not so many independent hearings. Without it a lecture of 13 minutes was
 * three speakers'; a power of 0.15 to 0.35 hears one, and all eight of a meeting of 20 minutes, of which 0.5 hears five.
 * An hour of fourteen people is told apart as fourteen, hours of one, two and five whose pieces vary like those of unseen
 * voices as one, two and five.
 */
const TUNED_SECONDS = 80
const FADING = 0.25
/** Without a pause the speaker before goes on this probably; the probability falls with the silence, e-fold per 0.5 s. */
const STAYS = 0.9
const STAYS_SECONDS = 0.5
/** Linkage that the search starts from: pieces of this length, cut to so many clusters, so many pieces at most. */
const SURE_SECONDS = 0.8
const STARTS = [1, 2, 3, 4, 5, 6, 8, 10, 14]
const MOST_FOUNDERS = 1200
const ROUNDS = 20
/** More and less caution than the usual, to find other guesses to start from; in long recordings they cost too much. */
const CAUTIONS = [1, 0.4, 2.5]
const LONG = 2000
/** Steps of the search, each to the best of the neighbours. */
const STEPS = 8
/**
 * Mean voices more alike than this are one speaker's, however much evidence there is for two: a voice drifts within an
 * hour. Of 200 pairs of different unseen speakers none was above 0.67.
 */
const ALIKE = 0.72

const seconds = (piece: VoicedPiece) => piece.t_end - piece.t_start

type Labels = ReadonlyArray<number>

/**
 * How many speakers there are and who says what: speaker diarization as model selection, by the evidence lower bound of a
 * hidden Markov model (`SpeakerHmm.ts`). Takes pieces in time order that all have a voice. The search starts from linkage cut at several
 * levels and goes on by parting speakers and joining those most alike while that makes what is heard likelier. Undefined
 * where it meets no hearing of as many speakers as the bounds want.
 */
export const searchSpeakers = (
  pieces: ReadonlyArray<VoicedPiece>,
  bounds: SpeakerBounds,
  spread: ReadonlyArray<number>
): Labels | undefined => {
  const total = pieces.reduce((sum, piece) => sum + seconds(piece), 0)
  const worth = EVIDENCE * Math.min(1, TUNED_SECONDS / total) ** FADING
  const observations = pieces.map((piece, i): Observation => ({
    voice: piece.voice,
    weight: worth * Math.min(MOST_SECONDS, seconds(piece)),
    stays: i === 0 ? 0 : STAYS * Math.exp(-Math.max(0, piece.t_start - pieces[i - 1]!.t_end) / STAYS_SECONDS)
  }))
  const hear = (start: Labels, rounds = ROUNDS, caution = CAUTION): HmmFit => {
    const { bound, speakers } = fitSpeakerHmm(observations, spread, start, { caution, rounds })
    return { bound, speakers: numbered(speakers) }
  }
  /** Just these speakers, and how likely they are. */
  const asTold = (speakers: Labels): HmmFit => ({ speakers, bound: hear(speakers, 1).bound })
  const met: Array<HmmFit> = []
  const meet = (hearing: HmmFit): HmmFit => {
    met.push(hearing)
    return hearing
  }

  for (const start of startsOf(pieces, bounds.num_speakers ?? bounds.min_speakers ?? 1)) {
    for (const factor of pieces.length > LONG ? [1] : CAUTIONS) {
      const { speakers } = hear(start, ROUNDS, CAUTION * factor)
      if (factor !== 1) meet(asTold(speakers))
      meet(hear(speakers))
    }
  }
  let best = likeliest(met)
  for (let step = 0; step < STEPS; step++) {
    const next = likeliest([best, ...neighbours(pieces, best.speakers).map((start) => meet(hear(start)))])
    if (next === best) break
    best = next
  }
  const free = joinAlike(pieces, best.speakers)
  const found = countOf(free)
  const wanted = bounds.num_speakers ??
    Math.max(bounds.min_speakers ?? 1, Math.min(found, bounds.max_speakers ?? Infinity))
  if (wanted === found) return free
  if (wanted === 1) return pieces.map(() => 0)
  // One more or one less than wanted is a step away from it, and a step there and back leads to its like.
  let right = likeliestOf(met, wanted)
  for (let step = 0; step < STEPS; step++) {
    const close = [wanted - 1, wanted, wanted + 1].flatMap((count) => likeliestOf(met, count) ?? [])
    const there = close.flatMap(({ speakers }) => neighbours(pieces, speakers))
    const back = right === undefined ? [] : there.filter((labels) => countOf(labels) === wanted + 1)
      .flatMap((labels) => joined(pieces, labels))
    for (const labels of [...there, ...back]) meet(asTold(labels))
    const next = likeliestOf(met, wanted)
    if (next === right || next === undefined) break
    right = next
  }
  return right?.speakers
}

const countOf = (speakers: Labels): number => new Set(speakers).size

/** The highest bound; the earlier of what differs by less than rounding. */
const likeliest = (hearings: ReadonlyArray<HmmFit>): HmmFit =>
  hearings.reduce((a, b) => b.bound > a.bound + 1e-6 ? b : a)

const likeliestOf = (hearings: ReadonlyArray<HmmFit>, count: number): HmmFit | undefined => {
  const own = hearings.filter(({ speakers }) => countOf(speakers) === count)
  return own.length === 0 ? undefined : likeliest(own)
}

const numbered = (speakers: Labels): Labels => {
  const names = new Map<number, number>()
  return speakers.map((speaker) => {
    if (!names.has(speaker)) names.set(speaker, names.size)
    return names.get(speaker)!
  })
}

/** What one step leads to: a speaker parted in two, or two speakers joined. */
const neighbours = (pieces: ReadonlyArray<VoicedPiece>, speakers: Labels): Array<Labels> => [
  ...parted(pieces, speakers),
  ...joined(pieces, speakers)
]

/** Each speaker in turn parted across the direction in which their pieces differ the most. */
const parted = (pieces: ReadonlyArray<VoicedPiece>, speakers: Labels): Array<Labels> => {
  const count = countOf(speakers)
  return Array.from({ length: count }, (_, speaker) => {
    const own = speakers.flatMap((other, i) => other === speaker ? [i] : [])
    const sides = widestAxis(own.map((i) => pieces[i]!))
    const apart = new Map(own.map((i, at) => [i, sides[at]! > 0 ? count : speaker]))
    return speakers.map((other, i) => apart.get(i) ?? other)
  }).map(numbered).filter((labels) => countOf(labels) > count)
}

/** Where pieces lie along their first principal axis (power iteration from the piece that is furthest out). */
const widestAxis = (pieces: ReadonlyArray<VoicedPiece>): ReadonlyArray<number> => {
  const weights = pieces.map((piece) => Math.min(MOST_SECONDS, seconds(piece)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = pieces[0]!.voice!.map((_, d) =>
    pieces.reduce((sum, { voice }, i) => sum + weights[i]! * voice![d]!, 0) / total
  )
  const away = pieces.map(({ voice }) => voice!.map((x, d) => x - mean[d]!))
  const along = (axis: ReadonlyArray<number>) =>
    away.map((vector) => vector.reduce((sum, x, d) => sum + x * axis[d]!, 0))
  const lengths = away.map((vector, i) => weights[i]! * Math.hypot(...vector))
  const furthest = lengths.reduce((best, length, i) => length > lengths[best]! ? i : best, 0)
  let axis: ReadonlyArray<number> = away[furthest]!
  for (let round = 0; round < 12; round++) {
    const places = along(axis)
    const turned = mean.map((_, d) => away.reduce((sum, vector, i) => sum + weights[i]! * places[i]! * vector[d]!, 0))
    const norm = Math.hypot(...turned) || 1
    axis = turned.map((x) => x / norm)
  }
  return along(axis)
}

/** The pairs whose mean voices are the most alike, joined: as many pairs as there are speakers. */
const joined = (pieces: ReadonlyArray<VoicedPiece>, speakers: Labels): Array<Labels> => {
  const clusters = clustersOf(soundsOf(pieces), speakers)
  const pairs = clusters.flatMap((a, i) =>
    clusters.slice(i + 1).map((b, k) => ({ stays: i, goes: i + 1 + k, alike: likeness(a, b) }))
  )
  return pairs.toSorted((a, b) => b.alike - a.alike || a.stays - b.stays || a.goes - b.goes).slice(0, clusters.length)
    .map(({ goes, stays }) => numbered(speakers.map((speaker) => speaker === goes ? stays : speaker)))
}

const soundsOf = (pieces: ReadonlyArray<VoicedPiece>) =>
  pieces.map((piece) => ({ voice: piece.voice!, seconds: seconds(piece) }))

/** First guesses, of different counts: every piece to the nearest of the clusters that the longer ones make. */
const startsOf = (pieces: ReadonlyArray<VoicedPiece>, wanted: number): Array<Labels> => {
  const long = pieces.filter((piece) => seconds(piece) >= SURE_SECONDS)
  const founders = (long.length >= Math.max(2, wanted) ? long : pieces).toSorted((a, b) => seconds(b) - seconds(a))
    .slice(0, MOST_FOUNDERS).toSorted((a, b) => a.t_start - b.t_start)
  const sounds = soundsOf(founders)
  const merges = mergesOf(sounds)
  const counts = new Set([...STARTS, wanted].map((count) => Math.min(count, sounds.length)))
  return [...counts].map((count) => {
    const clusters = afterMerges(sounds, merges, sounds.length - count)
    return numbered(soundsOf(pieces).map((sound) => nearestTo(alone(sound), clusters)))
  })
}

/** Joins the two most alike mean voices until none are too alike. */
const joinAlike = (pieces: ReadonlyArray<VoicedPiece>, heard: Labels): Labels => {
  let speakers = numbered(heard)
  for (;;) {
    const clusters = clustersOf(soundsOf(pieces), speakers)
    let [from, to, most] = [0, 0, ALIKE]
    for (const [i, a] of clusters.entries()) {
      for (const [j, b] of clusters.entries()) {
        const alike = i < j ? likeness(a, b) : -1
        if (alike > most) [to, from, most] = [i, j, alike]
      }
    }
    if (from === to) return speakers
    const [gone, stays] = [from, to]
    speakers = numbered(speakers.map((speaker) => speaker === gone ? stays : speaker))
  }
}
