import type { TextLine } from "../../../src/artifacts/Vision.ts"
import { isBullet } from "./TableKinds.ts"
import { type TableRow, tablesOn } from "./TableRows.ts"

/** What stands in one place of the frame, within the text of the row that it is part of. */
interface Piece {
  readonly from: number
  readonly to: number
  readonly box: TextLine["box"]
  readonly confidence: number
}

/** A line of text on a frame as a reader sees it: wrapped lines and cells of a row joined, sizes in fractions of the frame's height. */
export interface ScreenLine {
  readonly text: string
  readonly top: number
  /** The same on the page that the frame shows a part of, once that has been scrolled. */
  readonly page_top: number
  readonly left: number
  readonly height: number
  /** Around all its wrapped lines and cells: `[x, y, width, height]` in fractions of the frame. */
  readonly box: TextLine["box"]
  readonly confidence: number
  /** Of a table's row the lines of its cells, in the order in which they are read. */
  readonly pieces?: ReadonlyArray<Piece> | undefined
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
  readonly pieces: ReadonlyArray<Piece>
}

/** What stands before an item of a list on the screen. */
export const BULLET = /^\s*(?:[•·▪◦‣*–—-]|\d{1,2}[.)])\s+/u
const OPEN_END = /(?:[,:;&-]|\b(?:of|the|a|an|to|and|for|in|on|with|by|or|from|is|are|that|which|into|at|as))$/iu

