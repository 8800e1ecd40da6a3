import type { Tally } from "./ErrorRates.ts"

/** Somebody speaks. */
export interface Turn {
  readonly t_start: number
  readonly t_end: number
  readonly speaker: string
}

export interface SpeakerErrors {
  /** Missed, false and confused speaker time over speaker time (NIST's diarization error rate). */
  readonly diarization: Tally
  /** The three parts of it: too few speakers at a moment, too many, and others than those who speak. */
  readonly missed_speakers: Tally
  readonly extra_speakers: Tally
  readonly confusion: Tally
  /** Missed and false speech over speech, whoever speaks. */
  readonly missed: Tally
  readonly false_alarm: Tally
}

/** A span in which nothing changes, and who speaks in it by either account. */
interface Stretch {
  readonly t_start: number
  readonly t_end: number
  readonly truth: ReadonlySet<string>
  readonly guess: ReadonlySet<string>
}

/**
 * Compares who speaks when, over `duration` seconds, as NIST's md-eval does: names are matched one to one for the most
 * shared time, and nothing is scored within `collar` seconds of a boundary of the reference. Turns of one speaker that
 * overlap count once.
 */
export const speakerErrors = (
  reference: ReadonlyArray<Turn>,
  found: ReadonlyArray<Turn>,
  duration: number,
  collar = 0
): SpeakerErrors => {
  const naming = bestNaming(stretches(reference, found, [{ t_start: 0, t_end: duration }]))
  let [spoken, speech, missed, falsely, fewer, more, confused] = [0, 0, 0, 0, 0, 0, 0]
  for (
    const { guess, t_end, t_start, truth } of stretches(
      reference,
      found,
      scored(joinTurns(reference), duration, collar)
    )
  ) {
    const seconds = t_end - t_start
    spoken += seconds * truth.size
    speech += truth.size > 0 ? seconds : 0
    missed += truth.size > 0 && guess.size === 0 ? seconds : 0
    falsely += truth.size === 0 && guess.size > 0 ? seconds : 0
    fewer += seconds * Math.max(0, truth.size - guess.size)
    more += seconds * Math.max(0, guess.size - truth.size)
    const right = [...truth].filter((speaker) => guess.has(naming.get(speaker)!)).length
    confused += seconds * (Math.min(truth.size, guess.size) - right)
  }
  return {
    diarization: { errors: fewer + more + confused, total: spoken },
    missed_speakers: { errors: fewer, total: spoken },
    extra_speakers: { errors: more, total: spoken },
    confusion: { errors: confused, total: spoken },
    missed: { errors: missed, total: speech },
    false_alarm: { errors: falsely, total: speech }
  }
}

/** The turns in time order, those of one speaker that touch, overlap or are less than `pause` seconds apart joined. */
export const joinTurns = (turns: ReadonlyArray<Turn>, pause = 0): Array<Turn> =>
  [...Map.groupBy(turns, ({ speaker }) => speaker).values()].flatMap((own) => {
    const joined: Array<Turn> = []
    for (const turn of own.toSorted((a, b) => a.t_start - b.t_start)) {
      const last = joined.at(-1)
      if (last === undefined || turn.t_start > last.t_end + pause) joined.push(turn)
      else joined[joined.length - 1] = { ...last, t_end: Math.max(last.t_end, turn.t_end) }
    }
    return joined
  }).toSorted((a, b) => a.t_start - b.t_start || a.t_end - b.t_end)

/** What is left of `[0, duration]` outside of the collars. */
const scored = (reference: ReadonlyArray<Turn>, duration: number, collar: number) => {
  if (collar === 0) return [{ t_start: 0, t_end: duration }]
  const edges = reference.flatMap(({ t_end, t_start }) => [t_start, t_end]).toSorted((a, b) => a - b)
  const kept: Array<{ readonly t_start: number; readonly t_end: number }> = []
  let at = 0
  for (const edge of edges) {
    if (edge - collar > at) kept.push({ t_start: at, t_end: Math.min(duration, edge - collar) })
    at = Math.max(at, edge + collar)
  }
  return at < duration ? [...kept, { t_start: at, t_end: duration }] : kept
}

const stretches = (
  reference: ReadonlyArray<Turn>,
  found: ReadonlyArray<Turn>,
  within: ReadonlyArray<{ readonly t_start: number; readonly t_end: number }>
): Array<Stretch> => {
  const moments = new Set([...reference, ...found, ...within].flatMap(({ t_end, t_start }) => [t_start, t_end]))
  const sorted = [...moments].toSorted((a, b) => a - b)
  const [truthAt, guessAt] = [sweep(reference), sweep(found)]
  let window = 0
  return sorted.slice(1).flatMap((t_end, i) => {
    const t_start = sorted[i]!
    while (window < within.length && within[window]!.t_end <= t_start) window++
    const [truth, guess] = [truthAt(t_start), guessAt(t_start)]
    return window < within.length && within[window]!.t_start <= t_start ? [{ t_start, t_end, truth, guess }] : []
  })
}

/** Who speaks at a moment, for moments that only grow. */
const sweep = (turns: ReadonlyArray<Turn>) => {
  const waiting = turns.toSorted((a, b) => a.t_start - b.t_start)
  let next = 0
  let open: Array<Turn> = []
  return (moment: number): ReadonlySet<string> => {
    while (next < waiting.length && waiting[next]!.t_start <= moment) open.push(waiting[next++]!)
    open = open.filter(({ t_end }) => t_end > moment)
    return new Set(open.map(({ speaker }) => speaker))
  }
}

/** The one-to-one naming of the most shared time: exhaustive over the reference's speakers, of whom there are few. */
const bestNaming = (whole: ReadonlyArray<Stretch>): ReadonlyMap<string, string> => {
  const shared = new Map<string, Map<string, number>>()
  for (const { guess, t_end, t_start, truth } of whole) {
    for (const speaker of truth) {
      const row = shared.get(speaker) ?? new Map<string, number>()
      shared.set(speaker, row)
      for (const other of guess) row.set(other, (row.get(other) ?? 0) + t_end - t_start)
    }
  }
  const rows = [...shared]
  const search = (from: number, used: ReadonlySet<string>): { seconds: number; pairs: Array<[string, string]> } => {
    if (from === rows.length) return { seconds: 0, pairs: [] }
    const [speaker, row] = rows[from]!
    let best = search(from + 1, used)
    for (const [other, seconds] of row) {
      if (used.has(other)) continue
      const rest = search(from + 1, new Set([...used, other]))
      if (seconds + rest.seconds > best.seconds) {
        best = { seconds: seconds + rest.seconds, pairs: [[speaker, other], ...rest.pairs] }
      }
    }
    return best
  }
  return new Map(search(0, new Set()).pairs)
}

/** Where as many same-speaker pairs are refused as different-speaker pairs are taken for one. */
export const equalErrorRate = (same: ReadonlyArray<number>, different: ReadonlyArray<number>): number => {
  const scores = [...same.map((score) => ({ score, own: 1 })), ...different.map((score) => ({ score, own: 0 }))]
  scores.sort((a, b) => a.score - b.score)
  let [refused, accepted, best] = [0, different.length, 1]
  for (const { own } of scores) {
    if (own === 1) refused++
    else accepted--
    best = Math.min(best, Math.max(refused / same.length, accepted / different.length))
  }
  return best
}
