import sharp, { type Sharp } from "sharp"

/** A decoded picture: 8-bit RGB, row by row from the top left. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

/** A rectangle in pixels. */
export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** 8K by 8K: kept frames are far smaller, and 200 MB is what the lane may take for one picture. */
const MOST_PIXELS = 64 << 20

/** An image file that cannot be decoded. The same bytes stay unreadable, so another attempt cannot help. */
class PictureError extends Error {
  readonly code = "INTERNAL"
  readonly retryable = false
}

const open = ({ height, rgb, width }: Picture) => sharp(rgb, { raw: { width, height, channels: 3 } })

const take = async (image: Sharp): Promise<Picture> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgb: data }
}

/** Decodes an image file. Throws `PictureError` where the file is no picture or has more than 64 million pixels. */
export const loadPicture = async (path: string): Promise<Picture> => {
  try {
    return await take(
      sharp(path, { limitInputPixels: MOST_PIXELS }).flatten({ background: "#ffffff" }).toColourspace("srgb")
    )
  } catch (cause) {
    throw new PictureError(`Picture ${path} cannot be decoded: ${String(cause)}`, { cause })
  }
}

/** The whole picture at another size, its sides stretched independently. */
export const resized = (picture: Picture, width: number, height: number): Promise<Picture> =>
  take(open(picture).resize(width, height, { fit: "fill" }))

/** How a picture lies in a square that it was fitted into: its sides and the grey beside it, in shares of the square. */
export interface Fitting {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The whole picture in its own proportions in the middle of a grey square. */
export const fitted = async (
  picture: Picture,
  side: number
): Promise<{ readonly square: Picture; readonly fitting: Fitting }> => {
  const scale = side / Math.max(picture.width, picture.height)
  const [width, height] = [picture.width * scale / side, picture.height * scale / side]
  return {
    square: await take(open(picture).resize(side, side, { fit: "contain", background: "#808080" })),
    fitting: { left: (1 - width) / 2, top: (1 - height) / 2, width, height }
  }
}

/** A part of the picture. The rectangle lies inside of it and is whole pixels. */
export const cropped = (picture: Picture, rectangle: Rectangle): Promise<Picture> =>
  take(open(picture).extract({ ...rectangle }))

/** The picture turned clockwise by any angle in degrees, on a larger canvas whose corners are black. */
export const turned = (picture: Picture, degrees: number): Promise<Picture> => take(open(picture).rotate(degrees))
