import type { FrameDescription } from "../../src/artifacts/Vision.ts"
import type { FrameColours } from "./FrameColours.ts"
import type { FrameLayout } from "./FrameLayout.ts"

/** What was measured on a frame: all that a description may speak of. */
export interface FrameFacts {
  readonly lines: ReadonlyArray<
    { readonly text: string; readonly confidence: number; readonly top: number; readonly height: number }
  >
  readonly colours: FrameColours
  readonly layout: FrameLayout
}

const tuning = {
  /** Luma spread below which a frame shows nothing. */
  blank: 3,
  black_luma: 32,
  white_luma: 224,
  /** Plain share of a frame with text: half is where a slide begins, 0.93 and above was measured on every drawn slide. */
  flat_from: 0.5,
  flat_to: 0.93,
  /** Share of the frame that a slide's text covers at least: 0.05 to 0.14 was measured, 0.01 is a caption or a clock. */
  slide_text: 0.03,
  page_text: 0.25,
  page_lines: 10,
  /** A title is in the upper part and larger than the other lines by what equal type varies. */
  title_top: 0.6,
  title_size: 1.15,
  title_words: 14,
  quoted: 120
} as const

const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const isBlank = ({ colours, lines }: FrameFacts): boolean => lines.length === 0 && colours.luma_spread < tuning.blank

/** How surely text stands on a drawn, plain ground, from 0 to 1. */
const slideLikeness = ({ layout, lines }: FrameFacts): number =>
  lines.length === 0 ?
    0 :
    Math.min(1, Math.max(0, (layout.flat - tuning.flat_from) / (tuning.flat_to - tuning.flat_from))) *
    Math.min(1, layout.text / tuning.slide_text)

/** The line that names a slide: the largest in its upper part where one stands out, otherwise the topmost. */
const titleOf = (lines: FrameFacts["lines"]): string | undefined => {
  const candidates = lines.filter(({ text, top }) =>
    top < tuning.title_top && /\p{L}{2}/u.test(text) && text.split(" ").length <= tuning.title_words
  )
  const [largest] = candidates.toSorted((a, b) => b.height - a.height || a.top - b.top)
  const [topmost] = candidates.toSorted((a, b) => a.top - b.top)
  if (largest === undefined || topmost === undefined) return undefined
  const others = lines.filter((line) => line !== largest).map(({ height }) => height)
  const standsOut = others.length === 0 || largest.height >= tuning.title_size * median(others)
  return (standsOut ? largest : topmost).text
}

/**
 * Names for what is on a frame, surest first: `slide` (text on a drawn ground), `text` (readable text), `picture`, and
 * `black`, `white` or `blank` for a frame without anything. Confidences are measured shares, not opinions.
 */
export const labelsOf = (facts: FrameFacts): FrameDescription["labels"] => {
  if (isBlank(facts)) {
    const { luma_spread, mean_luma } = facts.colours
    const name = mean_luma < tuning.black_luma ? "black" : mean_luma > tuning.white_luma ? "white" : "blank"
    return [{ name, confidence: rounded(1 - luma_spread / (2 * tuning.blank)) }]
  }
  const slide = slideLikeness(facts)
  const characters = facts.lines.reduce((sum, { text }) => sum + text.length, 0)
  const text = facts.lines.reduce((sum, line) => sum + line.confidence * line.text.length, 0) / Math.max(1, characters)
  return [
    { name: "slide", confidence: rounded(slide) },
    { name: "text", confidence: rounded(text) },
    { name: "picture", confidence: rounded(1 - slide) }
  ].filter(({ confidence }) => confidence >= 0.5).toSorted((a, b) => b.confidence - a.confidence)
}

const quoted = (text: string): string =>
  `“${text.length > tuning.quoted ? `${text.slice(0, tuning.quoted - 1).trimEnd()}…` : text}”`

const counted = (count: number): string => `${count} ${count === 1 ? "line" : "lines"} of text`

const colouring = ({ named: [first, second] }: FrameColours): string => {
  if (first === undefined) return ""
  if (first.share >= 0.5 && (second === undefined || second.share < 0.2)) return `, mostly ${first.name}`
  return second === undefined ? `, mostly ${first.name}` : `, mostly ${first.name} and ${second.name}`
}

/** One sentence about a frame that says only what was measured and quotes only what was read. */
export const describe = (facts: FrameFacts): string => {
  const { colours, layout, lines } = facts
  if (isBlank(facts)) {
    const [label] = labelsOf(facts)
    return label!.name === "blank" ? `A plain ${colours.named[0]!.name} frame.` : `A ${label!.name} frame.`
  }
  if (lines.length === 0) return `A picture without readable text${colouring(colours)}.`
  if (lines.length >= tuning.page_lines && layout.text >= tuning.page_text) {
    return `A page with ${counted(lines.length)}, beginning with ${quoted(lines[0]!.text)}.`
  }
  if (slideLikeness(facts) >= 0.5) {
    const title = titleOf(lines)
    if (lines.length === 1) return `A slide that reads ${quoted(lines[0]!.text)}.`
    return title === undefined
      ? `A slide with ${counted(lines.length)}.`
      : `A slide titled ${quoted(title)} with ${lines.length - 1} more ${
        lines.length === 2 ? "line" : "lines"
      } of text.`
  }
  return lines.length === 1
    ? `A picture with the text ${quoted(lines[0]!.text)}${colouring(colours)}.`
    : `A picture with ${counted(lines.length)}, beginning with ${quoted(lines[0]!.text)}${colouring(colours)}.`
}
