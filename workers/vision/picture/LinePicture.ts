import { type Picture, resized } from "./Picture.ts"

/** Height that the networks read a line at; the width follows, within bounds. */
export const READ_HEIGHT = 48
const LEAST_WIDTH = 8
/** 50 characters to the height: longer lines are squeezed. */
export const MOST_WIDTH = 2400

/** Turned by 180 degrees. */
export const upended = ({ height, rgb, width }: Picture): Picture => {
  const out = new Uint8Array(rgb.length)
  const pixels = width * height
  for (let i = 0; i < pixels; i++) {
    for (let channel = 0; channel < 3; channel++) out[i * 3 + channel] = rgb[(pixels - 1 - i) * 3 + channel]!
  }
  return { width, height, rgb: out }
}

/** Turned by 90 degrees counter-clockwise: a line that runs down then runs from left to right. */
export const laidDown = ({ height, rgb, width }: Picture): Picture => {
  const out = new Uint8Array(rgb.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        out[((width - 1 - x) * height + y) * 3 + channel] = rgb[(y * width + x) * 3 + channel]!
      }
    }
  }
  return { width: height, height: width, rgb: out }
}

/** The line at the height that the networks read. */
export const fitted = (picture: Picture): Promise<Picture> => {
  const width = Math.ceil((READ_HEIGHT * picture.width) / picture.height)
  return resized(picture, Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width)), READ_HEIGHT)
}

/**
 * Pictures of one height as the networks take them: blue, green, red as planes from -1 to 1, one after another; columns
 * beyond a picture's own are 0.
 */
export const linePlanes = (pictures: ReadonlyArray<Picture>, columns: number): Float32Array => {
  const height = pictures[0]!.height
  const data = new Float32Array(pictures.length * 3 * height * columns)
  pictures.forEach(({ rgb, width }, index) => {
    for (let channel = 0; channel < 3; channel++) {
      for (let y = 0; y < height; y++) {
        const row = ((index * 3 + channel) * height + y) * columns
        for (let x = 0; x < width; x++) data[row + x] = rgb[(y * width + x) * 3 + 2 - channel]! / 127.5 - 1
      }
    }
  })
  return data
}
