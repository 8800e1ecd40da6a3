import { isAligned, sumQuarterRow } from "./LumaQuarter.ts"
import { HASH_SIDE } from "./PerceptualHash.ts"
import { BLACK, LUMA_SPAN } from "./RgbPicture.ts"

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
 * 0 and white as 255. What follows the luma in a frame is not looked at. About 1 ms for 1280x720 on one core.
 */
export const makeLumaReducer = (width: number, height: number, target: AnalysisSize) => {
  const columns = bounds(width, target.width)
  const rows = bounds(height, target.height)
  const sums = new Float64Array(target.width)
  const quarter = width === 4 * target.width && height <= 64 * target.height
  return (frame: Uint8Array, plane: Uint8Array): void => {
    const words = quarter && isAligned(frame)
      ? new Uint32Array(frame.buffer, frame.byteOffset, (width * height) >> 2)
      : undefined
    for (let y = 0; y < target.height; y++) {
      const top = Math.min(rows[y]!, height - 1)
      const bottom = Math.max(rows[y + 1]!, top + 1)
      sums.fill(0)
      if (words !== undefined) sumQuarterRow(words, { top, bottom, cells: target.width }, sums)
      for (let row = words === undefined ? top : bottom; row < bottom; row++) {
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
        const light = ((sums[x]! / cells - BLACK) * 255) / LUMA_SPAN
        plane[y * target.width + x] = light <= 0 ? 0 : light >= 255 ? 255 : light + 0.5
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
 * frame the hash moves 1.3 bits on average and 4 at the 95th percentile.
 */
export const makeSquareReducer = ({ width, height }: AnalysisSize) => {
  const across = sharesOf(width)
  const down = sharesOf(height)
  const row = new Int32Array(HASH_SIDE + 1)
  const sums = new Int32Array(HASH_SIDE * (HASH_SIDE + 1))
  const area = (width / HASH_SIDE) * (height / HASH_SIDE) * SHARES * SHARES

  const addRow = (plane: Uint8Array, y: number): void => {
    row.fill(0)
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const cell = across.cell[x]!
      const share = across.within[x]!
      row[cell] = row[cell]! + share * plane[at]!
      row[cell + 1] = row[cell + 1]! + (SHARES - share) * plane[at]!
    }
  }

  return (plane: Uint8Array, square: Uint8Array): void => {
    sums.fill(0)
    for (let y = 0; y < height; y++) {
      addRow(plane, y)
      const share = down.within[y]!
      for (let x = 0, to = down.cell[y]! * HASH_SIDE; x < HASH_SIDE; x++, to++) {
        sums[to] = sums[to]! + share * row[x]!
        sums[to + HASH_SIDE] = sums[to + HASH_SIDE]! + (SHARES - share) * row[x]!
      }
    }
    for (let at = 0; at < square.length; at++) square[at] = Math.round(sums[at]! / area)
  }
}
