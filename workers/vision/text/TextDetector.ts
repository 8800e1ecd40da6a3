import { type OnnxOptions, type OnnxSession, openSession } from "../../onnx/OnnxSession.ts"
import { type Picture, resized } from "../picture/Picture.ts"
import { type DetectionSettings, measured } from "./DetectionSettings.ts"
import type { TextBox } from "./TextBox.ts"
import type { TextFiles } from "./TextFiles.ts"
import { findTextRegions } from "./TextRegions.ts"

/** Small pictures are enlarged up to this side, and by no more than this factor: of a 384 pixel wide page three lines of seven were unreadable at 1, at 2 little but spaces is lost. */
const ENLARGED_SIDE = 960
const MOST_ENLARGED = 2
/** Both sides must be multiples of the network's stride. */
const STRIDE = 32
/** Mean and deviation of ImageNet, which the weights were trained with, for red, green and blue. */
const MEAN = [0.485, 0.456, 0.406] as const
const DEVIATION = [0.229, 0.224, 0.225] as const

export interface TextDetector {
  /** Every line of text in the picture, in the order of its first pixel; the picture scaled for the detector comes along. */
  readonly detect: (picture: Picture) => Promise<{ readonly boxes: ReadonlyArray<TextBox>; readonly seen: Picture }>
  readonly dispose: () => Promise<void>
}

const toStride = (side: number): number => Math.max(STRIDE, Math.round(side / STRIDE) * STRIDE)

/** The network takes blue, green, red as planes, with mean and deviation in this very order. */
const planes = ({ height, rgb, width }: Picture): Float32Array => {
  const size = width * height
  const data = new Float32Array(3 * size)
  for (let channel = 0; channel < 3; channel++) {
    const scale = 1 / (255 * DEVIATION[channel]!)
    const shift = MEAN[channel]! / DEVIATION[channel]!
    for (let i = 0; i < size; i++) data[channel * size + i] = rgb[i * 3 + 2 - channel]! * scale - shift
  }
  return data
}

/** By how much a picture is scaled for the detector. */
const scaleOf = ({ height, width }: Picture, { longest_side }: DetectionSettings): number => {
  const side = Math.max(width, height)
  return side > longest_side ? longest_side / side : Math.max(1, Math.min(MOST_ENLARGED, ENLARGED_SIDE / side))
}

const detectWith = async (session: OnnxSession, settings: DetectionSettings, picture: Picture) => {
  const scale = scaleOf(picture, settings)
  const seen = await resized(picture, toStride(picture.width * scale), toStride(picture.height * scale))
  const { height, width } = seen
  const results = await session.run({ [session.inputs[0]!]: { data: planes(seen), dims: [1, 3, height, width] } })
  const probabilities = results[session.outputs[0]!]!.data as Float32Array
  const across = picture.width / width
  const down = picture.height / height
  const boxes = findTextRegions(probabilities, width, height, settings).map(({ angle, score, ...box }): TextBox => ({
    x: box.x * across,
    y: box.y * down,
    width: box.width * across,
    height: box.height * down,
    angle,
    score
  }))
  return { boxes, seen }
}

/**
 * Opens a text detector of PP-OCR, versions 4 to 6 ("Real-time Scene Text Detection with Differentiable Binarization", Liao
 * et al. 2020). The same picture gives the same boxes. Fails with `OnnxModelError` when the weights are absent or broken.
 */
export const openTextDetector = async (
  { detection = measured, detector }: Pick<TextFiles, "detector" | "detection">,
  options: OnnxOptions = {}
): Promise<TextDetector> => {
  const session = await openSession(detector, options)
  return { detect: (picture) => detectWith(session, detection, picture), dispose: session.dispose }
}
