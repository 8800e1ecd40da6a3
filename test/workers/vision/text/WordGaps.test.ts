import { describe, expect, it } from "vitest"
import type { Picture } from "../../../../workers/vision/picture/Picture.ts"
import { inkGaps, repairSpaces } from "../../../../workers/vision/text/WordGaps.ts"

/** A 48 pixel high line with solid strokes in the given columns. */
const drawn = (width: number, strokes: ReadonlyArray<readonly [from: number, to: number]>, dark: boolean): Picture => {
  const rgb = new Uint8Array(width * 48 * 3).fill(dark ? 20 : 240)
  for (const [from, to] of strokes) {
    for (let y = 8; y < 40; y++) rgb.fill(dark ? 230 : 30, (y * width + from) * 3, (y * width + to) * 3)
  }
  return { width, height: 48, rgb }
}

const characters = (placed: ReadonlyArray<readonly [text: string, step: number]>) =>
  placed.map(([text, step]) => ({ text, step, probability: 1 }))

describe("inkGaps", () => {
  it("gives the columns between strokes, on light and on dark ground, also where a stroke fills the whole height", () => {
    for (const dark of [false, true]) {
      expect(inkGaps(drawn(200, [[20, 40], [45, 52], [80, 120]], dark))).toEqual([
        { from: 40, to: 45 },
        { from: 52, to: 80 }
      ])
    }
  })

  it("gives nothing for a texture", () => {
    const rgb = Uint8Array.from({ length: 120 * 48 * 3 }, (_, i) => (i * 7919) % 251)
    expect(inkGaps({ width: 120, height: 48, rgb })).toEqual([])
  })
})

describe("repairSpaces", () => {
  const letters = [{ from: 20, to: 24 }, { from: 44, to: 48 }, { from: 90, to: 94 }]

  it("puts a space where the picture has the gap of a word and the recogniser gave none", () => {
    const read = characters([["a", 1], ["b", 4], ["c", 10], ["d", 13]])
    expect(repairSpaces(read, 8, [letters[0]!, { from: 44, to: 70 }, letters[2]!], 48)).toBe("ab cd")
  })

  it("adds none to spaces that were read, to even spacing, nor beside the signs inside of names and addresses", () => {
    const spaced = characters([["a", 1], [" ", 4], ["b", 10]])
    expect(repairSpaces(spaced, 8, [{ from: 20, to: 46 }], 48)).toBe("a b")
    const even = characters([["T", 1], ["I", 5], ["P", 9], ["S", 13]])
    const gaps = [{ from: 15, to: 40 }, { from: 47, to: 72 }, { from: 79, to: 104 }]
    expect(repairSpaces(even, 8, gaps, 48)).toBe("TIPS")
    const address = characters([["w", 1], [".", 4], ["g", 10], ["h", 13]])
    expect(repairSpaces(address, 8, [letters[0]!, { from: 40, to: 70 }, letters[2]!], 48)).toBe("w.gh")
  })

  it("follows the spaces that were read: a gap like theirs is one, a narrower one is not", () => {
    const read = characters([["a", 1], [" ", 2], ["b", 4], ["c", 7], ["d", 10]])
    const gaps = [{ from: 16, to: 26 }, { from: 44, to: 53 }, { from: 70, to: 75 }]
    expect(repairSpaces(read, 8, gaps, 48)).toBe("a b cd")
  })

  it("adds no space inside of numbers and addresses, nor before closing signs", () => {
    const wide = [{ from: 20, to: 44 }, { from: 44, to: 68 }, { from: 90, to: 91 }]
    for (const [first, sign, last] of [["0", ".", "1"], ["9", ":", "4"], ["1", ",", "2"], ["f", "(", "x"]] as const) {
      expect(repairSpaces(characters([[first, 1], [sign, 4], [last, 8]]), 8, [wide[1]!, wide[2]!], 48)).toBe(
        first + sign + last
      )
    }
    expect(repairSpaces(characters([["x", 1], [")", 4]]), 8, [wide[0]!, wide[2]!], 48)).toBe("x)")
    expect(repairSpaces(characters([["a", 1], [":", 4], ["7", 8]]), 8, [wide[1]!, wide[2]!], 48)).toBe("a: 7")
  })
})
