import { isAligned, lightOf, reduceQuarterRow } from "./LumaQuarter.ts"
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
 * Reduces the luma of frames of one size to the analysis plane, every source pixel counted once (area average), black as
 * 0 and white as 255. What follows the luma in a frame is not looked at. About 0.3 ms for 1280x720 on one core.
 */
export const makeLumaReducer = (width: number, height: number, target: AnalysisSize) => {
  const columns = bounds(width, target.width)
  const rows = bounds(height, target.height)
  const sums = new Float64Array(target.width)
  const quarter = width === 4 * target.width && height <= 64 * target.height
  return (frame: Uint8Array, plane: Uint8Array): void => {
    const words = quarter && isAligned(frame)
      ? new Int32Array(frame.buffer, frame.byteOffset, (width * height) >> 2)
      : undefined
    for (let y = 0; y < target.height; y++) {
      const top = Math.min(rows[y]!, height - 1)
      const bottom = Math.max(rows[y + 1]!, top + 1)
      const to = y * target.width
      if (words !== undefined) {
        reduceQuarterRow(words, { top, bottom, cells: target.width }, plane, to)
        continue
      }
      sums.fill(0)
      for (let row = top; row < bottom; row++) {
        const line = row * width
        for (let x = 0; x < target.width; x++) {
          const left = Math.min(columns[x]!, width - 1)
          const right = Math.max(columns[x + 1]!, left + 1)
          let sum = 0
          for (let p = line + left; p < line + right; p++) sum += frame[p]!
          sums[x] = sums[x]! + sum
        }
      }
      for (let x = 0; x < target.width; x++) {
        const left = Math.min(columns[x]!, width - 1)
        const cells = (Math.max(columns[x + 1]!, left + 1) - left) * (bottom - top)
        plane[to + x] = lightOf(sums[x]! / cells)
      }
    }
  }
}

/** What a cell is counted in: sides are divided into 32, and are multiples of 4. */
const SHARES = 8

/** Which cell each source index begins in, and how many eighths of it belong there; the others belong to the next. */
const sharesOf = (source: number) => {
  const cell = Array.from({ length: source }, (_, at) => Math.floor((at * HASH_SIDE) / source))
  const within = cell.map((number, at) => Math.min(SHARES, ((number + 1) * source * SHARES) / HASH_SIDE - at * SHARES))
  return { cell: Uint8Array.from(cell), within: Uint8Array.from(within) }
}

/**
 * Reduces an analysis plane to the square that is hashed, by exact area weights. Against a Lanczos reduction of the full
 * frame the hash moves 1.3 bits on average and 4 at the 95th percentile. The side of 320 divides evenly into whole cells,
 * so it goes first and leaves a ninth for the other.
 */
export const makeSquareReducer = ({ width, height }: AnalysisSize) => {
  const landscape = width >= height
  const [even, odd] = landscape ? [width, height] : [height, width]
  const cell = even / HASH_SIDE
  const shares = sharesOf(odd)
  const sums = new Int32Array(HASH_SIDE * (HASH_SIDE + 1))
  const area = cell * (odd / HASH_SIDE) * SHARES
  /** How far apart neighbours are in the plane, and cells in the square: along the even side, and along the other. */
  const [along, across] = landscape ? [1, width] : [width, 1]
  const [cellAlong, cellAcross] = landscape ? [1, HASH_SIDE] : [HASH_SIDE, 1]

  return (plane: Uint8Array, square: Uint8Array): void => {
    sums.fill(0)
    for (let line = 0; line < odd; line++) {
      const share = shares.within[line]!
      for (let x = 0, at = line * across, to = shares.cell[line]! * HASH_SIDE; x < HASH_SIDE; x++, to++) {
        let sum = 0
        for (const end = at + cell * along; at < end; at += along) sum += plane[at]!
        sums[to] = sums[to]! + share * sum
        sums[to + HASH_SIDE] = sums[to + HASH_SIDE]! + (SHARES - share) * sum
      }
    }
    for (let y = 0, at = 0; y < HASH_SIDE; y++) {
      for (let x = 0; x < HASH_SIDE; x++, at++) {
        square[y * cellAcross + x * cellAlong] = Math.round(sums[at]! / area)
      }
    }
  }
}
