/** One cell of a line, by its place in it. */
export interface Cell {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Wide gaps, tabs and bars, as tables have them: dashes and colons may as well stand inside a cell. */
const GAP = /\s{2,}|\t|\s*[|·•]\s*/gu

/** The cells of a line, in order; empty ones count as well. */
export const cellsOf = (text: string): ReadonlyArray<Cell> => {
  const gaps = [...text.matchAll(GAP)]
  return [...gaps, null].map((gap, at) => {
    const before = gaps[at - 1]
    const from = before === undefined ? 0 : before.index + before[0].length
    const to = gap === null ? text.length : gap.index
    return { from, to, text: text.slice(from, to) }
  })
}
