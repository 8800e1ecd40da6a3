import { describe, expect, it } from "vitest"
import { joinWrappedLines } from "../../../../workers/extraction/text/ScreenLines.ts"
import { tablesOn } from "../../../../workers/extraction/text/TableRows.ts"

interface Line {
  readonly text: string
  readonly confidence: number
  readonly box: readonly [number, number, number, number]
}

/** Cells as a reader of pictures gives them: one box each, as wide as its text; two lines of a cell are parted by a slash. */
const boxes = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  lefts: ReadonlyArray<number>,
  top = 0.25,
  pitch = 0.12
): ReadonlyArray<Line> =>
  rows.flatMap((row, y) =>
    row.flatMap((cell, x) =>
      cell.split("/").flatMap((text, line) =>
        text === ""
          ? []
          : [{
            text,
            confidence: 0.97,
            box: [lefts[x]!, top + pitch * y + 0.05 * line, 0.012 * text.length, 0.035] as const
          }]
      )
    )
  )

const byColumn = (lines: ReadonlyArray<Line>) => lines.toSorted((a, b) => a.box[0] - b.box[0] || a.box[1] - b.box[1])
const read = (lines: ReadonlyArray<Line>) => joinWrappedLines(lines).map(({ text }) => text)

const headingOf = (lines: ReadonlyArray<Line>) => joinWrappedLines(lines).find(({ heading }) => heading)?.text

const tables: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["labels and amounts", ["Pea soup|£6.50", "Smoked trout|£8.00"]],
  ["numbers under a header", ["Team|P|Pts", "Owls|17|38", "Foxes|17|35"]],
  ["texts under names of attributes", [
    "Risk|Impact|Owner",
    "Crane slips|Medium|Carla Voss",
    "Storm|High|Nadia Petrov"
  ]],
  ["labels and values of any kind", ["Weight|1.2 kg", "Battery|10 hours", "Colour|Black"]],
  ["attributes and texts", ["Owner|Carla Voss", "Department|Research", "Location|Lyon"]],
  ["times and what is then", ["09:30|Varroa basics", "10:45|Winter feeding"]],
  ["amounts of years", ["Year|Revenue|Profit", "2023|$6.3m|$0.9m", "2024|$7.0m|$1.2m"]]
]

const apart: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["two lists", ["Pros|Cons", "Cheap|Noisy", "Light|Short cable", "Fast|Hot"]],
  ["lists with marks", ["Time|Place", "• 2 hours|• the mill", "• 3 hours|• the river"]],
  ["one list in two columns", ["Wear gloves|No running", "Tie back hair|No food", "Report spills|No open shoes"]],
  ["cards", ["Basic|Pro|Team", "$9|$19|$49", "1 user|5 users|20 users"]],
  ["properties in rows", ["Price|$9|$19|$49", "Users|1|5|20", "Storage|10 GB|50 GB|100 GB"]],
  ["labelled values in two columns", ["Name: Anna Bell|Date: 12 May", "Room: 204|Nights: 3", "Rate: €90|Guests: 2"]],
  ["figures over their captions", ["42%|3x", "more users|faster builds"]]
]

const lefts = [0.07, 0.4, 0.65, 0.85]
const gridOf = (rows: ReadonlyArray<string>) => boxes(rows.map((row) => row.split("|")), lefts)

