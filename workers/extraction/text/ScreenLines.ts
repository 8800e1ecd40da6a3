import type { TextLine } from "../../../src/artifacts/Vision.ts"

/** A line of text on a frame as a reader sees it: wrapped lines joined, sizes in fractions of the frame's height. */
export interface ScreenLine {
  readonly text: string
  readonly top: number
  readonly left: number
  readonly height: number
  /** Around all its wrapped lines: `[x, y, width, height]` in fractions of the frame. */
  readonly box: readonly [number, number, number, number]
  readonly confidence: number
  /** The one line that names the picture: its largest in the upper part, where one stands out or stands on top. */
  readonly heading: boolean
}

interface Block {
  readonly text: string
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
  readonly height: number
  readonly confidence: number
}

const BULLET = /^\s*(?:[•·▪◦‣*–—-]|\d{1,2}[.)])\s+/u
const OPEN_END = /(?:[,:;&-]|\b(?:of|the|a|an|to|and|for|in|on|with|by|or|from|is|are|that|which|into|at|as))$/iu

/** Whether `below` goes on where `above` stopped: same size, close under it, aligned, and the text is open at the seam. */
const continues = (above: Block, below: Block, widest: number): boolean => {
  const ratio = below.height / above.height
  const gap = below.top - above.bottom
  if (ratio < 0.75 || ratio > 1.34 || gap > 0.8 * below.height || gap < -0.5 * below.height) return false
  const centred = Math.abs((above.left + above.right - below.left - below.right) / 2) < 0.03
  if (!centred && Math.abs(above.left - below.left) > 0.05) return false
  if (BULLET.test(below.text) || /[.!?]$/u.test(above.text) || /^[^:]{2,40}:\s/u.test(below.text)) return false
  return OPEN_END.test(above.text) || (/^\p{Ll}/u.test(below.text) && above.right > 0.75 * widest)
}

const joined = (above: Block, below: Block): Block => ({
  text: `${above.text} ${below.text}`,
  top: above.top,
  bottom: below.bottom,
  left: Math.min(above.left, below.left),
  right: Math.max(above.right, below.right),
  height: Math.max(above.height, below.height),
  confidence: Math.min(above.confidence, below.confidence)
})

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const headingOf = (blocks: ReadonlyArray<Block>): Block | undefined => {
  const named = blocks.filter((block) =>
    /\p{L}{3}/u.test(block.text) && block.top < 0.6 && block.text.split(" ").length <= 14
  )
  const largest = named.toSorted((a, b) => b.height - a.height || a.top - b.top)[0]
  const topmost = named.toSorted((a, b) => a.top - b.top)[0]
  if (largest === undefined || topmost === undefined) return undefined
  const others = blocks.filter((block) => block !== largest)
  // Measured boxes of one type size differ by up to 15 % with ascenders and descenders.
  return others.length === 0 || largest.height >= 1.15 * median(others.map((block) => block.height)) ? largest : topmost
}

/** The text lines of one frame in reading order, wrapped ones joined by a single space. */
export const joinWrappedLines = (lines: ReadonlyArray<TextLine>): ReadonlyArray<ScreenLine> => {
  const blocks: Array<Block> = []
  // How far the lines of one column reach: what ends well before has not run out of room.
  const widest = (left: number): number =>
    Math.max(0, ...lines.filter(({ box }) => Math.abs(box[0] - left) < 0.05).map(({ box }) => box[0] + box[2]))
  for (const { box: [left, top, width, height], confidence, text } of lines) {
    if (text.trim() === "") continue
    const block = { text, top, bottom: top + height, left, right: left + width, height, confidence }
    const above = blocks.at(-1)
    if (above !== undefined && continues(above, block, widest(left))) blocks[blocks.length - 1] = joined(above, block)
    else blocks.push(block)
  }
  const heading = headingOf(blocks)
  return blocks.map((block) => ({
    text: block.text,
    top: block.top,
    left: block.left,
    height: block.height,
    box: [block.left, block.top, block.right - block.left, block.bottom - block.top],
    confidence: block.confidence,
    heading: block === heading
  }))
}
