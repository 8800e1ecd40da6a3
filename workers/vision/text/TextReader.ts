import type { OnnxOptions } from "../../onnx/OnnxSession.ts"
import { inkBounds } from "../picture/InkBounds.ts"
import { fitted, laidDown } from "../picture/LinePicture.ts"
import { onPage, type Turn, turnOfPage } from "../picture/PageTurn.ts"
import { cropped, type Picture, type Rectangle } from "../picture/Picture.ts"
import { joinBoxes } from "./JoinBoxes.ts"
import { LineMemory } from "./LineMemory.ts"
import { DOUBTFUL, openLineReader, type Reading } from "./LineReader.ts"
import { lineText } from "./LineText.ts"
import { readingOrder } from "./ReadingOrder.ts"
import { bounds, cutOut, LONG, TALL, type TextBox } from "./TextBox.ts"
import { openTextDetector } from "./TextDetector.ts"
import type { TextFiles } from "./TextFiles.ts"

/** One line of text: what it says, how sure that is from 0 to 1, and where it is, in pixels of the picture. */
interface ReadLine extends Rectangle {
  readonly text: string
  readonly confidence: number
}

/** What was read on a picture. */
export interface ReadPicture {
  /** In the order in which a person reads them. */
  readonly lines: ReadonlyArray<ReadLine>
  /** The picture as the detector saw it. */
  readonly seen: Picture
  /** Boxes that the detector found, and those whose pixels had been read before. */
  readonly boxes: number
  readonly remembered: number
}

export interface TextReader {
  /**
   * Reads a picture at its own resolution. The same picture gives the same lines, whatever was read before: a line is
   * taken from memory only where every pixel is the same. Rejects with the signal's reason, between two batches of lines.
   */
  readonly read: (picture: Picture, signal?: AbortSignal) => Promise<ReadPicture>
  readonly dispose: () => Promise<void>
}

/** What a cut-out line says, and by how many degrees clockwise it is turned. */
interface TurnedReading {
  readonly text: string
  readonly confidence: number
  readonly whole: number
  readonly turn: Turn
}

const surer = (a: TurnedReading, b: TurnedReading): TurnedReading => b.confidence > a.confidence ? b : a
const across = ({ upended, ...reading }: Reading): TurnedReading => ({ ...reading, turn: upended ? 180 : 0 })
const down = ({ upended, ...reading }: Reading): TurnedReading => ({ ...reading, turn: upended ? 270 : 90 })

/** A line cut out of the picture, and where it is. */
interface CutOut {
  readonly place: Rectangle
  readonly crop: Picture
}

/** Level boxes are fitted to their ink: its pixels alone say what is read, not where the detector wavers. */
const cutOutOf = async (picture: Picture, box: TextBox): Promise<CutOut> => {
  const place = bounds(box, picture)
  if (box.angle !== 0) return { place, crop: await cutOut(picture, box) }
  const { crop, ink } = inkBounds(picture, place)
  return { place: ink, crop: await cropped(picture, crop) }
}

const runsDown = ({ height, width }: Picture): boolean => height >= LONG * width

/** Crops as lines of the reader's height; those that `turned` names as lines that run down. */
const linesOf = (
  crops: ReadonlyArray<Picture>,
  turned: (crop: Picture) => boolean
): Promise<ReadonlyArray<Picture>> => Promise.all(crops.map((crop) => fitted(turned(crop) ? laidDown(crop) : crop)))

/**
 * Opens a reader from files of PP-OCR's layout: detector, direction classifier and line reader. With `remember` false every
 * line is read anew. Fails with `OnnxModelError` when a file is absent or broken.
 */
export const openTextReader = async (
  files: TextFiles,
  { remember = true, ...options }: OnnxOptions & { readonly remember?: boolean } = {}
): Promise<TextReader> => {
  const [detector, lineReader] = await Promise.all([
    openTextDetector(files, options),
    openLineReader(files, options)
  ])
  const memory = new LineMemory<TurnedReading>()

  /** A crop that is taller than wide is read upright or as a line that runs down, what its shape suggests first. */
  const readCrops = async (crops: ReadonlyArray<Picture>, signal: AbortSignal | undefined) => {
    const readings = (await lineReader.read(await linesOf(crops, runsDown), signal))
      .map((reading, index) => runsDown(crops[index]!) ? down(reading) : across(reading))
    const doubtful = [...crops.keys()].filter((index) =>
      crops[index]!.height >= TALL * crops[index]!.width && readings[index]!.confidence < DOUBTFUL
    )
    const lines = await linesOf(doubtful.map((index) => crops[index]!), (crop) => !runsDown(crop))
    const second = await lineReader.read(lines, signal)
    doubtful.forEach((index, i) => {
      const other = runsDown(crops[index]!) ? across(second[i]!) : down(second[i]!)
      readings[index] = surer(readings[index]!, other)
    })
    return readings
  }

  const read = async (picture: Picture, signal?: AbortSignal): Promise<ReadPicture> => {
    signal?.throwIfAborted()
    const { boxes: found, seen } = await detector.detect(picture)
    const cuts = await Promise.all(joinBoxes(found).map((box) => cutOutOf(picture, box)))
    const keys = cuts.map(({ crop }) => memory.key(crop))
    const known = keys.map((key) => remember ? memory.recall(key) : undefined)
    const unknown = [...cuts.keys()].filter((index) => known[index] === undefined)
    const fresh = await readCrops(unknown.map((index) => cuts[index]!.crop), signal)
    unknown.forEach((index, i) => {
      known[index] = fresh[i]!
      memory.remember(keys[index]!, fresh[i]!)
    })
    const lines = known.flatMap((reading, index) => {
      const { confidence, text: raw, turn, whole } = reading!
      const text = lineText(raw, confidence, whole)
      return text === undefined ? [] : [{ text, confidence, turn, place: cuts[index]!.place }]
    })
    const page = turnOfPage(lines)
    const placed = lines.map((line) => {
      const { height, left, top, width } = onPage(line.place, picture, page)
      return { left, top, width, height, text: line.text, line }
    })
    return {
      lines: readingOrder(placed).map(({ line: { confidence, place: { height, left, top, width }, text } }) => ({
        left,
        top,
        width,
        height,
        text,
        confidence
      })),
      seen,
      boxes: cuts.length,
      remembered: cuts.length - unknown.length
    }
  }

  return {
    read,
    dispose: async () => {
      await Promise.all([detector.dispose(), lineReader.dispose()])
    }
  }
}
