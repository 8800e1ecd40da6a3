import { type ObjectName, objectNames } from "../../../src/artifacts/ObjectNames.ts"

/** `left`, `top`, `right` and `bottom` in fractions of the picture. */
export interface Corners {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** One thing on a picture. */
export interface FoundObject extends Corners {
  readonly name: ObjectName
  /** The network's own score from 0 to 1: it ranks, and is no probability. */
  readonly score: number
}

/** Side of the network's maps: each place stands for four by four pixels of its input. */
export const MAP = 128

/** Two boxes of one name that share more than this are one thing. */
const SAME = 0.5
/** Boxes of two names that share more than this are one thing, which is called what it is likelier to be. */
const SAME_OF_OTHER_NAME = 0.8

const area = ({ bottom, left, right, top }: Corners): number => Math.max(0, right - left) * Math.max(0, bottom - top)

/** Intersection over union. */
export const overlap = (a: Corners, b: Corners): number => {
  const shared = area({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom)
  })
  const all = area(a) + area(b) - shared
  return all <= 0 ? 0 : shared / all
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

/**
 * The things that the network's maps tell of: a place of `centres` that none of its eight neighbours exceeds and that
 * reaches `least` is the middle of one, and `sides` says how far it goes from there to each side, in pixels of the input. Of boxes that
 * lie on each other the likeliest stays. Likeliest first. Pure.
 */
export const objectsAt = (centres: Float32Array, sides: Float32Array, least: number): ReadonlyArray<FoundObject> => {
  const places = MAP * MAP
  const found: Array<FoundObject> = []
  for (const [kind, name] of objectNames.entries()) {
    const from = kind * places
    for (let place = 0; place < places; place++) {
      const score = centres[from + place]!
      if (score < least) continue
      const [x, y] = [place % MAP, Math.floor(place / MAP)]
      let peak = true
      for (let row = Math.max(0, y - 1); row <= Math.min(MAP - 1, y + 1) && peak; row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(MAP - 1, x + 1) && peak; column++) {
          peak = centres[from + row * MAP + column]! <= score
        }
      }
      if (!peak) continue
      const [left, top, right, bottom] = [0, 1, 2, 3].map((side) => sides[side * places + place]! / (4 * MAP))
      found.push({
        name,
        score,
        left: clamped(x / MAP - left!),
        top: clamped(y / MAP - top!),
        right: clamped(x / MAP + right!),
        bottom: clamped(y / MAP + bottom!)
      })
    }
  }
  const kept: Array<FoundObject> = []
  for (const one of found.toSorted((a, b) => b.score - a.score)) {
    const hidden = kept.some((other) => overlap(one, other) > (one.name === other.name ? SAME : SAME_OF_OTHER_NAME))
    if (!hidden && area(one) > 0) kept.push(one)
  }
  return kept
}
