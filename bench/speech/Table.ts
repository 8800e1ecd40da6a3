/** A table as it is printed: rows of cells under titles. */
export interface Table {
  readonly titles: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** Pads every column to its widest cell, numbers on the right; with `markdown` it can be pasted into a card. */
export const printed = ({ rows, titles }: Table, markdown: boolean): string => {
  const widths = titles.map((title, i) =>
    Math.max(...[title, ...rows.map((row) => row[i]!)].map((cell) => cell.length))
  )
  const numeric = titles.map((_, i) => rows.some((row) => /^\d/u.test(row[i]!)))
  const line = (cells: ReadonlyArray<string>) => {
    const padded = cells.map((cell, i) => numeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))
    return markdown ? `| ${padded.join(" | ")} |` : padded.join("  ").trimEnd()
  }
  const rule = widths.map((width, i) => markdown && numeric[i] ? `${"-".repeat(width - 1)}:` : "-".repeat(width))
  return [line(titles), line(rule), ...rows.map(line)].join("\n")
}
