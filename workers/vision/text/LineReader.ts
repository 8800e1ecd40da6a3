import { OnnxModelError, type OnnxOptions, type OnnxSession, openSession } from "../../onnx/OnnxSession.ts"
import { linePlanes, MOST_WIDTH, READ_HEIGHT, upended } from "../picture/LinePicture.ts"
import { type Picture, resized } from "../picture/Picture.ts"
import { decodeCtc, type ReadCharacter } from "./CtcText.ts"
import { withSigns } from "./CurrencySigns.ts"
import { keysIn } from "./KeyList.ts"
import type { TextFiles } from "./TextFiles.ts"
import { inkGaps, repairSpaces } from "./WordGaps.ts"

/**
 * A line is followed by 24 empty columns at least, up to a multiple of 32: on drawn text 1.00 % of the characters were
 * wrong, against 1.36 % where the picture ended with the line, and 1.23 % where all were filled up to 320.
 */
const EMPTY = 24
const STEP = 32
const STEP_PIXELS = 8
/** Lines in one run. On a CPU batches cost what their lines cost alone; an abort waits for one batch. */
const BATCH = 8
/** The direction classifier's input. */
const DIRECTION_WIDTH = 192
/** Below this mean probability it is asked whether the line stands on its head; upright print is above it. */
export const DOUBTFUL = 0.85
const SURELY_TURNED = 0.9

/** Below this little was read; then the line is turned over without asking: the classifier missed 2 of 61 turned lines. */
const UNREAD = 0.6
/**
 * A line that was read with doubt, or whose characters are narrower than this many of the network's 8 pixel steps, is
 * read again at this times its width: of narrow type letters are lost. `Warranty:$80.00against08582` was read at 0.84 and
 * rightly at 0.96; of 48 lines narrower than 2 steps none was read worse.
 */
const NARROW = 1.8
const WIDENED = 1.4

/**
 * What a line says; `confidence` is the mean probability of its characters, `whole` their product, `upended` whether the
 * line stands on its head.
 */
export interface Reading {
  readonly text: string
  readonly confidence: number
  readonly whole: number
  readonly upended: boolean
}

export interface LineReader {
  /**
   * Reads lines, each a picture of 48 pixels height, in batches. What a line says depends on its own pixels alone, to the
   * last bit. An abort stops between two batches.
   */
  readonly read: (lines: ReadonlyArray<Picture>, signal?: AbortSignal) => Promise<ReadonlyArray<Reading>>
  readonly dispose: () => Promise<void>
}

/** What each output of the recogniser stands for: the blank, the listed characters, the space. */
const outputsOf = (file: string): ReadonlyArray<string> => ["", ...keysIn(file), " "]

const mean = (characters: ReadonlyArray<ReadCharacter>): number =>
  characters.length === 0 ? 0 : characters.reduce((sum, { probability }) => sum + probability, 0) / characters.length

const widened = (line: Picture): Promise<Picture> =>
  resized(line, Math.min(MOST_WIDTH, Math.round(WIDENED * line.width)), READ_HEIGHT)

const isNarrow = ({ width }: Picture, { text }: Reading): boolean =>
  text !== "" && width < NARROW * STEP_PIXELS * text.length

const columnsOf = ({ width }: Picture): number => Math.ceil((width + EMPTY) / STEP) * STEP

/** Runs pictures of equal columns together and gives each one's output, in the order of the pictures. */
const runAll = async <A>(
  session: OnnxSession,
  pictures: ReadonlyArray<Picture>,
  columnsOf: (picture: Picture) => number,
  take: (output: Float32Array, dims: ReadonlyArray<number>, index: number) => A,
  signal: AbortSignal | undefined
): Promise<ReadonlyArray<A>> => {
  const out = Array.from<A>({ length: pictures.length })
  const byColumns = Map.groupBy(pictures.keys(), (index) => columnsOf(pictures[index]!))
  for (const [columns, indices] of byColumns) {
    for (let from = 0; from < indices.length; from += BATCH) {
      signal?.throwIfAborted()
      const batch = indices.slice(from, from + BATCH)
      const data = linePlanes(batch.map((index) => pictures[index]!), columns)
      const dims = [batch.length, 3, READ_HEIGHT, columns]
      const result = (await session.run({ [session.inputs[0]!]: { data, dims } }))[session.outputs[0]!]!
      const each = result.data.length / batch.length
      batch.forEach((index, i) => {
        const own = (result.data as Float32Array).subarray(i * each, (i + 1) * each)
        out[index] = take(own, result.dims.slice(1), index)
      })
    }
  }
  return out
}

/**
 * Opens the text recognition network (OCR) and the direction classifier of PP-OCR. Fails with `OnnxModelError` when the weights are
 * absent or broken.
 */
export const openLineReader = async (
  files: Omit<TextFiles, "detector">,
  options: OnnxOptions = {}
): Promise<LineReader> => {
  const [reader, classifier] = await Promise.all([
    openSession(files.recogniser, options),
    openSession(files.classifier, options)
  ])
  const keys = outputsOf(files.keys)

  const readAll = (lines: ReadonlyArray<Picture>, upended: boolean, signal: AbortSignal | undefined) =>
    runAll(reader, lines, columnsOf, (output, [steps], index): Reading => {
      if (output.length !== steps! * keys.length) {
        throw new OnnxModelError(
          `The recogniser tells ${output.length / steps!} characters apart, and ${files.keys} lists ${keys.length - 2}`
        )
      }
      const line = lines[index]!
      const stepWidth = columnsOf(line) / steps!
      const gaps = inkGaps(line)
      const characters = withSigns(decodeCtc(output, steps!, keys), stepWidth, gaps, line)
      const text = repairSpaces(characters, stepWidth, gaps, line.height)
      const whole = characters.reduce((product, { probability }) => product * probability, 1)
      return { text, confidence: mean(characters), whole, upended }
    }, signal)

  const areUpended = async (lines: ReadonlyArray<Picture>, signal: AbortSignal | undefined) => {
    const inputs = await Promise.all(
      lines.map((line) => resized(line, Math.min(DIRECTION_WIDTH, line.width), READ_HEIGHT))
    )
    return runAll(classifier, inputs, () => DIRECTION_WIDTH, (output) => Number(output[1]) > SURELY_TURNED, signal)
  }

  return {
    read: async (lines, signal) => {
      const readings = [...await readAll(lines, false, signal)]
      const doubtful = [...readings.keys()].filter((index) => readings[index]!.confidence < DOUBTFUL)
      const turned = await areUpended(doubtful.map((index) => lines[index]!), signal)
      const over = doubtful.filter((index, i) => turned[i] || readings[index]!.confidence < UNREAD)
      const narrow = [...readings.keys()].filter((index) => isNarrow(lines[index]!, readings[index]!))
      const wide = [...new Set([...doubtful.filter((_, i) => !turned[i]), ...narrow])]
      const overturned = over.map((index) => upended(lines[index]!))
      const stretched = await Promise.all(wide.map((index) => widened(lines[index]!)))
      for (
        const [indices, again] of [
          [over, await readAll(overturned, true, signal)],
          [wide, await readAll(stretched, false, signal)]
        ] as const
      ) {
        indices.forEach((index, i) => {
          if (again[i]!.confidence > readings[index]!.confidence) readings[index] = again[i]!
        })
      }
      return readings
    },
    dispose: async () => {
      await Promise.all([reader.dispose(), classifier.dispose()])
    }
  }
}
