import type { AnalysisSize } from "./LumaPlane.ts"

/** Side of a tile on the analysis plane, in pixels. */
const TILE = 10

/**
 * Finds 11 of 12 changes of one 16 px digit instead of 8, for one more kept frame in a hundred; between 0.28 and 0.35
 * nothing changes.
 */
const PEAK_WEIGHT = 0.3

/** A plane with the mean luma of each of its 10x10 tiles. */
export interface TiledPlane {
  readonly plane: Uint8Array
  readonly means: Float64Array
}

export interface Tiling {
  readonly count: number
  readonly measure: (plane: Uint8Array) => TiledPlane
  /**
   * Mean absolute difference per tile after taking each tile's own mean away, so that light flicker and fades do not
   * count, or 0.3 times that of its most different 2x2 pixels, whichever is more: a digit of 16 px text is no larger.
   */
  readonly differences: (a: TiledPlane, b: TiledPlane, into: Float64Array) => void
}

/** 32x18 tiles for landscape, 18x32 for portrait: small enough that one changed number fills a good part of a tile. */
export const makeTiling = ({ width, height }: AnalysisSize): Tiling => {
  const columns = width / TILE
  const count = columns * (height / TILE)
  return {
    count,
    measure: (plane) => {
      const means = new Float64Array(count)
      for (let y = 0; y < height; y++) {
        const row = Math.floor(y / TILE) * columns
        for (let column = 0; column < columns; column++) {
          let sum = 0
          const start = y * width + column * TILE
          for (let x = 0; x < TILE; x++) sum += plane[start + x]!
          means[row + column] = means[row + column]! + sum
        }
      }
      for (let tile = 0; tile < count; tile++) means[tile] = means[tile]! / (TILE * TILE)
      return { plane, means }
    },
    differences: (a, b, into) => {
      into.fill(0)
      if (a.plane === b.plane) return
      for (let tile = 0; tile < count; tile++) {
        const shift = a.means[tile]! - b.means[tile]!
        const corner = Math.floor(tile / columns) * TILE * width + (tile % columns) * TILE
        let sum = 0
        let peak = 0
        for (let y = 0; y < TILE; y += 2) {
          for (let at = corner + y * width, end = at + TILE; at < end; at += 2) {
            const below = at + width
            const cell = Math.abs(a.plane[at]! - b.plane[at]! - shift) +
              Math.abs(a.plane[at + 1]! - b.plane[at + 1]! - shift) +
              Math.abs(a.plane[below]! - b.plane[below]! - shift) +
              Math.abs(a.plane[below + 1]! - b.plane[below + 1]! - shift)
            sum += cell
            if (cell > peak) peak = cell
          }
        }
        into[tile] = Math.max(sum / (TILE * TILE), PEAK_WEIGHT * (peak / 4))
      }
    }
  }
}
