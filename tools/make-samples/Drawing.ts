import sharp from "sharp"
import type { Line, Slide } from "./Sample.ts"

const WIDTH = 1280
const HEIGHT = 720

/** Text set in one column: `[text, size]` per line, the given number of pixels apart. */
export const column = (
  x: number,
  y: number,
  step: number,
  fill: string,
  lines: ReadonlyArray<readonly [text: string, size: number, bold?: boolean]>
): ReadonlyArray<Line> =>
  lines.map(([text, size, bold], index) => ({ text, x, y: y + index * step, size, fill, bold: bold ?? false }))

export const box = (x: number, y: number, width: number, height: number, fill: string, radius = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`

export const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const textOf = ({ bold, fill, size, text, x, y }: Line) =>
  `<text x="${x}" y="${y}" font-family="DejaVu Sans" font-size="${size}" font-weight="${
    bold === true ? "bold" : "normal"
  }" fill="${fill}">${escaped(text)}</text>`

/** A slide as a 1280x720 PNG in the DejaVu Sans typeface. */
export const draw = (slide: Slide): Promise<Buffer> =>
  sharp(Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${
      box(0, 0, WIDTH, HEIGHT, slide.background)
    }${slide.shapes}${slide.lines.map(textOf).join("")}</svg>`
  )).png().toBuffer()
