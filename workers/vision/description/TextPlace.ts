/** One line of text; `left`, `top`, `width` and `height` are fractions of the frame. */
export interface SeenLine {
  readonly text: string
  readonly confidence: number
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const tuning = {
  /** A title is in the upper part and larger than the other lines by what equal type varies. */
  title_top: 0.6,
  title_size: 1.15,
  title_words: 14,
  /** Captions and names stand in the lowest third. */
  bottom: 0.66,
  /** Rows that must lie side by side before columns are spoken of: one is as well a date beside a page number. */
  column_rows: 2,
  most_columns: 4
} as const

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The line that names a frame: the largest in its upper part where one stands out, otherwise the topmost. */
export const titleOf = (lines: ReadonlyArray<SeenLine>): string | undefined => {
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

const centre = ({ height, top }: SeenLine): number => top + height / 2

/** Into how many columns the lines are set; lines of one row have their centres within half a line of each other. */
const columnsOf = (lines: ReadonlyArray<SeenLine>): number => {
  const rows: Array<Array<SeenLine>> = []
  for (const line of lines.toSorted((a, b) => centre(a) - centre(b) || a.left - b.left)) {
    const row = rows.at(-1)
    if (row !== undefined && centre(line) - centre(row[0]!) < row[0]!.height / 2) row.push(line)
    else rows.push([line])
  }
  const sizes = rows.map(({ length }) => length).filter((size) => size > 1)
  return sizes.length < tuning.column_rows ? 1 : median(sizes)
}

/** Where text stands, as the end of a sentence: “ at the bottom”, “ in 2 columns”, or nothing where neither is plain. */
export const placeOf = (lines: ReadonlyArray<SeenLine>): string => {
  if (lines.length > 0 && lines.every(({ top }) => top >= tuning.bottom)) return " at the bottom"
  const columns = columnsOf(lines)
  return columns > 1 && columns <= tuning.most_columns ? ` in ${columns} columns` : ""
}
