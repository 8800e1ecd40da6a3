import { readFileSync } from "node:fs"
import { type OnnxSession, openSession } from "../onnx/OnnxSession.ts"
import { decodeCtc, type ReadCharacter } from "./CtcText.ts"
import { type Picture, resized } from "./Picture.ts"
import { cutOut, type TextBox } from "./TextBox.ts"
import { ocrModelFile } from "./TextDetector.ts"
import { inkGaps, repairSpaces } from "./WordGaps.ts"

/** Height that the recogniser reads at; the width follows, within bounds. */
const READ_HEIGHT = 48
const LEAST_WIDTH = 32
/** 50 characters to the height: longer lines are squeezed. */
const MOST_WIDTH = 2400
/** The direction classifier's input. */
const DIRECTION = { width: 192, height: 48 } as const
/** Below this mean probability it is asked whether the line stands on its head; upright print is above it. */
const DOUBTFUL = 0.85
const SURELY_TURNED = 0.9
/** A box this much taller than wide may be a line that runs down. */
const TALL = 1.5

/** What a box says; `confidence` is the mean probability of its characters. */
interface Reading {
  readonly text: string
  readonly confidence: number
}

export interface TextRecogniser {
  /** Reads one line, each on its own: what else is on the picture has no influence. */
  readonly read: (picture: Picture, box: TextBox) => Promise<Reading>
  readonly dispose: () => Promise<void>
}

const keysFrom = (file: string): ReadonlyArray<string> => {
  const lines = readFileSync(file, "utf8").replace(/\n$/u, "").split("\n").map((line) => line.replace("\r", ""))
  return ["", ...lines, " "]
}

/** Blue, green, red as planes from -1 to 1; columns beyond the picture are 0. */
const planes = ({ height, rgb, width }: Picture, columns: number): Float32Array => {
  const data = new Float32Array(3 * height * columns)
  for (let channel = 0; channel < 3; channel++) {
    for (let y = 0; y < height; y++) {
      const row = (channel * height + y) * columns
      for (let x = 0; x < width; x++) data[row + x] = rgb[(y * width + x) * 3 + 2 - channel]! / 127.5 - 1
    }
  }
  return data
}

/** Turned by 180 degrees. */
const upended = ({ height, rgb, width }: Picture): Picture => {
  const out = new Uint8Array(rgb.length)
  const pixels = width * height
  for (let i = 0; i < pixels; i++) {
    for (let channel = 0; channel < 3; channel++) out[i * 3 + channel] = rgb[(pixels - 1 - i) * 3 + channel]!
  }
  return { width, height, rgb: out }
}

/** Turned by 90 degrees counter-clockwise: a line that runs down then runs from left to right. */
const laidDown = ({ height, rgb, width }: Picture): Picture => {
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

const fitted = (picture: Picture): Promise<Picture> => {
  const width = Math.ceil((READ_HEIGHT * picture.width) / picture.height)
  return resized(picture, Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width)), READ_HEIGHT)
}

const mean = (characters: ReadonlyArray<ReadCharacter>): number =>
  characters.length === 0 ? 0 : characters.reduce((sum, { probability }) => sum + probability, 0) / characters.length

const better = (a: Reading, b: Reading): Reading => b.confidence > a.confidence ? b : a

const runOn = async (session: OnnxSession, picture: Picture, columns: number) => {
  const data = planes(picture, columns)
  const results = await session.run({ [session.inputs[0]!]: { data, dims: [1, 3, picture.height, columns] } })
  return results[session.outputs[0]!]!
}

/**
 * Opens the text recogniser and the direction classifier of PP-OCRv4. The same pixels give the same text. Fails with
 * `OnnxModelError` when the weights are absent or broken.
 */
export const openTextRecogniser = async (): Promise<TextRecogniser> => {
  const [recogniser, classifier] = await Promise.all([
    openSession(ocrModelFile("ch_PP-OCRv4_rec_infer.onnx")),
    openSession(ocrModelFile("ch_ppocr_mobile_v2.0_cls_infer.onnx"))
  ])
  const keys = keysFrom(ocrModelFile("ppocr_keys_v1.txt"))

  const readLine = async (line: Picture): Promise<Reading> => {
    const { data, dims } = await runOn(recogniser, line, line.width)
    const characters = decodeCtc(data as Float32Array, dims[1]!, keys)
    const text = repairSpaces(characters, line.width / dims[1]!, inkGaps(line), line.height)
    return { text, confidence: mean(characters) }
  }

  const isUpended = async (line: Picture): Promise<boolean> => {
    const width = Math.min(DIRECTION.width, line.width)
    const { data } = await runOn(classifier, await resized(line, width, DIRECTION.height), DIRECTION.width)
    return Number(data[1]) > SURELY_TURNED
  }

  const readEitherWay = async (line: Picture): Promise<Reading> => {
    const reading = await readLine(line)
    if (reading.confidence >= DOUBTFUL || !(await isUpended(line))) return reading
    return better(reading, await readLine(upended(line)))
  }

  return {
    read: async (picture, box) => {
      const crop = await cutOut(picture, box)
      const reading = await readEitherWay(await fitted(crop))
      if (crop.height < TALL * crop.width || reading.confidence >= DOUBTFUL) return reading
      return better(reading, await readEitherWay(await fitted(laidDown(crop))))
    },
    dispose: async () => {
      await Promise.all([recogniser.dispose(), classifier.dispose()])
    }
  }
}
