import type { Picture, Rectangle } from "./Picture.ts"

/** How a picture is made up. */
export interface FrameLayout {
  /** Share of the picture under its lines of text. */
  readonly text: number
}

/** Lines overlap, so their areas are not added: the picture is counted in squares of this side. */
const TILE = 8

/** Measures a picture of at least one tile; `lines` are the rectangles of its text in the picture's pixels. Pure. */
export const frameLayout = (
  picture: Pick<Picture, "width" | "height">,
  lines: ReadonlyArray<Rectangle>
): FrameLayout => {
  const columns = Math.floor(picture.width / TILE)
  const rows = Math.floor(picture.height / TILE)
  let text = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = (column + 0.5) * TILE
      const y = (row + 0.5) * TILE
      if (lines.some(({ height, left, top, width }) => x >= left && x < left + width && y >= top && y < top + height)) {
        text++
      }
    }
  }
  return { text: text / (rows * columns) }
}
