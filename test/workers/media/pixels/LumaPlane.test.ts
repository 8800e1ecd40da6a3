import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { analysisSize, makeLumaReducer, makeSquareReducer } from "../../../../workers/media/pixels/LumaPlane.ts"

const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length

describe("LumaPlane", () => {
  it("turns the analysis plane for portrait pictures", () => {
    assert.deepStrictEqual(analysisSize(1280, 720), { width: 320, height: 180 })
    assert.deepStrictEqual(analysisSize(720, 1280), { width: 180, height: 320 })
  })

  it("weighs every pixel of any size: a flat grey stays flat, from black at 16 to white at 235", () => {
    const side = fc.integer({ min: 1, max: 700 })
    fc.assert(
      fc.property(side, side, fc.nat(255), (width, height, grey) => {
        const size = analysisSize(width, height)
        const plane = new Uint8Array(size.width * size.height)
        makeLumaReducer(width, height, size)(new Uint8Array(width * height).fill(grey), plane)
        const luma = Math.round(Math.max(0, Math.min(255, ((grey - 16) * 255) / 219)))
        assert.isTrue(plane.every((value) => value === luma))
      }),
      { numRuns: 25 }
    )
  })

  it("averages exactly four pixels into one at twice the size, and looks at nothing behind the luma", () => {
    const frame = new Uint8Array(640 * 360 * 1.5).fill(255, 640 * 360).fill(16, 0, 640 * 360)
    for (const [x, y, luma] of [[0, 0, 56], [1, 0, 96], [0, 1, 136], [1, 1, 176]] as const) frame[y * 640 + x] = luma
    const plane = new Uint8Array(320 * 180)
    makeLumaReducer(640, 360, { width: 320, height: 180 })(frame, plane)
    assert.strictEqual(plane[0], Math.round((100 * 255) / 219))
    assert.strictEqual(plane[1], 0)
    assert.isTrue(plane.subarray(1).every((value) => value === 0))
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
