import { OnnxModelError } from "../../onnx/OnnxSession.ts"

/** How the map of a text detector is read. */
export interface DetectionSettings {
  /** A pixel belongs to text above this probability... */
  readonly pixel: number
  /** ...and a region is text above that mean. */
  readonly region: number
  /** The network draws shrunken regions; they grow by area / perimeter times this. */
  readonly grow: number
  /** A picture whose longer side has more pixels is made smaller before the detector sees it. */
  readonly longest_side: number
}

/**
 * Measured on PP-OCRv4. The thresholds are the paper's; at 960 pixels 12 pixel type on 720p slides is read whole, and 1280 takes
 * twice the time for no more.
 */
export const measured: DetectionSettings = { pixel: 0.3, region: 0.6, grow: 1.6, longest_side: 960 }

/** What a stack's model may set, by PaddleOCR's own names, with the least and the most that make sense. */
const named = {
  thresh: ["pixel", 0.01, 0.99],
  box_thresh: ["region", 0.01, 0.99],
  unclip_ratio: ["grow", 0.5, 4],
  limit_side_len: ["longest_side", 320, 4096]
} as const

/**
 * The settings of a stack's model, by the names of PaddleOCR's `inference.yml`; what it does not set is as measured on PP-OCRv4.
 * Throws `OnnxModelError` for a value that is no number in its bounds.
 */
export const detectionSettings = (
  model: string,
  options: Readonly<Record<string, unknown>>
): DetectionSettings => {
  const given = Object.entries(named).flatMap(([name, [field, least, most]]) => {
    const value = options[name]
    if (value === undefined) return []
    if (typeof value === "number" && value >= least && value <= most) return [[field, value] as const]
    throw new OnnxModelError(`The option ${name} of the model ${model} is no number from ${least} to ${most}`)
  })
  return { ...measured, ...Object.fromEntries(given) }
}
