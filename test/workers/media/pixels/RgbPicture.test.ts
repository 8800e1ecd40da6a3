import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { frameBytes, type FrameShape, rgbBytes, rgbPicture } from "../../../../workers/media/pixels/RgbPicture.ts"

/** ITU-R BT.601, BT.709 and BT.2020: shares of red and blue in luma. */
const standards = { none: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020nc: [0.2627, 0.0593] } as const

/** Luma and both colours of a colour in 0 to 1, in 8 bits of narrow range, as the recommendations write it. */
const coded = (name: keyof typeof standards, [r, g, b]: readonly [number, number, number]) => {
  const [kr, kb] = standards[name]
  const luma = kr * r + (1 - kr - kb) * g + kb * b
  return [
    16 + 219 * luma,
    128 + (224 * (b - luma)) / (2 * (1 - kb)),
    128 + (224 * (r - luma)) / (2 * (1 - kr))
  ].map(Math.round) as [number, number, number]
}

const rgbOf = (frame: Uint8Array, shape: FrameShape): Uint8Array => {
  const rgb = new Uint8Array(rgbBytes(shape.width, shape.height))
  rgbPicture(frame, shape, rgb)
  return rgb
}

describe("rgbPicture", () => {
  it("gives back the colours that were coded by the stream's own matrix, to what 8 bits allow", () => {
    const channel = fc.integer({ min: 0, max: 255 })
    const name = fc.constantFrom(...(["none", "bt709", "bt2020nc"] as const))
    fc.assert(fc.property(fc.tuple(channel, channel, channel), name, (colour, matrix) => {
      const [r, g, b] = colour
      const [luma, cb, cr] = coded(matrix, [r / 255, g / 255, b / 255])
      const rgb = rgbOf(Uint8Array.of(luma, luma, luma, luma, cb, cr), { width: 2, height: 2, matrix })
      assert.strictEqual(rgb.length, 12)
      for (let at = 0; at < 12; at++) assert.approximately(rgb[at]!, colour[at % 3]!, 2)
    }))
  })

  it("gives every byte of luma and colours the nearest colour that there is", () => {
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 255))
    const name = fc.constantFrom(...(["none", "bt709", "bt2020nc"] as const))
    fc.assert(fc.property(fc.tuple(byte, byte, byte), name, ([luma, cb, cr], matrix) => {
      const [kr, kb] = standards[matrix]
      const light = (luma - 16) / 219
      const r = light + (2 * (1 - kr) * (cr - 128)) / 224
      const b = light + (2 * (1 - kb) * (cb - 128)) / 224
      const g = (light - kr * r - kb * b) / (1 - kr - kb)
      const rgb = rgbOf(Uint8Array.of(luma, luma, luma, luma, cb, cr), { width: 2, height: 2, matrix })
      for (const [at, part] of [r, g, b].entries()) {
        assert.approximately(rgb[at]!, Math.min(255, Math.max(0, part * 255)), 1)
      }
    }))
  })

  it("keeps within a byte what lies outside of all colours, and gives each four pixels their own", () => {
    const frame = Uint8Array.of(255, 255, 0, 0, 255, 255, 0, 0, 128, 128, 255, 255)
    assert.strictEqual(frame.length, frameBytes(4, 2))
    const row = [255, 175, 255, 255, 175, 255, 184, 0, 0, 184, 0, 0]
    assert.deepStrictEqual([...rgbOf(frame, { width: 4, height: 2, matrix: null })], [...row, ...row])
  })
})
