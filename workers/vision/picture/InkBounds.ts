import type { Picture, Rectangle } from "./Picture.ts"

const tuning = {
  /** Share of the crop's own contrast that a pixel needs to count as ink. */
  inked: 0.3,
  /** Ground and contrast are taken in steps, so that another crop of the same line, a pixel larger, finds the same ink. */
  levels: 16,
  /** What is around the ink, in shares of its height: as much as the detector leaves around a line of text. */
  margin: 0.25,
  /** A dash or a row of dots is lower than type, but its box keeps this share of what the detector gave. */
  least_height: 0.5
} as const

const stepped = (value: number): number => Math.round(value / tuning.levels) * tuning.levels

/** A line's ink, and that with the margin that the line reader is used to. */
interface InkBounds {
  readonly ink: Rectangle
  readonly crop: Rectangle
}

/** The luma of a part of the picture, and the value that half of it does not exceed: most of a line is its ground. */
const lumaOf = ({ rgb, width }: Picture, around: Rectangle) => {
  const luma = new Uint8Array(around.width * around.height)
  const histogram = new Uint32Array(256)
  for (let y = 0; y < around.height; y++) {
    for (let x = 0; x < around.width; x++) {
      const at = ((around.top + y) * width + around.left + x) * 3
      const value = (77 * rgb[at]! + 150 * rgb[at + 1]! + 29 * rgb[at + 2]!) >> 8
      luma[y * around.width + x] = value
      histogram[value]!++
    }
  }
  let ground = -1
  for (let below = 0; below * 2 < luma.length;) below += histogram[++ground]!
  return { luma, ground }
}

/** First and last column and row with ink, within `around`. */
const extentOf = (luma: Uint8Array, ground: number, { height, width }: Rectangle) => {
  let contrast = 0
  for (const value of luma) contrast = Math.max(contrast, Math.abs(value - ground))
  const least = Math.max(tuning.levels, tuning.inked * stepped(contrast))
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.abs(luma[y * width + x]! - ground) < least) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return { left, top, right: right + 1, bottom: bottom + 1 }
}

/**
 * Where a line's ink lies in `around`, a rectangle of the picture, and the crop to read it from, which may reach beyond
 * `around`, never beyond the picture. On a plain ground both depend on the line and not on the rectangle it was found in.
 * Where ink reaches an edge of `around`, as in textures, that edge stays. Pure.
 */
export const inkBounds = (picture: Picture, around: Rectangle): InkBounds => {
  const { ground, luma } = lumaOf(picture, around)
  const { bottom, left, right, top } = extentOf(luma, stepped(ground), around)
  if (bottom - top < tuning.least_height * around.height) return { ink: around, crop: around }
  const ink = { left: around.left + left, top: around.top + top, width: right - left, height: bottom - top }
  const margin = Math.round(tuning.margin * Math.min(ink.height, ink.width))
  const from = {
    left: left === 0 ? ink.left : Math.max(0, ink.left - margin),
    top: top === 0 ? ink.top : Math.max(0, ink.top - margin)
  }
  const to = {
    right: Math.min(picture.width, ink.left + ink.width + (right === around.width ? 0 : margin)),
    bottom: Math.min(picture.height, ink.top + ink.height + (bottom === around.height ? 0 : margin))
  }
  return { ink, crop: { ...from, width: to.right - from.left, height: to.bottom - from.top } }
}
