import { readFileSync } from "node:fs"

/** Turns the picture by 90 degrees clockwise: the matrix of the video track's header, ISO 14496-12, 8.3.2. */
export const turned = (file: string): Buffer => {
  const bytes = readFileSync(file)
  const matrix = bytes.indexOf("tkhd", 0, "latin1") + 4 + 40
  const cells = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
  cells.forEach((cell, i) => bytes.writeInt32BE(cell, matrix + 4 * i))
  return bytes
}
