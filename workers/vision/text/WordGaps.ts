import type { Picture } from "../picture/Picture.ts"
import type { ReadCharacter } from "./CtcText.ts"

/** Columns `[from, to)` of a line between two strokes, without ink. */
export interface Gap {
  readonly from: number
  readonly to: number
}

const tuning = {
  /** Share of the line's own contrast that a column needs to count as inked. */
  inked: 0.25,
  /** The outer rows belong to the box's margin and may hold a neighbour's strokes. */
  margin: 0.12,
  /**
   * Where the network saw spaces, a gap between words is wider than this share of their gaps and than this one of the
   * line's height: of 48 pixels letters of a word were up to 6 apart and words at least 8, in fixed-width type 14 and 21.
   */
  of_spaces: 0.7,
  least_height: 0.14,
  /** Where it saw none, it is wider than this share of the line's height, which fixed-width type needs... */
  of_height: 0.24,
  /** ...and than this multiple of the line's lower quartile of gaps: widely spaced capitals have none. */
  of_gaps: 2.5
} as const

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

const widthOf = ({ from, to }: Gap): number => to - from

const lumaOf = ({ rgb }: Picture): Uint8Array =>
  Uint8Array.from(
    { length: rgb.length / 3 },
    (_, i) => Math.round(0.299 * rgb[i * 3]! + 0.587 * rgb[i * 3 + 1]! + 0.114 * rgb[i * 3 + 2]!)
  )

/** The luma that half of the pixels do not exceed: most of a line of text is its background. */
const medianLuma = (luma: Uint8Array): number => luma.toSorted()[luma.length >> 1]!

/** The gaps of a line picture from left to right. A textured background leaves none. */
export const inkGaps = (line: Picture): ReadonlyArray<Gap> => {
  const { height, width } = line
  const luma = lumaOf(line)
  const background = medianLuma(luma)
  const top = Math.floor(height * tuning.margin)
  const bottom = Math.ceil(height * (1 - tuning.margin))
  const ink = Array.from({ length: width }, (_, x) => {
    let most = 0
    for (let y = top; y < bottom; y++) most = Math.max(most, Math.abs(luma[y * width + x]! - background))
    return most
  })
  const least = tuning.inked * Math.max(...ink)
  const gaps: Array<Gap> = []
  let lastInk = -1
  for (let x = 0; x < width; x++) {
    if (ink[x]! < least) continue
    if (lastInk >= 0 && x > lastInk + 1) gaps.push({ from: lastInk + 1, to: x })
    lastInk = x
  }
  return gaps
}

/** In fixed-width type the signs inside names, numbers and addresses stand as far apart as words. */
const mayPart = (first: string, before: string, after: string): boolean => {
  if (/[ _([]/u.test(before) || /[ _.,:;!?)\]]/u.test(after)) return false
  if (before === ".") return !/[\p{Ll}\d]/u.test(after)
  return !(/[:,]/u.test(before) && /\d/u.test(first) && /\d/u.test(after))
}

/**
 * The text of the characters, with a space where the line's picture has a gap as between words and the network, whose
 * training text was mostly Chinese, gave none. `stepWidth` is the pixels of one step of the network. Pure.
 */
export const repairSpaces = (
  characters: ReadonlyArray<ReadCharacter>,
  stepWidth: number,
  gaps: ReadonlyArray<Gap>,
  height: number
): string => {
  const centre = (character: ReadCharacter) => (character.step + 0.5) * stepWidth
  const between = (before: ReadCharacter, after: ReadCharacter) =>
    gaps.filter(({ from, to }) => (from + to) / 2 > centre(before) && (from + to) / 2 < centre(after))
  const spaces = characters.flatMap((character, index) => {
    const before = characters[index - 1]
    const after = characters[index + 1]
    if (character.text !== " " || before === undefined || after === undefined) return []
    return [Math.max(0, ...between(before, after).map(widthOf))]
  })
  const least = spaces.length > 0
    ? Math.max(tuning.least_height * height, tuning.of_spaces * quantile(spaces, 0.5))
    : Math.max(tuning.of_height * height, tuning.of_gaps * quantile(gaps.map(widthOf), 0.25))
  let text = ""
  characters.forEach((character, index) => {
    const before = characters[index - 1]
    const apart = before !== undefined && mayPart(characters[index - 2]?.text ?? "", before.text, character.text) &&
      between(before, character).some((gap) => widthOf(gap) >= least)
    text += apart ? ` ${character.text}` : character.text
  })
  return text
}
