import type { AnalysisSize } from "./LumaPlane.ts"

/** Side of a tile on the analysis plane, in pixels. */
const TILE = 10

/** A plane with the mean luma of each of its 10x10 tiles. */
export interface TiledPlane {
  readonly plane: Uint8Array
  readonly means: Float64Array
}

export interface Tiling {
  readonly count: number
  readonly measure: (plane: Uint8Array) => TiledPlane
  /** Mean absolute difference per tile after taking each tile's own mean away: light flicker and fades do not count. */
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
      for (let y = 0; y < height; y++) {
        const row = Math.floor(y / TILE) * columns
        for (let column = 0; column < columns; column++) {
          const shift = a.means[row + column]! - b.means[row + column]!
          const start = y * width + column * TILE
          let sum = 0
          for (let x = start; x < start + TILE; x++) {
            const difference = a.plane[x]! - b.plane[x]! - shift
            sum += difference < 0 ? -difference : difference
          }
          into[row + column] = into[row + column]! + sum
        }
      }
      for (let tile = 0; tile < count; tile++) into[tile] = into[tile]! / (TILE * TILE)
    }
  }
}
