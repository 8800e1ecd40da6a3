import type { Picture } from "./Picture.ts"

/** A plain colour name with the share of pixels that have it. */
interface ColourShare {
  readonly name: string
  readonly share: number
}

/** What a picture's colours are, in shares of its pixels. */
export interface FrameColours {
  /** Plain colour names with their shares, largest first; equal shares by name. */
  readonly named: ReadonlyArray<ColourShare>
  /** The same of its upper and of its lower third. */
  readonly upper: ReadonlyArray<ColourShare>
  readonly lower: ReadonlyArray<ColourShare>
  /** Mean and standard deviation of luma, 0 to 255. */
  readonly mean_luma: number
  readonly luma_spread: number
}

/** Every fourth pixel in both directions: 32 000 of a picture are more than colours to the percent need. */
const STEP = 4

/** Hue in degrees up to which a name holds. */
const HUES: ReadonlyArray<readonly [upTo: number, name: string]> = [
  [15, "red"],
  [42, "orange"],
  [68, "yellow"],
  [165, "green"],
  [195, "turquoise"],
  [255, "blue"],
  [290, "purple"],
  [335, "pink"],
  [361, "red"]
]

/** A plain name for an sRGB colour. */
export const colourName = (red: number, green: number, blue: number): string => {
  const high = Math.max(red, green, blue)
  const low = Math.min(red, green, blue)
  const lightness = (high + low) / 510
  const chroma = (high - low) / 255
  if (lightness < 0.09) return "black"
  if (chroma < 0.09 || (chroma < 0.14 && lightness > 0.85)) {
    if (lightness > 0.93) return "white"
    return lightness > 0.72 ? "light grey" : lightness < 0.3 ? "dark grey" : "grey"
  }
  const spread = high - low
  const sector = high === red
    ? (green - blue) / spread
    : high === green
    ? 2 + (blue - red) / spread
    : 4 + (red - green) / spread
  const hue = (sector * 60 + 360) % 360
  const name = HUES.find(([upTo]) => hue < upTo)![1]
  if ((name === "orange" || name === "red") && lightness < 0.5 && chroma < 0.5) return "brown"
  // Old photographs, walls and skies before rain: nobody would call them orange.
  if ((name === "orange" || name === "yellow") && chroma < 0.35) return "beige"
  return lightness > 0.72 ? `light ${name}` : lightness < 0.3 ? `dark ${name}` : name
}

const summed = (maps: ReadonlyArray<ReadonlyMap<string, number>>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, count] of maps.flatMap((map) => [...map])) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

const sharesOf = (counts: ReadonlyMap<string, number>): ReadonlyArray<ColourShare> => {
  const pixels = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return Array.from(counts, ([name, count]) => ({ name, share: count / pixels }))
    .toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
}

/** Counts a picture's colours by plain name. Pure: the same pixels give the same shares. */
export const frameColours = ({ height, rgb, width }: Picture): FrameColours => {
  const thirds = Array.from({ length: 3 }, () => new Map<string, number>())
  let pixels = 0
  let sum = 0
  let squares = 0
  for (let y = STEP >> 1; y < height; y += STEP) {
    const third = thirds[Math.floor((3 * y) / height)]!
    for (let x = STEP >> 1; x < width; x += STEP) {
      const at = (y * width + x) * 3
      const [red, green, blue] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!]
      const name = colourName(red, green, blue)
      third.set(name, (third.get(name) ?? 0) + 1)
      const luma = 0.299 * red + 0.587 * green + 0.114 * blue
      sum += luma
      squares += luma * luma
      pixels++
    }
  }
  const mean = sum / pixels
  return {
    named: sharesOf(summed(thirds)),
    upper: sharesOf(thirds[0]!),
    lower: sharesOf(thirds[2]!),
    mean_luma: mean,
    luma_spread: Math.sqrt(Math.max(0, squares / pixels - mean * mean))
  }
}
