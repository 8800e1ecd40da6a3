import { describe, expect, it } from "vitest"
import { screenText } from "../../../../workers/vision/description/ScreenText.ts"

const kindOf = (lines: ReadonlyArray<string>) => screenText(lines).kind

describe("screenText", () => {
  it("takes prompts and what commands print for a terminal's", () => {
    expect(kindOf(["ada@mill:~/grain$ ls", "barley.csv wheat.csv", "old"])).toBe("terminal")
    expect(kindOf(["PS C:\\Users\\ada> dir", "Directory: C:\\Users", "Mode LastWriteTime"])).toBe("terminal")
    expect(kindOf(["$ cargo build", "Compiling grain v0.1.0", "Finished in 2.1 s"])).toBe("terminal")
    expect(kindOf(["2026-03-01T10:00:01 WARN queue: slow", "2026-03-01T10:00:02 INFO queue: ok"])).toBe(
      "terminal"
    )
  })

  it("takes statements for code's, in several languages", () => {
    expect(kindOf(["export const total = (rows) => {", "let sum = 0", "return sum", "}"])).toBe("code")
    expect(kindOf(["def mean(values):", "total = sum(values)", "return total / len(values)"])).toBe("code")
    expect(kindOf(["#include <stdio.h>", "int main(void) {", "puts(\"hello\");", "}"])).toBe("code")
  })

  it("calls many statements a listing, and not a formula on a slide", () => {
    const listing = ["let sum = 0", "for (const row of rows) {", "sum += row.price", "}", "return sum;", "total(rows)"]
    expect(screenText(listing)).toMatchObject({ kind: "code", listing: true })
    expect(screenText(["Speed", "speed = distance / time", "80 = 240 / 3"])).toMatchObject({
      kind: "code",
      listing: false
    })
    expect(screenText(["$ cat total.ts", ...listing]).listing).toBe(false)
  })

  it("finds no sign of code or a terminal in prose, labels, amounts and lists", () => {
    const lines = [
      "Battery life (noise cancelling on)",
      "AQ7-2210-BK",
      "20 Hz - 40 kHz",
      "· USB-C cable",
      "Bluetooth 5.3, 1/2 price",
      "Can I replace the ear pads? Yes, pads are sold separately for $29.",
      "Write to ada@mill.example or see mill.example/shop",
      "and/or: the “rest” (see below)",
      "Kitchen with Ingrid, 12.05.2026",
      "$249.00",
      "iPhone and YouTube: \"well done\", he said"
    ]
    for (const line of lines) expect([line, screenText([line]).signs]).toEqual([line, false])
    for (
      const line of ["return sum;", "total_rows", "rowCount", "git push --force", "/usr/lib/x", "<div>", "main.py"]
    ) {
      expect([line, screenText([line]).signs]).toEqual([line, true])
    }
  })

  it("says nothing of prose, of a single line, and of a listing between prompts", () => {
    expect(kindOf(["Photosynthesis", "Light becomes sugar", "Water is split", "Price: 4 dollars"])).toBeNull()
    expect(kindOf(["Write to ada@mill.example today", "or call us: 555 0100"])).toBeNull()
    expect(kindOf(["return sum;"])).toBeNull()
    expect(kindOf([])).toBeNull()
    expect(kindOf(["$ cat total.ts", "export const total = (rows) => {", "return sum;", "}"])).toBeNull()
  })
})
