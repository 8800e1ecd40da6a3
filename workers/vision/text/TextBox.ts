import { cropped, type Picture, type Rectangle, turned } from "../picture/Picture.ts"

/** Where a line of text lies: a rectangle around its centre, in pixels, turned clockwise by `angle` radians. */
export interface TextBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly angle: number
  /** Mean probability of the detector inside the box. */
  readonly score: number
}

/** A box this much taller than wide may be a line that runs down; one this much taller is, or a single stroke. */
export const TALL = 1.5
export const LONG = 3

/** The upright rectangle around a box, cut at the picture's edges. */
export const bounds = (box: TextBox, picture: { readonly width: number; readonly height: number }): Rectangle => {
  const cos = Math.abs(Math.cos(box.angle))
  const sin = Math.abs(Math.sin(box.angle))
  const halfWidth = (box.width * cos + box.height * sin) / 2
  const halfHeight = (box.width * sin + box.height * cos) / 2
  const left = Math.min(picture.width - 2, Math.max(0, Math.floor(box.x - halfWidth)))
  const top = Math.min(picture.height - 2, Math.max(0, Math.floor(box.y - halfHeight)))
  return {
    left,
    top,
    width: Math.max(2, Math.min(picture.width - left, Math.ceil(box.x + halfWidth) - left)),
    height: Math.max(2, Math.min(picture.height - top, Math.ceil(box.y + halfHeight) - top))
  }
}

/** The pixels of a box at the picture's own resolution, turned level. */
export const cutOut = async (picture: Picture, box: TextBox): Promise<Picture> => {
  const around = bounds(box, picture)
  const upright = await cropped(picture, around)
  if (box.angle === 0) return upright
  const level = await turned(upright, (-box.angle * 180) / Math.PI)
  // Turning keeps the centre; a box at the picture's edge loses what lies outside of it.
  const dx = box.x - (around.left + around.width / 2)
  const dy = box.y - (around.top + around.height / 2)
  const x = level.width / 2 + dx * Math.cos(box.angle) + dy * Math.sin(box.angle)
  const y = level.height / 2 - dx * Math.sin(box.angle) + dy * Math.cos(box.angle)
  return cropped(level, bounds({ ...box, x, y, angle: 0 }, level))
}
