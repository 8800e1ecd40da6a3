import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { captionsOf } from "../../../bench/vision/Clips.ts"
import { readScore, sumOf } from "../../../bench/vision/ReadScores.ts"

describe("readScore", () => {
  it("counts wrong characters of the nearest line, all of a line that was not read, and what nobody wrote", () => {
    const score = readScore(["Revenue 42", "Europe", "Risks"], ["Revenue 43", "Risks", "zzzzzzzz"])
    expect(score).toEqual({
      pictures: 1,
      lines: 3,
      exact: 1,
      extra: 1,
      characters: 21,
      wrong_characters: 7,
      ordered: 1
    })
  })

  it("takes each line that was read for one true line only", () => {
    expect(readScore(["Step 1", "Step 2"], ["Step 1"]).wrong_characters).toBe(6)
  })

  it("notices another order, and sums", () => {
    const turned = readScore(["one line", "another"], ["another", "one line"])
    expect(turned.ordered).toBe(0)
    expect(sumOf(turned, turned)).toMatchObject({ pictures: 2, lines: 4, exact: 4, ordered: 0 })
  })
})

describe("captionsOf", () => {
  it("reads the times and lines of a WebVTT file", () => {
    const folder = mkdtempSync(join(tmpdir(), "footnote-captions-"))
    const file = join(folder, "a.vtt")
    writeFileSync(
      file,
      "WEBVTT\n\n1\n00:00:01.500 --> 00:01:02.000\nFirst,\nsecond.\n\n00:02.000 --> 00:03.250\nThird\n"
    )
    expect(captionsOf(file)).toEqual([
      { t_start: 1.5, t_end: 62, lines: ["First,", "second."] },
      { t_start: 2, t_end: 3.25, lines: ["Third"] }
    ])
    rmSync(folder, { recursive: true })
  })
})
