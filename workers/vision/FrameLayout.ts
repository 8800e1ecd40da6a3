import type { Picture, Rectangle } from "./Picture.ts"

/** How a picture is made up, outside of its text. */
export interface FrameLayout {
  /** Share of 8x8 tiles without texture: near 1 on drawn slides, low on camera pictures. */
  readonly flat: number
  /** Share of the picture under its lines of text. */
  readonly text: number
}

const TILE = 8
/** Standard deviation of luma in a tile below which it has no texture; JPEG noise in plain areas stays under 2. */
const PLAIN = 2.5

const spreadOf = ({ rgb, width }: Picture, left: number, top: number): number => {
  let sum = 0
  let squares = 0
  for (let y = top; y < top + TILE; y++) {
    for (let x = left; x < left + TILE; x++) {
      const at = (y * width + x) * 3
      const luma = 0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!
      sum += luma
      squares += luma * luma
    }
  }
  const count = TILE * TILE
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
}

/**
 * Measures a picture of at least one tile; `lines` are the rectangles of its text in the picture's pixels, which count as
 * text and not as texture. Pure.
 */
export const frameLayout = (picture: Picture, lines: ReadonlyArray<Rectangle>): FrameLayout => {
  const columns = Math.floor(picture.width / TILE)
  const rows = Math.floor(picture.height / TILE)
  let flat = 0
  let text = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = (column + 0.5) * TILE
      const y = (row + 0.5) * TILE
      const covered = lines.some(({ height, left, top, width }) =>
        x >= left && x < left + width && y >= top && y < top + height
      )
      if (covered) text++
      else if (spreadOf(picture, column * TILE, row * TILE) < PLAIN) flat++
    }
  }
  const tiles = rows * columns
  return { flat: tiles === text ? 1 : flat / (tiles - text), text: text / tiles }
}
