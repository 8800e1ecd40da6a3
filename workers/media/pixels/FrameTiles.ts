import type { AnalysisSize } from "./LumaPlane.ts"

/** Side of a tile on the analysis plane, in pixels. */
export const TILE = 10

/**
 * Finds 11 of 12 changes of one 16 px digit instead of 8, for one more kept frame in a hundred; between 0.28 and 0.35
 * nothing changes.
 */
const PEAK_WEIGHT = 0.3

/** A tile whose brightness moves by 14 has changed as much as one whose pixels differ by 5: a bar that grew, a lit lamp. */
const MEAN_WEIGHT = 5 / 14

/**
 * A tile shows something from this difference to a plain one on, and from three times what half of the tiles have. Words of
 * 16 px in grey reach 11; noise of a camera or an encoder stays below 4.8, or below 1.6 times that half. With 5
 * the rest of 2 fades in 53 clips is kept, with 10 one of 216 slides is lost; between 1.8 and 4 times nothing changes.
 */
const DETAIL = 8
const DETAIL_NOISE_FACTOR = 3

/** A plane with the mean luma of each of its 10x10 tiles. */
export interface TiledPlane {
  readonly plane: Uint8Array
  readonly means: Float64Array
}

export interface Tiling {
  readonly count: number
  readonly columns: number
  readonly measure: (plane: Uint8Array) => TiledPlane
  /**
   * How different a tile is, in luma: the largest of its mean absolute difference after taking each tile's own mean away,
   * so that light flicker and fades do not count; 0.3 times that of its most different 2x2 pixels, as a digit of 16 px
   * text is no larger; and 0.36 times the difference of the means. It keeps the triangle inequality.
   */
  readonly difference: (a: TiledPlane, b: TiledPlane, tile: number) => number
  /** Whether any tile stands out from its own mean, beyond what noise does in all of them: one short word is enough. */
  readonly hasDetail: (picture: TiledPlane) => boolean
}

/** 32x18 tiles for landscape, 18x32 for portrait: small enough that one changed number fills a good part of a tile. */
export const makeTiling = ({ width, height }: AnalysisSize): Tiling => {
  const columns = width / TILE
  const count = columns * (height / TILE)
  /** How far the pixels of two pictures differ beyond what their means do. */
  const shapeDifference = (a: TiledPlane, b: TiledPlane, tile: number): number => {
    const one = a.plane
    const two = b.plane
    const shift = a.means[tile]! - b.means[tile]!
    const column = tile % columns
    const corner = (tile - column) * TILE * TILE + column * TILE
    let sum = 0
    let peak = 0
    for (let y = 0; y < TILE; y += 2) {
      for (let at = corner + y * width, end = at + TILE; at < end; at += 2) {
        const below = at + width
        const cell = Math.abs(one[at]! - two[at]! - shift) +
          Math.abs(one[at + 1]! - two[at + 1]! - shift) +
          Math.abs(one[below]! - two[below]! - shift) +
          Math.abs(one[below + 1]! - two[below + 1]! - shift)
        sum += cell
        if (cell > peak) peak = cell
      }
    }
    return Math.max(sum / (TILE * TILE), PEAK_WEIGHT * (peak / 4))
  }
  const flat: TiledPlane = { plane: new Uint8Array(width * height), means: new Float64Array(count) }
  const details = new Float64Array(count)
  return {
    count,
    columns,
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
    hasDetail: (picture) => {
      for (let tile = 0; tile < count; tile++) details[tile] = shapeDifference(picture, flat, tile)
      details.sort()
      return details[count - 1]! > Math.max(DETAIL, DETAIL_NOISE_FACTOR * details[count >> 1]!)
    },
    difference: (a, b, tile) =>
      a.plane === b.plane
        ? 0
        : Math.max(shapeDifference(a, b, tile), MEAN_WEIGHT * Math.abs(a.means[tile]! - b.means[tile]!))
  }
}
