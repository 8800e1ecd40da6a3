import type { Picture } from "./Picture.ts"

/** What a picture's colours are, in shares of its pixels. */
export interface FrameColours {
  /** Plain colour names with their shares, largest first; equal shares by name. */
  readonly named: ReadonlyArray<{ readonly name: string; readonly share: number }>
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
  return lightness > 0.72 ? `light ${name}` : lightness < 0.3 ? `dark ${name}` : name
}

/** Counts a picture's colours by plain name. Pure: the same pixels give the same shares. */
export const frameColours = ({ height, rgb, width }: Picture): FrameColours => {
  const counts = new Map<string, number>()
  let pixels = 0
  let sum = 0
  let squares = 0
  for (let y = STEP >> 1; y < height; y += STEP) {
    for (let x = STEP >> 1; x < width; x += STEP) {
      const at = (y * width + x) * 3
      const [red, green, blue] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!]
      const name = colourName(red, green, blue)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const luma = 0.299 * red + 0.587 * green + 0.114 * blue
      sum += luma
      squares += luma * luma
      pixels++
    }
  }
  const mean = sum / pixels
  return {
    named: Array.from(counts, ([name, count]) => ({ name, share: count / pixels }))
      .toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1)),
    mean_luma: mean,
    luma_spread: Math.sqrt(Math.max(0, squares / pixels - mean * mean))
  }
}
