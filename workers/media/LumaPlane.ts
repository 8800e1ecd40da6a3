import { HASH_SIDE } from "./PerceptualHash.ts"

/** The plane on which frames are compared: 320x180, turned for portrait video so that small text keeps its height. */
export interface AnalysisSize {
  readonly width: number
  readonly height: number
}

export const analysisSize = (width: number, height: number): AnalysisSize =>
  height > width ? { width: 180, height: 320 } : { width: 320, height: 180 }

/** First source index of each target cell; a cell that would be empty (enlargement) takes its nearest source. */
const bounds = (source: number, target: number): Int32Array => {
  const starts = new Int32Array(target + 1)
  for (let i = 0; i <= target; i++) starts[i] = Math.ceil((i * source) / target)
  return starts
}

/**
 * Reduces packed RGB frames of one size to the analysis plane, every source pixel counted once (area average), luma by
 * the BT.601 weights in 1/256. About 3 ms for 1280x720 on one core.
 */
export const makeLumaReducer = (width: number, height: number, target: AnalysisSize) => {
  const columns = bounds(width, target.width)
  const rows = bounds(height, target.height)
  const sums = new Float64Array(target.width)
  return (rgb: Uint8Array, plane: Uint8Array): void => {
    for (let y = 0; y < target.height; y++) {
      const top = Math.min(rows[y]!, height - 1)
      const bottom = Math.max(rows[y + 1]!, top + 1)
      sums.fill(0)
      for (let row = top; row < bottom; row++) {
        const line = row * width
        for (let x = 0; x < target.width; x++) {
          const left = Math.min(columns[x]!, width - 1)
          const right = Math.max(columns[x + 1]!, left + 1)
          let sum = 0
          for (let p = (line + left) * 3, end = (line + right) * 3; p < end; p += 3) {
            sum += 77 * rgb[p]! + 150 * rgb[p + 1]! + 29 * rgb[p + 2]!
          }
          sums[x] = sums[x]! + sum
        }
      }
      for (let x = 0; x < target.width; x++) {
        const left = Math.min(columns[x]!, width - 1)
        const cells = (Math.max(columns[x + 1]!, left + 1) - left) * (bottom - top)
        plane[y * target.width + x] = sums[x]! / (256 * cells)
      }
    }
  }
}

interface Share {
  readonly index: number
  readonly weight: number
}

const shares = (source: number, target: number): ReadonlyArray<ReadonlyArray<Share>> =>
  Array.from({ length: target }, (_, i) => {
    const size = source / target
    const from = i * size
    const to = (i + 1) * size
    const cell: Array<Share> = []
    for (let k = Math.floor(from); k < Math.min(source, Math.ceil(to)); k++) {
      cell.push({ index: k, weight: (Math.min(to, k + 1) - Math.max(from, k)) / size })
    }
    return cell
  })

/**
 * Reduces an analysis plane to the square that is hashed, by exact area weights. Against a Lanczos reduction of the
 * full frame the hash moves 1.3 bits on average and 4 at the 95th percentile.
 */
export const makeSquareReducer = ({ width, height }: AnalysisSize) => {
  const across = shares(width, HASH_SIDE)
  const down = shares(height, HASH_SIDE)
  const band = new Float64Array(width)
  return (plane: Uint8Array, square: Uint8Array): void => {
    for (let y = 0; y < HASH_SIDE; y++) {
      band.fill(0)
      for (const { index, weight } of down[y]!) {
        for (let x = 0; x < width; x++) band[x] = band[x]! + weight * plane[index * width + x]!
      }
      for (let x = 0; x < HASH_SIDE; x++) {
        let sum = 0
        for (const { index, weight } of across[x]!) sum += weight * band[index]!
        square[y * HASH_SIDE + x] = Math.round(sum)
      }
    }
  }
}
