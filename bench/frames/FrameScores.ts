import type { State } from "./ClipWriter.ts"

/** What the kept frames of one clip, or of several, are worth. */
export interface Counts {
  /** Distinct states that stand for at least a second. */
  readonly states: number
  /** Those of them of which a frame was kept. */
  readonly found: number
  readonly kept: number
  /** Kept frames that show a state which no earlier kept frame shows. */
  readonly right: number
  /** Kept frames of a transition or of nothing; the others that are not right show again what was kept before. */
  readonly transitions: number
}

export interface Score extends Counts {
  /** Share of the true states that were found; null where there are none. */
  readonly recall: number | null
  /** Share of the kept frames that are right; null where none was kept. */
  readonly precision: number | null
  readonly kept_per_state: number | null
}

const isContent = ({ kind }: State): boolean => kind === "content" || kind === "shot"

/**
 * Counts strictly: a frame is right when it shows a state for the first time. One of a fade, of a half-typed line or of a
 * page that is still scrolling is wrong, as is a second one of the same state, also where the state went and came back.
 */
export const countFrames = (states: ReadonlyArray<State>, kept: ReadonlyArray<number>): Counts => {
  const wanted = new Set(states.filter((state) => isContent(state) && state.t1 - state.t0 >= 1).map(({ id }) => id))
  const seen = new Set<State["id"]>()
  let [right, transitions] = [0, 0]
  for (const moment of kept.toSorted((a, b) => a - b)) {
    const state = states.find(({ t0, t1 }) => moment + 1e-6 >= t0 && moment + 1e-6 < t1)
    if (state === undefined || !isContent(state)) transitions++
    else if (!seen.has(state.id)) {
      seen.add(state.id)
      right++
    }
  }
  return {
    states: wanted.size,
    found: [...wanted].filter((id) => seen.has(id)).length,
    kept: kept.length,
    right,
    transitions
  }
}

const share = (part: number, whole: number): number | null => whole === 0 ? null : part / whole

/** Adds up: each state and each frame weighs the same, whichever clip it comes from. */
export const scoreFrames = (clips: ReadonlyArray<Counts>): Score => {
  const sum = (field: keyof Counts) => clips.reduce((total, clip) => total + clip[field], 0)
  const counts = {
    states: sum("states"),
    found: sum("found"),
    kept: sum("kept"),
    right: sum("right"),
    transitions: sum("transitions")
  }
  return {
    ...counts,
    recall: share(counts.found, counts.states),
    precision: share(counts.right, counts.kept),
    kept_per_state: share(counts.kept, counts.states)
  }
}
