import type { VoicedPiece } from "./VoicedPiece.ts"

/** A change of speaker without a pause costs what this many seconds of a perfectly fitting voice gain. */
const CHANGE_COST = 0.5
/** After a silence of this length a change costs nothing. */
const FREE_GAP_SECONDS = 1
/** A long piece says no more about who speaks than this much of it. */
const SURE_SECONDS = 4
/** Pieces of less than this have no say in what a speaker sounds like. */
const LEAST_SECONDS = 1.2
const ROUNDS = 2

const seconds = (piece: VoicedPiece) => piece.t_end - piece.t_start

/**
 * Viterbi resegmentation: reconsiders who says each piece in the light of all of them: the likeliest sequence of speakers, where a voice should
 * fit and a change within a breath is unlikely. Takes
 * pieces in time order and gives as many speakers; a speaker who would lose every piece keeps all of them instead.
 */
export const resegment = (pieces: ReadonlyArray<VoicedPiece>, speakers: ReadonlyArray<number>): Array<number> => {
  let current = [...speakers]
  const count = new Set(speakers).size
  if (count < 2) return current
  for (let round = 0; round < ROUNDS; round++) {
    const next = bestSequence(pieces, centres(pieces, current, count))
    if (new Set(next).size < count) break
    current = next
  }
  return current
}

/** The mean voice of each speaker, of unit length. */
const centres = (
  pieces: ReadonlyArray<VoicedPiece>,
  speakers: ReadonlyArray<number>,
  count: number
): ReadonlyArray<Float64Array> => {
  const size = pieces.find(({ voice }) => voice !== null)?.voice?.length ?? 0
  const sums = Array.from({ length: count }, () => new Float64Array(size))
  const heard = (least: number, speaker: number) =>
    pieces.filter((piece, i) => speakers[i] === speaker && piece.voice !== null && seconds(piece) >= least)
  sums.forEach((sum, speaker) => {
    const sure = heard(LEAST_SECONDS, speaker)
    for (const piece of sure.length > 0 ? sure : heard(0, speaker)) {
      piece.voice!.forEach((x, d) => sum[d]! += x * seconds(piece))
    }
    const norm = Math.hypot(...sum) || 1
    sum.forEach((x, d) => sum[d] = x / norm)
  })
  return sums
}

const bestSequence = (pieces: ReadonlyArray<VoicedPiece>, voices: ReadonlyArray<Float64Array>): Array<number> => {
  const count = voices.length
  const from: Array<Uint16Array> = []
  let scores = new Float64Array(count)
  pieces.forEach((piece, i) => {
    const weight = Math.min(SURE_SECONDS, seconds(piece))
    const gap = i === 0 ? Infinity : piece.t_start - pieces[i - 1]!.t_end
    const cost = CHANGE_COST * Math.max(0, 1 - Math.max(0, gap) / FREE_GAP_SECONDS)
    let leader = 0
    for (let k = 1; k < count; k++) if (scores[k]! > scores[leader]!) leader = k
    const origin = new Uint16Array(count)
    scores = scores.map((score, k) => {
      origin[k] = scores[leader]! - cost > score ? leader : k
      const fit = piece.voice?.reduce((sum, x, d) => sum + x * voices[k]![d]!, 0) ?? 0
      return Math.max(score, scores[leader]! - cost) + weight * fit
    })
    from.push(origin)
  })
  let speaker = scores.indexOf(Math.max(...scores))
  const sequence: Array<number> = []
  for (const origin of from.toReversed()) {
    sequence.push(speaker)
    speaker = origin[speaker]!
  }
  return sequence.toReversed()
}
