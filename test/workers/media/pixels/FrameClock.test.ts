import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { FrameClock } from "../../../../workers/media/pixels/FrameClock.ts"

const line = (begins: number) =>
  `0, ${String(begins).padStart(10)}, ${String(begins).padStart(10)},    33333,      384, 0xbadc8fcc\n`
const head =
  "#software: Lavf59.27.100\n#tb 0: 1/1000000\n#media_type 0: video\n#codec_id 0: rawvideo\n#dimensions 0: 16x16\n#sar 0: 1/1\n"

const times = fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 40 }).map((steps) => {
  let now = -steps[0]!
  return steps.map((step) => (now += step))
})

describe("FrameClock", () => {
  it("gives each half second the last picture that has begun by then, and the end the last of all", () => {
    fc.assert(fc.property(times, fc.integer({ min: 0, max: 4 }), (begins, first) => {
      const clock = new FrameClock(first)
      clock.read(head + begins.map(line).join(""))
      const samples = Math.max(1, Math.ceil(begins.at(-1)! / 500_000) - first + 2)
      const expected = Array.from(
        { length: samples },
        (_, n) => (begins.findLast((time) => time <= (first + n) * 500_000) ?? begins[0]!) / 1e6
      )
      assert.deepStrictEqual(clock.finish(samples), expected)
      assert.strictEqual(clock.first, begins[0]! / 1e6)
    }))
  })

  it("reads the list however it is cut, and nothing but pictures of it", () => {
    const text = head + line(0) + line(500_000) + "#tb 0: 1/1000000\n" + line(900_000)
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
      const clock = new FrameClock(0)
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      at.slice(1).forEach((end, i) => clock.read(text.slice(at[i], end)))
      assert.deepStrictEqual(clock.finish(3), [0, 0.5, 0.9])
    }))
  })

  it("counts half seconds where no picture tells its time", () => {
    assert.deepStrictEqual(new FrameClock(2).finish(3), [1, 1.5, 2])
  })
})
