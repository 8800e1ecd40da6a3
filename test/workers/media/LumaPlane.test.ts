import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { analysisSize, makeLumaReducer, makeSquareReducer } from "../../../workers/media/LumaPlane.ts"

const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length

describe("LumaPlane", () => {
  it("turns the analysis plane for portrait pictures", () => {
    assert.deepStrictEqual(analysisSize(1280, 720), { width: 320, height: 180 })
    assert.deepStrictEqual(analysisSize(720, 1280), { width: 180, height: 320 })
  })

  it("weighs every pixel of any size: a flat colour stays flat at its luma", () => {
    const side = fc.integer({ min: 1, max: 700 })
    const channel = fc.nat(255)
    fc.assert(
      fc.property(side, side, channel, channel, channel, (width, height, r, g, b) => {
        const size = analysisSize(width, height)
        const rgb = new Uint8Array(width * height * 3)
        for (let i = 0; i < rgb.length; i += 3) rgb.set([r, g, b], i)
        const plane = new Uint8Array(size.width * size.height)
        makeLumaReducer(width, height, size)(rgb, plane)
        const luma = Math.floor((77 * r + 150 * g + 29 * b) / 256)
        assert.isTrue(plane.every((value) => value === luma))
      }),
      { numRuns: 25 }
    )
  })

  it("averages exactly four pixels into one at four times the size", () => {
    const rgb = new Uint8Array(640 * 360 * 3)
    const pixel = (x: number, y: number, value: number) => rgb.fill(value, (y * 640 + x) * 3, (y * 640 + x) * 3 + 3)
    pixel(0, 0, 40)
    pixel(1, 0, 80)
    pixel(0, 1, 120)
    pixel(1, 1, 160)
    const plane = new Uint8Array(320 * 180)
    makeLumaReducer(640, 360, { width: 320, height: 180 })(rgb, plane)
    assert.strictEqual(plane[0], 100)
    assert.strictEqual(plane[1], 0)
  })

  it("keeps the mean when the plane becomes the hashed square", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 320, maxLength: 320 }), fc.boolean(), (column, portrait) => {
        const size = portrait ? { width: 180, height: 320 } : { width: 320, height: 180 }
        const plane = new Uint8Array(size.width * size.height).map((_, i) => column[i % column.length]!)
        const square = new Uint8Array(1024)
        makeSquareReducer(size)(plane, square)
        assert.approximately(mean(square), mean(plane), 0.5)
      }),
      { numRuns: 25 }
    )
  })
})
