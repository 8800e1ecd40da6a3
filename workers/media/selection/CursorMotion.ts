import type { AnalysisSize } from "../pixels/LumaPlane.ts"

/** Side of the box that a pointer fills at most, in pixels of the analysis plane: 56 px of a picture 1280 wide. */
const MOST_SIDE = 14
/** Luma by which a pixel must differ to belong to a spot, and how far apart the pixels of one may lie. */
const OUTLINE = 12
const GAP = 2
/** With more spots than this it is the picture that changes. */
const MOST_SPOTS = 6
/** Half the side of the window that is compared, and how far the second may be off. */
const REACH = 6
const PLAY = 2
/** Correlation from which two spots show one thing: moved pointers reach 0.76 to 1.0, other pairs of changes 0.6 at most. */
const ALIKE = 0.7

const SIDE = 2 * REACH + 1
const WIDE = SIDE + 2 * PLAY

/** A patch in which two pictures differ: its box, both ends included, and the middle of the difference. */
export interface Spot {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly x: number
  readonly y: number
}

/** What the small spots in which two pictures differ are. */
export interface Spots {
  /** Where one thing left and came to. */
  readonly pairs: ReadonlyArray<readonly [Spot, Spot]>
  readonly singles: ReadonlyArray<Spot>
  /** Unmarks the tiles in which nothing but these spots differs. */
  readonly clear: (flags: Uint8Array, spots: ReadonlyArray<Spot>) => void
}

/**
 * Cursor detection: tells a small thing that moved, a mouse pointer, from changes of the content: where it left, the picture changed back
 * by what it changed by where it came to. `flags` marks the tiles in which planes `a` and `b` differ; only spots up to
 * 14 px of the plane are told apart.
 */
export const makeCursorMotion = ({ height, width }: AnalysisSize, tile: number) => {
  const columns = width / tile
  /** The spot that each pixel belongs to, counted from 1; 0 where the pictures are alike. */
  const labels = new Int32Array(width * height)
  const one = new Float64Array(SIDE * SIDE)
  const two = new Float64Array(WIDE * WIDE)

  const tileOf = (x: number, y: number): number => Math.floor(y / tile) * columns + Math.floor(x / tile)

  /** Follows a difference from pixel to pixel, within marked tiles. */
  const grow = (start: number, label: number, flags: Uint8Array, a: Uint8Array, b: Uint8Array): Spot => {
    const pixels = [start]
    let [sum, sumX, sumY, left, right, top, bottom] = [0, 0, 0, width, 0, height, 0]
    labels[start] = label
    for (const pixel of pixels) {
      const x = pixel % width
      const y = (pixel - x) / width
      const difference = Math.abs(a[pixel]! - b[pixel]!)
      sum += difference
      sumX += difference * x
      sumY += difference * y
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      for (let row = Math.max(0, y - GAP); row <= Math.min(height - 1, y + GAP); row++) {
        for (let column = Math.max(0, x - GAP); column <= Math.min(width - 1, x + GAP); column++) {
          const next = row * width + column
          if (labels[next] !== 0 || Math.abs(a[next]! - b[next]!) < OUTLINE) continue
          if (flags[tileOf(column, row)] === 0 && Math.abs(column - x) + Math.abs(row - y) > 1) continue
          labels[next] = label
          pixels.push(next)
        }
      }
    }
    return { left, right, top, bottom, x: Math.round(sumX / sum), y: Math.round(sumY / sum) }
  }

  const spotsOf = (flags: Uint8Array, a: Uint8Array, b: Uint8Array): ReadonlyArray<Spot> => {
    labels.fill(0)
    const spots: Array<Spot> = []
    for (let member = 0; member < flags.length; member++) {
      if (flags[member] === 0) continue
      const corner = Math.floor(member / columns) * tile * width + (member % columns) * tile
      for (let y = 0; y < tile; y++) {
        for (let pixel = corner + y * width; pixel < corner + y * width + tile; pixel++) {
          if (labels[pixel] !== 0 || Math.abs(a[pixel]! - b[pixel]!) < OUTLINE) continue
          spots.push(grow(pixel, spots.length + 1, flags, a, b))
        }
      }
    }
    return spots
  }

  /** `a - b` around a spot's middle, 0 outside the picture. */
  const window = (into: Float64Array, reach: number, a: Uint8Array, b: Uint8Array, at: Spot): void => {
    let cell = 0
    for (let y = at.y - reach; y <= at.y + reach; y++) {
      for (let x = at.x - reach; x <= at.x + reach; x++, cell++) {
        const inside = x >= 0 && y >= 0 && x < width && y < height
        into[cell] = inside ? a[y * width + x]! - b[y * width + x]! : 0
      }
    }
  }

  /** The best correlation of the two windows, the second moved by up to 2 px. */
  const likeness = (): number => {
    let energy = 0
    for (const value of one) energy += value * value
    let best = 0
    for (let down = 0; down <= 2 * PLAY; down++) {
      for (let across = 0; across <= 2 * PLAY; across++) {
        let dot = 0
        let other = 0
        for (let y = 0; y < SIDE; y++) {
          for (let x = 0; x < SIDE; x++) {
            const value = two[(y + down) * WIDE + x + across]!
            dot += one[y * SIDE + x]! * value
            other += value * value
          }
        }
        if (dot > 0) best = Math.max(best, dot / Math.sqrt(energy * other))
      }
    }
    return best
  }

  return (flags: Uint8Array, a: Uint8Array, b: Uint8Array): Spots => {
    const all = spotsOf(flags, a, b)
    const small = all.length > MOST_SPOTS
      ? []
      : all.filter(({ bottom, left, right, top }) => right - left < MOST_SIDE && bottom - top < MOST_SIDE)
    const pairs: Array<readonly [Spot, Spot]> = []
    const paired = new Set<Spot>()
    for (const [i, first] of small.entries()) {
      for (const second of small.slice(i + 1)) {
        if (paired.has(first) || paired.has(second)) continue
        window(one, REACH, a, b, first)
        window(two, REACH + PLAY, b, a, second)
        if (likeness() < ALIKE) continue
        paired.add(first).add(second)
        pairs.push([first, second])
      }
    }
    const clear = (marked: Uint8Array, spots: ReadonlyArray<Spot>): void => {
      const cleared = new Set(spots.map((spot) => all.indexOf(spot) + 1))
      for (let member = 0; member < marked.length; member++) {
        if (marked[member] === 0) continue
        const corner = Math.floor(member / columns) * tile * width + (member % columns) * tile
        let [ours, others] = [0, 0]
        for (let y = 0; y < tile; y++) {
          for (let x = 0; x < tile; x++) {
            const label = labels[corner + y * width + x]!
            if (label === 0) continue
            if (cleared.has(label)) ours++
            else others++
          }
        }
        if (ours > 0 && others === 0) marked[member] = 0
      }
    }
    return { pairs, singles: small.filter((spot) => !paired.has(spot)), clear }
  }
}
