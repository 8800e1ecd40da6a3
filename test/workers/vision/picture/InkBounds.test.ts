import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { inkBounds } from "../../../../workers/vision/picture/InkBounds.ts"
import type { Picture, Rectangle } from "../../../../workers/vision/picture/Picture.ts"

const size = { width: 300, height: 120 }
const ink: Rectangle = { left: 100, top: 40, width: 90, height: 24 }

const withInk = (ground: number, value: number): Picture => {
  const rgb = new Uint8Array(size.width * size.height * 3).fill(ground)
  for (let y = ink.top; y < ink.top + ink.height; y++) {
    // Strokes of 4 pixels, 4 apart: half of the line is ground.
    for (let x = ink.left; x < ink.left + ink.width; x++) {
      if ((x - ink.left) % 8 < 4) rgb.fill(value, (y * size.width + x) * 3, (y * size.width + x) * 3 + 3)
    }
  }
  return { ...size, rgb }
}

describe("inkBounds", () => {
  it("finds the same ink and the same crop whichever rectangle around it was given", () => {
    const margins = fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 1, max: 9 })))
    const grounds = fc.constantFrom([250, 30], [20, 220], [120, 200])
    fc.assert(fc.property(margins, grounds, ([left, top, right, bottom], [ground, value]) => {
      const around = {
        left: ink.left - left!,
        top: ink.top - top!,
        width: ink.width + left! + right!,
        height: ink.height + top! + bottom!
      }
      const found = inkBounds(withInk(ground!, value!), around)
      expect(found.ink).toEqual({ left: 100, top: 40, width: 90, height: 24 })
      expect(found.crop).toEqual({ left: 94, top: 34, width: 90 + 12, height: 24 + 12 })
    }))
  })

  it("leaves a rectangle alone in which ink is everywhere, or hardly any", () => {
    const around = { left: 100, top: 40, width: 80, height: 20 }
    const noise = Uint8Array.from({ length: size.width * size.height * 3 }, (_, i) => ((i * 2654435761) >>> 13) & 255)
    expect(inkBounds({ ...size, rgb: noise }, around)).toEqual({ ink: around, crop: around })
    const plain = new Uint8Array(size.width * size.height * 3).fill(200)
    expect(inkBounds({ ...size, rgb: plain }, around)).toEqual({ ink: around, crop: around })
  })
})
