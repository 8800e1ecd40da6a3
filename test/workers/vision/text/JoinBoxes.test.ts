import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { joinBoxes } from "../../../../workers/vision/text/JoinBoxes.ts"
import type { TextBox } from "../../../../workers/vision/text/TextBox.ts"

const box = (left: number, right: number, y: number, height = 40): TextBox => ({
  x: (left + right) / 2,
  y,
  width: right - left,
  height,
  angle: 0,
  score: 0.9
})

const down = (x: number, top: number, bottom: number): TextBox => ({
  x,
  y: (top + bottom) / 2,
  width: 40,
  height: bottom - top,
  angle: 0,
  score: 0.9
})

describe("joinBoxes", () => {
  it("joins the pieces of one line, in whatever order they come, into the line's extent", () => {
    const pieces = [box(10, 210, 50), box(200, 400, 52), box(405, 600, 49)]
    fc.assert(fc.property(fc.shuffledSubarray(pieces, { minLength: 3 }), (shuffled) => {
      const joined = joinBoxes(shuffled)
      expect(joined).toHaveLength(1)
      expect(joined[0]!.x - joined[0]!.width / 2).toBeCloseTo(10)
      expect(joined[0]!.x + joined[0]!.width / 2).toBeCloseTo(600)
      expect(joined[0]!.y - joined[0]!.height / 2).toBeCloseTo(29)
      expect(joined[0]!.y + joined[0]!.height / 2).toBeCloseTo(72)
    }))
  })

  it("leaves neighbouring lines, columns and type of another size alone", () => {
    const apart = [box(10, 300, 50), box(10, 300, 86), box(330, 600, 50), box(605, 900, 50, 90)]
    expect(joinBoxes(apart)).toEqual(apart)
  })

  it("keeps lines that run down beside each other apart, and joins the pieces of one", () => {
    const apart = [down(100, 50, 650), down(160, 50, 600), down(220, 50, 400)]
    expect(joinBoxes(apart)).toEqual(apart)
    const [joined, ...others] = joinBoxes([down(100, 50, 300), down(101, 295, 650)])
    expect(others).toEqual([])
    expect(joined!.y - joined!.height / 2).toBeCloseTo(50)
    expect(joined!.y + joined!.height / 2).toBeCloseTo(650)
  })
})
