import { type DetectionSettings, measured } from "./DetectionSettings.ts"
import type { TextBox } from "./TextBox.ts"

const tuning = {
  least_side: 4,
  /** A tilted rectangle is taken only where it is this much smaller than the upright one: type on a screen is level. */
  tilted_area: 0.8
} as const

interface Extent {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly angle: number
}

/** The level rectangle around a region's pixels, in whole numbers: no rounding can make it another one. */
const uprightOf = (pixels: Int32Array, columns: number): Extent => {
  let left = columns
  let right = -1
  let top = 0x7fffffff
  let bottom = -1
  for (const pixel of pixels) {
    const column = pixel % columns
    const row = (pixel - column) / columns
    if (column < left) left = column
    if (column > right) right = column
    if (row < top) top = row
    if (row > bottom) bottom = row
  }
  return {
    x: (left + right + 1) / 2,
    y: (top + bottom + 1) / 2,
    width: right - left + 1,
    height: bottom - top + 1,
    angle: 0
  }
}

/** The rectangle around a region's pixels whose long side leans by `angle`. */
const extentAt = (pixels: Int32Array, columns: number, angle: number): Extent => {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  let left = Infinity
  let right = -Infinity
  let top = Infinity
  let bottom = -Infinity
  for (const pixel of pixels) {
    const x = (pixel % columns) + 0.5
    const y = Math.floor(pixel / columns) + 0.5
    const along = x * cos + y * sin
    const across = y * cos - x * sin
    if (along < left) left = along
    if (along > right) right = along
    if (across < top) top = across
    if (across > bottom) bottom = across
  }
  const along = (left + right) / 2
  const across = (top + bottom) / 2
  return {
    x: along * cos - across * sin,
    y: along * sin + across * cos,
    width: right - left + 1,
    height: bottom - top + 1,
    angle
  }
}

/** Direction of the longest spread of a region's pixels, from its second moments. */
const leanOf = (pixels: Int32Array, columns: number): number => {
  let sumX = 0
  let sumY = 0
  for (const pixel of pixels) {
    sumX += pixel % columns
    sumY += Math.floor(pixel / columns)
  }
  const meanX = sumX / pixels.length
  const meanY = sumY / pixels.length
  let xx = 0
  let yy = 0
  let xy = 0
  for (const pixel of pixels) {
    const x = (pixel % columns) - meanX
    const y = Math.floor(pixel / columns) - meanY
    xx += x * x
    yy += y * y
    xy += x * y
  }
  return 0.5 * Math.atan2(2 * xy, xx - yy)
}

const rectangleOf = (pixels: Int32Array, columns: number): Extent => {
  const upright = uprightOf(pixels, columns)
  const lean = leanOf(pixels, columns)
  if (Math.abs(lean) > Math.PI / 4) return upright
  const tilted = extentAt(pixels, columns, lean)
  return tilted.width * tilted.height < tuning.tilted_area * upright.width * upright.height ? tilted : upright
}

/**
 * The text lines in a probability map of `columns` x `rows`: connected regions above the threshold, as rectangles in the
 * map's pixels, grown to the size of the type. Pure; regions come in the order of their first pixel, row by row.
 */
export const findTextRegions = (
  probabilities: Float32Array,
  columns: number,
  rows: number,
  settings: DetectionSettings = measured
): ReadonlyArray<TextBox> => {
  const size = columns * rows
  const seen = new Uint8Array(size)
  const queue = new Int32Array(size)
  const boxes: Array<TextBox> = []
  for (let start = 0; start < size; start++) {
    if (seen[start] === 1 || probabilities[start]! < settings.pixel) continue
    let end = 0
    let sum = 0
    const visit = (pixel: number) => {
      if (seen[pixel] === 1 || probabilities[pixel]! < settings.pixel) return
      seen[pixel] = 1
      queue[end++] = pixel
    }
    visit(start)
    for (let at = 0; at < end; at++) {
      const pixel = queue[at]!
      sum += probabilities[pixel]!
      const column = pixel % columns
      if (column > 0) visit(pixel - 1)
      if (column < columns - 1) visit(pixel + 1)
      if (pixel >= columns) visit(pixel - columns)
      if (pixel < size - columns) visit(pixel + columns)
    }
    const score = sum / end
    if (score < settings.region) continue
    const found = rectangleOf(queue.subarray(0, end), columns)
    if (found.width < tuning.least_side || found.height < tuning.least_side) continue
    const margin = (found.width * found.height * settings.grow) / (2 * (found.width + found.height))
    boxes.push({ ...found, width: found.width + 2 * margin, height: found.height + 2 * margin, score })
  }
  return boxes
}
