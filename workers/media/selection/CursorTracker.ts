import type { AnalysisSize } from "../pixels/LumaPlane.ts"
import { makeCursorMotion, type Spot } from "./CursorMotion.ts"

/** Above this many changed tiles the picture itself changes: looking for a pointer among them would cost and find nothing. */
const MOST_CHANGED = 16
/** Pixels by which a spot may stand out from where the pointer was: its edge is drawn anew at each place. */
const EDGE = 2

/** The boxes that the pointer may fill; none while it is not known. */
export type Place = ReadonlyArray<Spot>

/**
 * Tracks the mouse cursor: follows a pointer over the pictures, so that one that moves, rests or leaves is not taken for a change of what
 * is shown. It is known by moving: a change that it makes by appearing at rest counts.
 */
export class CursorTracker {
  readonly #spots: ReturnType<typeof makeCursorMotion>
  #place: Place = []

  constructor(size: AnalysisSize, tile: number) {
    this.#spots = makeCursorMotion(size, tile)
  }

  get place(): Place {
    return this.#place
  }

  /** Clears the tiles of `changed` that it changed on its way from the previous picture to this one. */
  follow(changed: Uint8Array, plane: Uint8Array, previous: Uint8Array): void {
    if (!isFew(changed)) return
    const { clear, pairs, singles } = this.#spots(changed, plane, previous)
    for (const [from, to] of pairs) {
      this.#place = this.#isAt(from) ? [to] : this.#isAt(to) ? [from] : [from, to]
    }
    if (pairs.length > 0) return clear(changed, pairs.flat())
    // Over another ground it looks different: then what left its place and the only other spot are one way.
    const left = singles.find((spot) => this.#isAt(spot))
    if (left === undefined || singles.length > 2) return
    const came = singles.find((spot) => spot !== left)
    this.#place = [came ?? left]
    clear(changed, came === undefined ? [left] : [left, came])
  }

  /** Clears the tiles of `differing` in which only the pointer, at `there` in the other picture, makes the difference. */
  ignore(differing: Uint8Array, plane: Uint8Array, other: Uint8Array, there: Place): void {
    if (!isFew(differing)) return
    const { clear, pairs, singles } = this.#spots(differing, plane, other)
    const covered = singles.filter((spot) => [...this.#place, ...there].some((box) => covers(box, spot)))
    if (pairs.length + covered.length > 0) clear(differing, [...pairs.flat(), ...covered])
  }

  #isAt(spot: Spot): boolean {
    return this.#place.some((box) =>
      spot.left <= box.right + EDGE && spot.right >= box.left - EDGE && spot.top <= box.bottom + EDGE &&
      spot.bottom >= box.top - EDGE
    )
  }
}

const covers = (box: Spot, spot: Spot): boolean =>
  spot.left >= box.left - EDGE && spot.right <= box.right + EDGE && spot.top >= box.top - EDGE &&
  spot.bottom <= box.bottom + EDGE

const isFew = (flags: Uint8Array): boolean => {
  let count = 0
  for (const flag of flags) count += flag
  return count > 0 && count <= MOST_CHANGED
}
