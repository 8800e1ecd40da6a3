import { Schema } from "effect"
import { FrameDescription } from "../../../src/artifacts/Vision.ts"
import type { FoundObject } from "../objects/ObjectPeaks.ts"
import type { FrameColours } from "../picture/FrameColours.ts"
import type { FrameLayout } from "../picture/FrameLayout.ts"
import { colouring } from "./ColourWords.ts"
import type { FrameType, TypedFrame } from "./FrameType.ts"
import { inWords, standing } from "./ObjectWords.ts"
import { placeOf, type SeenLine, titleOf } from "./TextPlace.ts"

/** What is on one picture, before it is known which frame it is. */
export const PictureDescription = Schema.Struct({
  description: FrameDescription.fields.description,
  model_sentence: FrameDescription.fields.model_sentence,
  text: FrameDescription.fields.text,
  labels: FrameDescription.fields.labels
})
export type PictureDescription = typeof PictureDescription.Type

/** What was measured on a frame: all that a description may speak of. */
export interface FrameFacts {
  readonly lines: ReadonlyArray<SeenLine>
  readonly colours: FrameColours
  readonly layout: FrameLayout
  readonly typed: TypedFrame
  /** What a detector found, likeliest first; none where there is no detector. */
  readonly objects: ReadonlyArray<FoundObject>
}

const tuning = {
  /** Luma spread below which a frame shows nothing. */
  blank: 3,
  black_luma: 32,
  white_luma: 224,
  /** Mean luma of a screen that is called dark or light; what lies between is not named. */
  dark_luma: 80,
  light_luma: 176,
  page_text: 0.25,
  page_lines: 10,
  quoted: 120
} as const

const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000

const isBlank = ({ colours, lines, objects }: FrameFacts): boolean =>
  lines.length === 0 && objects.length === 0 && colours.luma_spread < tuning.blank

const boxOf = ({ bottom, left, right, top }: FoundObject) =>
  [rounded(left), rounded(top), rounded(right - left), rounded(bottom - top)] as const

/**
 * Names for what is on a frame: first its type (see `frameTypes`) where one is likely enough, then the things that were found
 * on it, each with its box, then `text` where some can be read; for a frame without anything `black`, `white` or `blank` alone.
 */
export const labelsOf = (facts: FrameFacts): FrameDescription["labels"] => {
  if (isBlank(facts)) {
    const { luma_spread, mean_luma } = facts.colours
    const name = mean_luma < tuning.black_luma ? "black" : mean_luma > tuning.white_luma ? "white" : "blank"
    return [{ name, confidence: rounded(1 - luma_spread / (2 * tuning.blank)) }]
  }
  const { lines, objects, typed } = facts
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0)
  const text = lines.reduce((sum, line) => sum + line.confidence * line.text.length, 0) / Math.max(1, characters)
  return [
    ...(typed.type === null ? [] : [{ name: typed.type, confidence: rounded(typed.confidence) }]),
    ...objects.map((one) => ({ name: one.name, confidence: rounded(one.score), box: boxOf(one) })),
    ...(text < 0.5 ? [] : [{ name: "text", confidence: rounded(text) }])
  ]
}

/** A line between quotation marks, cut where it is long, but never within a character. */
const quoted = (text: string): string =>
  `“${
    text.length > tuning.quoted
      ? `${text.slice(0, tuning.quoted - 1).replace(/[\uD800-\uDBFF]$/u, "").trimEnd()}…`
      : text
  }”`

const counted = (count: number, what = "line"): string => `${count} ${count === 1 ? what : `${what}s`} of text`

const background = ({ mean_luma }: FrameColours): string =>
  mean_luma < tuning.dark_luma ? " on a dark background" : mean_luma > tuning.light_luma ? " on a light background" : ""

/** “A slide titled … with 4 more lines of text.”, also for cards, charts and tables. */
const titled = (subject: string, { lines }: FrameFacts): string => {
  if (lines.length === 1) return `${subject} that reads ${quoted(lines[0]!.text)}.`
  const title = titleOf(lines)
  const place = placeOf(lines)
  return title === undefined
    ? `${subject} with ${counted(lines.length)}${place}.`
    : `${subject} titled ${quoted(title)} with ${counted(lines.length - 1, "more line")}${place}.`
}

const screen = (subject: string, { colours, lines }: FrameFacts): string =>
  `${subject}${background(colours)} with ${counted(lines.length)}, beginning with ${quoted(lines[0]!.text)}.`

/** What a view of the world shows, then what is written on it. */
const showing = (subject: string, { colours, lines, objects }: FrameFacts): string => {
  const text = lines.length === 0
    ? "no readable text"
    : lines.length === 1
    ? `the text ${quoted(lines[0]!.text)}${placeOf(lines)}`
    : `${counted(lines.length)}${placeOf(lines)}, beginning with ${quoted(lines[0]!.text)}`
  return `${subject} with ${inWords(objects)}${standing(objects)}; ${text}${colouring(colours)}.`
}

const view = (subject: string, facts: FrameFacts): string =>
  facts.objects.length > 0 ? showing(subject, facts) : withoutObjects(subject, facts)

const withoutOnePerson = (objects: FrameFacts["objects"]): FrameFacts["objects"] => {
  const people = objects.filter(({ name }) => name === "person")
  return people.length === 1 ? objects.filter(({ name }) => name !== "person") : objects
}

const withoutObjects = (subject: string, { colours, lines }: FrameFacts): string =>
  lines.length === 0
    ? `${subject} without readable text${colouring(colours)}.`
    : lines.length === 1
    ? `${subject} with the text ${quoted(lines[0]!.text)}${placeOf(lines)}${colouring(colours)}.`
    : `${subject} with ${counted(lines.length)}${placeOf(lines)}, beginning with ${quoted(lines[0]!.text)}${
      colouring(colours)
    }.`

const sentences: { readonly [T in FrameType]: (facts: FrameFacts) => string } = {
  slide: (facts) => titled("A slide", facts),
  title_card: (facts) => titled("A title card", facts),
  code: (facts) => screen("Program code", facts),
  terminal: (facts) => screen("A terminal", facts),
  chart: (facts) => facts.lines.length === 0 ? view("A chart", facts) : titled("A chart", facts),
  table: (facts) => titled("A table", facts),
  // That somebody is seen is said by the type.
  talking_head: (facts) => view("A talking head", { ...facts, objects: withoutOnePerson(facts.objects) }),
  scene: (facts) => view("A scene", facts)
}

/** One sentence about a frame that says only what was measured and quotes only what was read. */
export const describe = (facts: FrameFacts): string => {
  const { colours, layout, lines, typed } = facts
  if (isBlank(facts)) {
    const [label] = labelsOf(facts)
    return label!.name === "blank" ? `A plain ${colours.named[0]!.name} frame.` : `A ${label!.name} frame.`
  }
  if (typed.type !== null) return sentences[typed.type](facts)
  return lines.length >= tuning.page_lines && layout.text >= tuning.page_text ?
    screen("A page", facts) :
    view("A picture", facts)
}
