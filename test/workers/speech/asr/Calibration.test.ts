import { describe, expect, it } from "vitest"
import { calibrated, calibrationIn } from "../../../../workers/speech/asr/Calibration.ts"

const measured = [[0.4, 0.3], [0.6, 0.5], [0.9, 0.95]] as const

describe("calibrated", () => {
  it("is what was measured, straight lines between, and level beyond", () => {
    expect([0, 0.4, 0.5, 0.6, 0.75, 0.9, 1].map((one) => Math.round(1000 * calibrated(measured, one)) / 1000)).toEqual(
      [0.3, 0.3, 0.4, 0.5, 0.725, 0.95, 0.95]
    )
  })

  it("is the confidence itself where nothing was measured", () => {
    expect(calibrated([], 0.42)).toBe(0.42)
    expect(calibrated([[0.5, 0.7]], 0.42)).toBe(0.7)
  })

  it("is taken from a stack's options only where they hold pairs of numbers", () => {
    expect(calibrationIn({ calibration: measured })).toEqual(measured)
    expect(calibrationIn({ calibration: [[0.4]] })).toBeNull()
    expect(calibrationIn({})).toBeNull()
  })
})