/** Whether `below` goes on where `above` stopped: same size, close under it, aligned, and the text is open at the seam. */
const continues = (above: Block, below: Block, widest: number): boolean => {
  if (above.pieces.length > 0 || below.pieces.length > 0) return false
  const ratio = below.height / above.height
  const gap = below.top - above.bottom
  if (ratio < 0.75 || ratio > 1.34 || gap > 0.8 * below.height || gap < -0.5 * below.height) return false
  const centred = Math.abs((above.left + above.right - below.left - below.right) / 2) < 0.03
  if (!centred && Math.abs(above.left - below.left) > 0.05) return false
  if (BULLET.test(below.text) || /[.!?]$/u.test(above.text) || /^[^:]{2,40}:\s/u.test(below.text)) return false
  return OPEN_END.test(above.text) || (/^\p{Ll}/u.test(below.text) && above.right > 0.75 * widest)
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const joined = (above: Block, below: Block): Block => ({
  text: `${above.text} ${below.text}`,
  top: above.top,
  bottom: below.bottom,
  left: Math.min(above.left, below.left),
  right: Math.max(above.right, below.right),
  height: Math.max(above.height, below.height),
  confidence: Math.min(above.confidence, below.confidence),
  pieces: []
})

const edgesOf = (boxes: ReadonlyArray<TextLine["box"]>) => ({
  left: Math.min(...boxes.map(([left]) => left)),
  top: Math.min(...boxes.map(([, top]) => top)),
  right: Math.max(...boxes.map(([left, , width]) => left + width)),
  bottom: Math.max(...boxes.map(([, top, , height]) => top + height))
})

const boxWithin = ({ bottom, left, right, top }: ReturnType<typeof edgesOf>): TextLine["box"] => [
  left,
  top,
  right - left,
  bottom - top
]

/** Tells cells apart as the bars of a table do: a name or a number never runs on over one. An empty cell has its own. */
const BAR = " | "

/** Whether a cell leads on to the next by its own sign: an item's number or mark, a label's colon. */
const leads = (text: string): boolean => isBullet(text) || text.endsWith(":")

/** The cells of a row as one line. */
const rowOf = (cells: TableRow, lines: ReadonlyArray<TextLine>): Block => {
  const pieces: Array<Piece & { readonly at: number }> = []
  let text = ""
  cells.forEach((cell, place) => {
    if (place > 0) text += leads(text) ? " " : BAR
    cell.forEach((at, wrapped) => {
      const { box, confidence, text: said } = lines[at]!
      if (wrapped > 0) text += " "
      pieces.push({ from: text.length, to: text.length + said.length, box, confidence, at })
      text += said
    })
  })
  const boxes = pieces.map(({ box }) => box)
  return {
    text,
    ...edgesOf(boxes),
    height: median(boxes.map(([, , , height]) => height)),
    confidence: Math.min(...pieces.map(({ confidence }) => confidence)),
    pieces: cells.length < 2 ? [] : pieces.toSorted((a, b) => a.at - b.at)
  }
}

/** The pieces of a line that a stretch of its text touches, in the order in which they are read. */
const touched = ({ pieces = [] }: ScreenLine, from: number, to: number): ReadonlyArray<Piece> =>
  pieces.filter((piece) => piece.from < Math.max(to, from + 1) && from < piece.to)

/** Where a stretch of a line stands: in its own cell where it is one's alone. */
export const boxOfText = (line: ScreenLine, from: number, to: number): TextLine["box"] => {
  const own = touched(line, from, to)
  return own.length === 0 ? line.box : boxWithin(edgesOf(own.map(({ box }) => box)))
}

/**
 * A stretch of a line as it stands on the screen, which has no bars between cells. Lines of wrapped cells come in the order in which they
 * are read: only so a reader of the frame finds them again.
 */
export const shownText = (line: ScreenLine, from: number, to: number): string => {
  const own = touched(line, from, to)
  if (own.length < 2) return line.text.slice(from, to)
  const inOrder = own.every((piece, at) => at === 0 || own[at - 1]!.from < piece.from)
  return own.map((piece) =>
    inOrder
      ? line.text.slice(Math.max(from, piece.from), Math.min(to, piece.to))
      : line.text.slice(piece.from, piece.to)
  ).join(" ")
}

/** Heights of a line without tails or tall letters, or with neither, in those of a line with both: common text faces, to 0.05. */
const TALL_ONLY = 0.75
const TAILED_ONLY = 0.75
const NEITHER = 0.55

/** The size of a line's type: its measured box ends where its own letters do. */
const typeSize = ({ height, text }: Block): number => {
  const tall = /[\p{Lu}\dbdfhijklt!?()[\]/|$€£%&]/u.test(text)
  const tailed = /[gjpqyQ,;()[\]/|$]/u.test(text)
  return height / (tall ? (tailed ? 1 : TALL_ONLY) : tailed ? TAILED_ONLY : NEITHER)
}

/** Type is larger than other type from this factor on: boxes of one size differ by less. */
const LARGER = 1.15

const headingOf = (blocks: ReadonlyArray<Block>): Block | undefined => {
  const named = blocks.filter((block) =>
    block.pieces.length === 0 && /\p{L}{3}/u.test(block.text) && block.top < 0.6 && block.text.split(" ").length <= 14
  )
  const largest = named.toSorted((a, b) => b.height - a.height || a.top - b.top)[0]
  const highest = named.toSorted((a, b) => a.top - b.top)[0]
  // Of two that head columns the left one: neither is above the other.
  const topmost = named.filter((block) => block.top < highest!.top + highest!.height / 2)
    .toSorted((a, b) => a.left - b.left || a.top - b.top)[0]
  if (largest === undefined || topmost === undefined) return undefined
  const others = blocks.filter((block) => block !== largest)
  const standsOut = [({ height }: Block) => height, typeSize].every((sizeOf) =>
    sizeOf(largest) >= LARGER * median(others.map(sizeOf))
  )
  return others.length === 0 || standsOut ? largest : topmost
}

/** Where rows of tables come among the lines: with their first cell, and those of tables beside each other with the first cell of all. */
const placesOfRows = (lines: ReadonlyArray<TextLine>) => {
  const groups = tablesOn(lines).flatMap(({ beside, rows }) => beside ? [rows] : rows.map((row) => [row]))
  return {
    inRows: new Set(groups.flat(3)),
    startingAt: new Map(groups.map((rows) => [Math.min(...rows.flat(2)), rows]))
  }
}

/** The text lines of one frame in reading order, wrapped ones joined by a single space and the cells of a table's row by bars. */
export const joinWrappedLines = (lines: ReadonlyArray<TextLine>): ReadonlyArray<ScreenLine> => {
  const blocks: Array<Block> = []
  // How far the lines of one column reach: what ends well before has not run out of room.
  const widest = (left: number): number =>
    Math.max(0, ...lines.filter(({ box }) => Math.abs(box[0] - left) < 0.05).map(({ box }) => box[0] + box[2]))
  const { inRows, startingAt } = placesOfRows(lines)
  for (const [at, { box: [left, top, width, height], confidence, text }] of lines.entries()) {
    for (const row of startingAt.get(at) ?? []) blocks.push(rowOf(row, lines))
    if (inRows.has(at) || text.trim() === "") continue
    const block = { text, top, bottom: top + height, left, right: left + width, height, confidence, pieces: [] }
    const above = blocks.at(-1)
    if (above !== undefined && continues(above, block, widest(left))) blocks[blocks.length - 1] = joined(above, block)
    else blocks.push(block)
  }
  const heading = headingOf(blocks)
  return blocks.map((block) => ({
    text: block.text,
    top: block.top,
    page_top: block.top,
    left: block.left,
    height: block.height,
    box: boxWithin(block),
    confidence: block.confidence,
    pieces: block.pieces.length > 0 ? block.pieces : undefined,
    heading: block === heading
  }))
}
