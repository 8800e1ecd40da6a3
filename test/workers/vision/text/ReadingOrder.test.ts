import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Placed, readingOrder } from "../../../../workers/vision/text/ReadingOrder.ts"

const line = (text: string, left: number, top: number, width = 200, height = 40): Placed => ({
  text,
  left,
  top,
  width,
  height
})
const texts = (lines: ReadonlyArray<Placed>) => readingOrder(lines).map(({ text }) => text)

const rows = (cells: ReadonlyArray<ReadonlyArray<string>>, lefts: ReadonlyArray<number>) =>
  cells.flatMap((row, r) => row.map((cell, c) => line(cell, lefts[c]!, 100 + r * 70, cell.length * 14)))

const anyLine = fc.record({
  text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  left: fc.integer({ min: 0, max: 1200 }),
  top: fc.integer({ min: 0, max: 700 }),
  width: fc.integer({ min: 2, max: 600 }),
  height: fc.integer({ min: 2, max: 90 })
})

const sorted = (lines: ReadonlyArray<Placed>) => lines.map((one) => JSON.stringify(one)).toSorted()

describe("readingOrder", () => {
  it("gives every line back exactly once", () => {
    fc.assert(fc.property(fc.array(anyLine, { maxLength: 40 }), (lines) => {
      expect(sorted(readingOrder(lines))).toEqual(sorted(lines))
    }))
  })

  it("does not depend on the order in which the lines come", () => {
    const shuffles = fc.array(anyLine, { maxLength: 25 }).chain((lines) =>
      fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length }))
    )
    fc.assert(fc.property(shuffles, ([lines, shuffled]) => {
      expect(readingOrder(shuffled)).toEqual(readingOrder(lines))
    }))
  })

  it("reads one column from top to bottom", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 300 }), (count, indent) => {
      const lines = Array.from(
        { length: count },
        (_, i) => line(`line ${i}`, i % 2 === 0 ? 80 : 80 + indent, i * 60, 700)
      )
      expect(texts(lines.toReversed())).toEqual(lines.map(({ text }) => text))
    }))
  })

  it("reads two columns of prose one after the other, between their heading and their footer", () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 2, max: 8 }), (left, right) => {
      const first = Array.from({ length: left }, (_, i) => line(`left ${"abcdefgh"[i]}`, 80, 200 + i * 50, 400))
      const second = Array.from({ length: right }, (_, i) => line(`right ${"abcdefgh"[i]}`, 680, 210 + i * 50, 400))
      const heading = line("heading", 80, 40, 1000, 60)
      const footer = line("footer", 80, 680, 1000, 30)
      const expected = [heading, ...first, ...second, footer].map(({ text }) => text)
      expect(texts([footer, ...second, heading, ...first])).toEqual(expected)
    }))
  })

  it("keeps a short heading and a short footer out of the left of two cards", () => {
    expect(texts([
      line("Home plan", 130, 260, 280),
      line("$4 per month", 130, 380, 343),
      line("Family plan", 730, 260, 300),
      line("$7 per month", 730, 380, 343),
      line("Prices", 80, 66, 224, 64),
      line("The first days are free.", 80, 600, 517)
    ])).toEqual(["Prices", "Home plan", "$4 per month", "Family plan", "$7 per month", "The first days are free."])
  })

  it("reads labels with values, and numbers with their text, row by row", () => {
    expect(texts([
      line("Walking", 80, 100),
      line("5 km/h", 600, 102),
      line("Cycling", 80, 180),
      line("15 km/h", 600, 182)
    ])).toEqual(["Walking", "5 km/h", "Cycling", "15 km/h"])
    expect(texts([
      line("1.", 80, 100, 40),
      line("First step", 300, 102),
      line("2.", 80, 180, 40),
      line("Second step", 300, 182)
    ])).toEqual(["1.", "First step", "2.", "Second step"])
    expect(texts([
      line("Name:", 80, 100),
      line("Ada", 600, 102),
      line("Place:", 80, 180),
      line("Room four", 600, 182)
    ])).toEqual(["Name:", "Ada", "Place:", "Room four"])
  })

  const sheet = [
    ["Model number", "AQ7-2210-BK"],
    ["Weight", "254 g"],
    ["Battery life (noise cancelling)", "32 hours"],
    ["Colour", "Midnight black"],
    ["Finish", "Matt"],
    ["Frequency response", "20 Hz - 40 kHz"],
    ["Warranty", "2 years"]
  ]

  it("reads labels row by row where most of their values are numbers or codes, below a heading and above a list", () => {
    const cells = rows(sheet, [90, 560])
    const list = ["In the box", "Carry case", "Cable"].map((text, i) => line(text, 90, 590 + i * 50, 150))
    const heading = line("Specifications", 60, 50, 240, 42)
    expect(texts([...list, ...cells.toReversed(), heading]))
      .toEqual(["Specifications", ...sheet.flat(), "In the box", "Carry case", "Cable"])
    for (const first of [0, 1, 2]) {
      const shown = sheet.slice(first, first + 2)
      expect(texts(rows(shown, [90, 560]))).toEqual(shown.flat())
    }
  })

  it("reads labels with a colon row by row below a heading that has none", () => {
    const cells = [["Name:", "Ada"], ["Place:", "Room four"]]
    expect(texts([line("Contact", 80, 30), ...rows(cells, [80, 600])])).toEqual(["Contact", ...cells.flat()])
  })

  it("reads lists of words beside each other one after the other", () => {
    const lists = [["For", "Against"], ["Fast", "Noisy"], ["Cheap", "Heavy"], ["Lasts 8 years", "Needs water"]]
    expect(texts(rows(lists, [90, 560]))).toEqual([...lists.map(([one]) => one), ...lists.map(([, one]) => one)])
  })

  it("reads a table of values and a grid of labels row by row", () => {
    const table = [["Item", "2025", "2026", "Change"], ["Home plan", "$4.10", "$5.20", "+27%"], [
      "Family",
      "$7",
      "$9",
      "+29%"
    ]]
    expect(texts(rows(table, [90, 520, 760, 1000]).toReversed())).toEqual(table.flat())
    const grid = [["Q1", "Berlin", "Step 3"], ["Q2", "Rome", "Step 4"], ["Q3", "Oslo", "Step 5"]]
    expect(texts(rows(grid, [100, 500, 900]).toReversed())).toEqual(grid.flat())
  })

  it("reads three cards of prose one after the other", () => {
    const cards = [0, 1, 2].map((row) => ["a", "b", "c"].map((card) => `card ${card} in row ${row}`))
    const byCard = [0, 1, 2].flatMap((card) => cards.map((row) => row[card]!))
    expect(texts(rows(cards, [90, 500, 900]))).toEqual(byCard)
  })
})
