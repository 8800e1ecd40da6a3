import type { AnalysisSize } from "../pixels/LumaPlane.ts"

const tuning = {
  /** Luma from one pixel to the next but one at the edge of a letter, how little it moves, and by how much it came. */
  edge: 60,
  still: 14,
  came: 36,
  /** Such pixels in a tile of 10x10 from which it holds letters. */
  letters: 5,
  /** Tiles in a row that a word fills at least, and the share of all above which it is the picture that stopped. */
  least: 4,
  most_share: 0.2,
  /** Share of the letters' pixels outside rows of text up to which they are an overlay's. */
  strays: 0.35
} as const

/**
 * Tells when text has just come to stand over a picture that moves, as captions do: its edges are where they were in the
 * sample before, and were not there in the one before that, while the camera goes on.
 */
export const makeOverlayText = ({ height, width }: AnalysisSize, tile: number) => {
  const columns = width / tile
  const rows = height / tile
  const letters = new Uint8Array(columns * rows)

  const countLetters = (now: Uint8Array, before: Uint8Array, earlier: Uint8Array): void => {
    letters.fill(0)
    for (let y = 0; y < height; y++) {
      const row = Math.floor(y / tile) * columns
      for (let at = y * width + 1, end = (y + 1) * width - 1, x = 1; at < end; at++, x++) {
        const edge = now[at + 1]! - now[at - 1]!
        if (edge < tuning.edge && edge > -tuning.edge) continue
        if (Math.abs(now[at + 1]! - before[at + 1]!) > tuning.still) continue
        if (Math.abs(now[at - 1]! - before[at - 1]!) > tuning.still) continue
        const came = Math.max(Math.abs(now[at + 1]! - earlier[at + 1]!), Math.abs(now[at - 1]! - earlier[at - 1]!))
        if (came < tuning.came) continue
        const cell = row + Math.floor(x / tile)
        if (letters[cell]! < 255) letters[cell] = letters[cell]! + 1
      }
    }
  }

  /** Whether text stands in `now` and `before` that was not there in `earlier`: three samples in a row. */
  return (now: Uint8Array, before: Uint8Array, earlier: Uint8Array): boolean => {
    if (now === before || before === earlier) return false
    countLetters(now, before, earlier)
    let [text, strays] = [0, 0]
    for (let row = 0; row < rows; row++) {
      let run = 0
      for (let column = 0; column <= columns; column++) {
        const holds = column < columns && letters[row * columns + column]! >= tuning.letters
        if (holds) run++
        else {
          if (run >= tuning.least) text += run
          else strays += run
          run = 0
        }
      }
    }
    return text > 0 && text <= tuning.most_share * columns * rows && strays <= tuning.strays * (text + strays)
  }
}