describe("joinWrappedLines", () => {
  it.each(tables)("makes one line of each row of a table, however its cells were read: %s", (_, rows) => {
    const expected = rows.map((row) => row.replaceAll("|", " | "))
    expect(read(gridOf(rows))).toEqual(expected)
    expect(read(byColumn(gridOf(rows)))).toEqual(expected)
  })

  it.each(apart)("leaves apart what stands side by side and is read down: %s", (_, rows) => {
    expect(read(byColumn(gridOf(rows)))).toEqual(byColumn(gridOf(rows)).map(({ text }) => text))
  })

  it("keeps the place of an empty cell", () => {
    expect(
      read(boxes([["Name", "Hours", "Rate"], ["Anna", "38", "$20"], ["Tom", "", "$25"], ["Ivo", "12", ""]], lefts))
    )
      .toEqual(["Name | Hours | Rate", "Anna | 38 | $20", "Tom |  | $25", "Ivo | 12 | "])
  })

  it("joins the lines of a cell, and a label's or an item's own sign with what it leads to", () => {
    const lines = boxes([["Harbour", "Docks, cranes and/the lighthouse", "€15"], [
      "Castle",
      "The tower and/the garden",
      "€12"
    ]], lefts)
    expect(read(lines)).toEqual([
      "Harbour | Docks, cranes and the lighthouse | €15",
      "Castle | The tower and the garden | €12"
    ])
    expect(read(boxes([["Colour:", "Black"], ["Brand:", "Volta"]], lefts))).toEqual(["Colour: Black", "Brand: Volta"])
    expect(read(boxes([["1.", "Whisk the eggs"], ["2.", "Add the flour"]], [0.07, 0.13]))).toEqual([
      "1. Whisk the eggs",
      "2. Add the flour"
    ])
  })

  it("reads tables beside each other one after the other, each under its own heading", () => {
    const rows = [["Income", "", "Expenses", ""], ["Salary", "$4,000", "Rent", "$900"], [
      "Gifts",
      "$50",
      "Food",
      "$350"
    ]]
    expect(read(boxes(rows, [0.05, 0.3, 0.55, 0.8]))).toEqual([
      "Income",
      "Salary | $4,000",
      "Gifts | $50",
      "Expenses",
      "Rent | $900",
      "Food | $350"
    ])
  })

  it("takes no title, footer or sub-heading for a row", () => {
    const lines = [
      ...boxes([["Menu"], ["Starters"]], [0.07], 0.05, 0.12),
      ...boxes([["Pea soup", "£6.50"], ["Smoked trout", "£8.00"], ["Mains"], ["Nut roast", "£14.00"]], lefts),
      ...boxes([["Mill Lane Kitchen", "Page 3"]], [0.05, 0.9], 0.95)
    ]
    expect(read(lines)).toEqual([
      "Menu",
      "Starters",
      "Pea soup | £6.50",
      "Smoked trout | £8.00",
      "Mains",
      "Nut roast | £14.00",
      "Mill Lane Kitchen",
      "Page 3"
    ])
  })

  it("takes no row for a heading, nor a line whose letters alone are taller or that heads a right column", () => {
    expect(headingOf(gridOf(["Team|Points", "Owls|17", "Foxes|14"]))).toBeUndefined()
    // As fitted to their ink: "Cheap" has a tail, and "Cons" stands a hair higher.
    const ink: Readonly<Record<string, readonly [top: number, height: number]>> = {
      Pros: [0.251, 0.026],
      Cons: [0.25, 0.026],
      Cheap: [0.37, 0.035]
    }
    const lines = gridOf(["Pros|Cons", "Cheap|Noisy", "Light|Hot"]).map(
      ({ box: [left, top, width], confidence, text }): Line => {
        const [y, height] = ink[text] ?? [top, 0.027]
        return { text, confidence, box: [left, y, width, height] }
      }
    )
    expect(headingOf(lines)).toBe("Pros")
  })
})

describe("tablesOn", () => {
  it("reads a frame of thousands of lines in time that grows with their number", () => {
    const many = boxes(Array.from({ length: 2000 }, (_, at) => [`Item ${at}`, `£${at}`]), lefts, 0, 0.0004)
      .map(({ box: [left, top], confidence, text }) => ({ text, confidence, box: [left, top, 0.1, 0.0002] as const }))
    const started = performance.now()
    expect(tablesOn(many).flatMap(({ rows }) => rows)).toHaveLength(2000)
    expect(performance.now() - started).toBeLessThan(1500)
  })
})
