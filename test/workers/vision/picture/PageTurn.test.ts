import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { onPage, type Turn, turnOfPage } from "../../../../workers/vision/picture/PageTurn.ts"

const line = (turn: Turn, length: number) => ({ turn, text: "x".repeat(length) })

describe("turnOfPage", () => {
  it("follows most of the characters, and is upright without any and in a tie", () => {
    expect(turnOfPage([])).toBe(0)
    expect(turnOfPage([line(180, 5), line(0, 5)])).toBe(0)
    expect(turnOfPage([line(0, 5), line(90, 3), line(90, 3)])).toBe(90)
    expect(turnOfPage([line(270, 9), line(0, 8)])).toBe(270)
  })
})

describe("onPage", () => {
  it("puts what a page turned by that much shows at the left of a line's end before it", () => {
    const picture = { width: 400, height: 300 }
    const first = {
      0: { left: 0, top: 0, width: 10, height: 5 },
      90: { left: 395, top: 0, width: 5, height: 10 },
      180: { left: 390, top: 295, width: 10, height: 5 },
      270: { left: 0, top: 290, width: 5, height: 10 }
    }
    for (const turn of [0, 90, 180, 270] as const) {
      expect(onPage(first[turn], picture, turn)).toEqual({ left: 0, top: 0, width: 10, height: 5 })
    }
  })

  it("keeps rectangles inside of the turned picture", () => {
    const rectangle = fc.record({
      left: fc.integer({ min: 0, max: 200 }),
      top: fc.integer({ min: 0, max: 200 }),
      width: fc.integer({ min: 1, max: 200 }),
      height: fc.integer({ min: 1, max: 100 })
    })
    fc.assert(fc.property(rectangle, fc.constantFrom<Turn>(0, 90, 180, 270), (place, turn) => {
      const { height, left, top, width } = onPage(place, { width: 400, height: 300 }, turn)
      const [across, down] = turn % 180 === 0 ? [400, 300] : [300, 400]
      expect(left).toBeGreaterThanOrEqual(0)
      expect(top).toBeGreaterThanOrEqual(0)
      expect(left + width).toBeLessThanOrEqual(across)
      expect(top + height).toBeLessThanOrEqual(down)
      expect(width * height).toBe(place.width * place.height)
    }))
  })
})
