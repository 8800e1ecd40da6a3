import type { Rectangle } from "./Picture.ts"

/** By how many degrees clockwise a line of text is turned from where it would be read. */
export type Turn = 0 | 90 | 180 | 270

/** How a page is turned: as most of its characters are, upright in a tie. Pure. */
export const turnOfPage = (lines: ReadonlyArray<{ readonly text: string; readonly turn: Turn }>): Turn => {
  const characters = { 0: 0, 90: 0, 180: 0, 270: 0 }
  for (const { text, turn } of lines) characters[turn] += text.length
  return ([90, 180, 270] as const).reduce<Turn>((most, turn) => characters[turn] > characters[most] ? turn : most, 0)
}

/** Where a rectangle of a picture lies once its page, turned by `turn`, is turned back. Pure. */
export const onPage = (
  { height, left, top, width }: Rectangle,
  picture: { readonly width: number; readonly height: number },
  turn: Turn
): Rectangle => {
  if (turn === 90) return { left: top, top: picture.width - left - width, width: height, height: width }
  if (turn === 180) return { left: picture.width - left - width, top: picture.height - top - height, width, height }
  if (turn === 270) return { left: picture.height - top - height, top: left, width: height, height: width }
  return { left, top, width, height }
}
