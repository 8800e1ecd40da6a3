import type { Tally } from "./ErrorRates.ts"

/** Somebody speaks. */
export interface Turn {
  readonly t_start: number
  readonly t_end: number
  readonly speaker: string
}

/** 10 ms frames, no forgiven collar. */
const FRAMES_PER_SECOND = 100

const rows = (turns: ReadonlyArray<Turn>, frames: number): Array<Uint8Array> => {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))]
  return speakers.map((speaker) => {
    const row = new Uint8Array(frames)
    for (const turn of turns) {
      if (turn.speaker !== speaker) continue
      row.fill(1, Math.round(turn.t_start * FRAMES_PER_SECOND), Math.round(turn.t_end * FRAMES_PER_SECOND))
    }
    return row
  })
}

/** The most shared frames of any one-to-one naming: exhaustive over the reference's speakers, of whom there are few. */
const bestNaming = (shared: ReadonlyArray<ReadonlyArray<number>>, used = new Set<number>(), from = 0): number => {
  if (from === shared.length) return 0
  let best = bestNaming(shared, used, from + 1)
  for (const [j, frames] of shared[from]!.entries()) {
    if (frames === 0 || used.has(j)) continue
    used.add(j)
    best = Math.max(best, frames + bestNaming(shared, used, from + 1))
    used.delete(j)
  }
  return best
}

export interface SpeakerErrors {
  /** Missed, false and confused speaker time over speaker time (NIST's diarization error rate). */
  readonly diarization: Tally
  /** Of that, speech that was found and given to the wrong speaker. */
  readonly confusion: Tally
  /** Missed and false speech over speech, whoever speaks. */
  readonly missed: Tally
  readonly false_alarm: Tally
}

/** Compares who speaks when, in seconds, over `duration` seconds. */
export const speakerErrors = (
  reference: ReadonlyArray<Turn>,
  found: ReadonlyArray<Turn>,
  duration: number
): SpeakerErrors => {
  const frames = Math.round(duration * FRAMES_PER_SECOND)
  const [truth, guess] = [rows(reference, frames), rows(found, frames)]
  let [spoken, speech, missed, falsely, wrong, common] = [0, 0, 0, 0, 0, 0]
  for (let t = 0; t < frames; t++) {
    const a = truth.reduce((sum, row) => sum + row[t]!, 0)
    const b = guess.reduce((sum, row) => sum + row[t]!, 0)
    spoken += a
    speech += a > 0 ? 1 : 0
    missed += a > 0 && b === 0 ? 1 : 0
    falsely += a === 0 && b > 0 ? 1 : 0
    wrong += Math.max(a, b)
    common += Math.min(a, b)
  }
  const shared = truth.map((row) => guess.map((other) => row.reduce((sum, on, t) => sum + (on & other[t]!), 0)))
  const matched = bestNaming(shared)
  return {
    diarization: { errors: wrong - matched, total: spoken },
    confusion: { errors: common - matched, total: spoken },
    missed: { errors: missed, total: speech },
    false_alarm: { errors: falsely, total: speech }
  }
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
