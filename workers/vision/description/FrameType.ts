import { fileURLToPath } from "node:url"
import { OnnxModelError, openSession } from "../../onnx/OnnxSession.ts"
import { type Picture, resized } from "../picture/Picture.ts"
import { screenText } from "./ScreenText.ts"

/** What a frame can be told to be. `talking_head`: one or more people from the chest up; `scene`: any other view of the world. */
export const frameTypes = [
  "slide",
  "title_card",
  "code",
  "terminal",
  "chart",
  "table",
  "talking_head",
  "scene"
] as const
export type FrameType = typeof frameTypes[number]

/** The likeliest type of a frame; `type` is null where none of them is likely enough to be said. */
export interface TypedFrame {
  readonly type: FrameType | null
  /** How often an answer of this probability is right, from 0 to 1. */
  readonly confidence: number
}

export interface FrameTyper {
  /** The same picture and lines give the same answer; `lines` is the text that was read on it. */
  readonly typeOf: (picture: Picture, lines: ReadonlyArray<string>) => Promise<TypedFrame>
  readonly dispose: () => Promise<void>
}

/** The network's input: type of 16 pixels on 720p is three high here, enough to tell lines of code from those of a list. */
const WIDTH = 256
const HEIGHT = 144

/** What does not go without writing: where no line can be read, none of these is said. Three bottles are no bar chart. */
const written: ReadonlySet<FrameType> = new Set(["slide", "title_card", "code", "terminal", "chart", "table"])

/** Least confidence at which a type is said: it is likelier than all others together. 94 % of those held out are right. */
const LEAST = 0.5
/** People are told from what else stands large in a frame less surely: of those held out 94 % are right above this. */
const LEAST_HEAD = 0.9

/**
 * Rows of labels and a title above a caption look like lines of code or of a terminal too. Where the text has no sign of
 * either they are told so surely only: four such frames, of a page and of a film, were taken for them at 0.57 to 0.71.
 */
const LEAST_UNSIGNED = 0.9

/** The network's last output is none of the types: documents, applications, drawings, patterns. */
const outputs: ReadonlyArray<FrameType | null> = [...frameTypes, null]

const CODE = frameTypes.indexOf("code")
const TERMINAL = frameTypes.indexOf("terminal")
const SLIDE = frameTypes.indexOf("slide")
const CARD = frameTypes.indexOf("title_card")
const HEAD = frameTypes.indexOf("talking_head")
const SCENE = frameTypes.indexOf("scene")
const NONE = frameTypes.length

/** Where this repository has the weights; `models/footnote-frame-type.md` says what they were trained on and how well. */
export const frameTypeFile = (): string =>
  fileURLToPath(new URL("../../../models/footnote-frame-type.onnx", import.meta.url))

const planes = ({ rgb }: Picture): Float32Array => {
  const size = WIDTH * HEIGHT
  const data = new Float32Array(3 * size)
  for (let channel = 0; channel < 3; channel++) {
    for (let i = 0; i < size; i++) data[channel * size + i] = rgb[i * 3 + channel]! / 255
  }
  return data
}

/** Moves the probability of some outputs to another. */
const moved = (told: ReadonlyArray<number>, from: ReadonlyArray<number>, to: number): ReadonlyArray<number> => {
  const sum = from.reduce((total, index) => total + told[index]!, 0)
  return told.map((value, index) => index === to ? value + sum : from.includes(index) ? 0 : value)
}

/** Of two kinds of screen in one type of letter the text says which; a slide full of statements is a listing. */
const afterReading = (told: ReadonlyArray<number>, lines: ReadonlyArray<string>): ReadonlyArray<number> => {
  const { kind, listing, signs } = screenText(lines)
  if (kind === "terminal") return moved(told, [CODE], TERMINAL)
  if (kind === "code") return moved(told, listing ? [TERMINAL, SLIDE] : [TERMINAL], CODE)
  return signs || Math.max(told[CODE]!, told[TERMINAL]!) >= LEAST_UNSIGNED ? told : moved(told, [CODE, TERMINAL], NONE)
}

/** What may be either is said to be the more common: a view with people is a scene, and a title with a line below it a slide. */
const afterDoubt = (told: ReadonlyArray<number>): ReadonlyArray<number> => {
  const viewed = told[HEAD]! >= LEAST_HEAD ? told : moved(told, [HEAD], SCENE)
  return viewed[CARD]! >= LEAST ? viewed : moved(viewed, [CARD], SLIDE)
}

/**
 * Which type is said of these probabilities, one for each of `frameTypes` and the last for none of them. Types that
 * consist of writing need a line that was read. Pure.
 */
export const chosenType = (probabilities: ReadonlyArray<number>, lines: ReadonlyArray<string>): TypedFrame => {
  const told = afterDoubt(afterReading(probabilities, lines))
  const best = told.reduce((found, value, index) => value > told[found]! ? index : found, 0)
  const confidence = told[best]!
  const type = outputs[best]!
  const said = type !== null && confidence >= LEAST && (lines.length > 0 || !written.has(type))
  return { type: said ? type : null, confidence }
}

/** Opens the classifier, about a megabyte. Fails with `OnnxModelError` when the weights are absent, broken or others. */
export const openFrameTyper = async (file: string = frameTypeFile()): Promise<FrameTyper> => {
  const session = await openSession(file)
  return {
    typeOf: async (picture, lines) => {
      const small = await resized(picture, WIDTH, HEIGHT)
      const results = await session.run({ [session.inputs[0]!]: { data: planes(small), dims: [1, 3, HEIGHT, WIDTH] } })
      const probabilities = Array.from(results[session.outputs[0]!]!.data, Number)
      if (probabilities.length !== outputs.length) {
        throw new OnnxModelError(
          `Model file ${file} tells ${probabilities.length} types of frame, not ${outputs.length}`
        )
      }
      return chosenType(probabilities, lines)
    },
    dispose: session.dispose
  }
}
