import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findTextRegions } from "../../../../workers/vision/text/TextRegions.ts"

const columns = 160
const rows = 96

/** A probability map that is 0.9 wherever `inside` says so. */
const mapOf = (inside: (x: number, y: number) => boolean, probability = 0.9): Float32Array =>
  Float32Array.from(
    { length: columns * rows },
    (_, i) => inside(i % columns, Math.floor(i / columns)) ? probability : 0.02
  )

describe("findTextRegions", () => {
  it("finds a rectangle where it is, grown by the margin that the network cut off", () => {
    fc.assert(fc.property(
      fc.integer({ min: 20, max: 60 }),
      fc.integer({ min: 20, max: 50 }),
      fc.integer({ min: 4, max: 70 }),
      fc.integer({ min: 4, max: 20 }),
      (left, top, width, height) => {
        const boxes = findTextRegions(
          mapOf((x, y) => x >= left && x < left + width && y >= top && y < top + height),
          columns,
          rows
        )
        expect(boxes).toHaveLength(1)
        const margin = (width * height * 1.6) / (2 * (width + height))
        expect(boxes[0]!.x).toBeCloseTo(left + width / 2)
        expect(boxes[0]!.y).toBeCloseTo(top + height / 2)
        expect(boxes[0]!.width).toBeCloseTo(width + 2 * margin)
        expect(boxes[0]!.height).toBeCloseTo(height + 2 * margin)
        expect(boxes[0]!.angle).toBe(0)
      }
    ))
  })

  it("follows a line of text that is tilted by a few degrees", () => {
    const angle = (5 * Math.PI) / 180
    const boxes = findTextRegions(
      mapOf((x, y) => {
        const along = (x + 0.5 - 80) * Math.cos(angle) + (y + 0.5 - 48) * Math.sin(angle)
        const across = (y + 0.5 - 48) * Math.cos(angle) - (x + 0.5 - 80) * Math.sin(angle)
        return Math.abs(along) <= 65 && Math.abs(across) <= 4
      }),
      columns,
      rows
    )
    expect(boxes).toHaveLength(1)
    expect(boxes[0]!.angle).toBeCloseTo(angle, 1)
    expect(boxes[0]!.x).toBeCloseTo(80, 0)
    expect(boxes[0]!.y).toBeCloseTo(48, 0)
  })

  it("keeps regions that do not touch apart and drops faint and tiny ones", () => {
    const two = mapOf((x, y) => y >= 10 && y < 20 && ((x >= 10 && x < 60) || (x >= 62 && x < 120)))
    expect(findTextRegions(two, columns, rows)).toHaveLength(2)
    expect(findTextRegions(mapOf((x, y) => x < 50 && y < 12, 0.5), columns, rows)).toEqual([])
    expect(findTextRegions(mapOf((x, y) => x < 3 && y < 30), columns, rows)).toEqual([])
  })
})
