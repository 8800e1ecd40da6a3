import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { logMel, MEL_BINS, normalise, sliceFrames } from "../../../../workers/speech/dsp/FeatureExtractor.ts"
import { makePowerSpectra } from "../../../../workers/speech/dsp/Fft.ts"

interface Golden {
  readonly pcm: ReadonlyArray<number>
  readonly shape: readonly [number, number]
  readonly log_mel: ReadonlyArray<ReadonlyArray<number>>
  readonly normalised: ReadonlyArray<ReadonlyArray<number>>
}

const golden: Golden = JSON.parse(
  readFileSync(new URL("../../../../models/training/golden-features.json", import.meta.url), "utf8")
)
const features = logMel(Float32Array.from(golden.pcm, (sample) => sample / 32768))

const furthest = (data: Float32Array, rows: ReadonlyArray<ReadonlyArray<number>>) =>
  rows.flat().reduce((most, value, i) => Math.max(most, Math.abs(value - data[i]!)), 0)

const mel = (hz: number) => hz < 1000 ? 3 * hz / 200 : 15 + 27 * Math.log(hz / 1000) / Math.log(6.4)
const hertz = (m: number) => m < 15 ? 200 * m / 3 : 1000 * 6.4 ** ((m - 15) / 27)

describe("FeatureExtractor", () => {
  it("computes the log-mel features that the models were trained on, within 1e-3", () => {
    assert.deepStrictEqual([MEL_BINS, features.frames], [...golden.shape])
    assert.isBelow(furthest(features.data, golden.log_mel), 1e-3)
  })

  it("computes 128 bins as a plain Fourier sum and Slaney's triangles give them, within 1e-4", () => {
    const samples = Float32Array.from({ length: 1200 }, (_, n) => 0.4 * Math.sin(n * n / 700) + 0.1 * Math.cos(n / 3))
    const edges = Array.from({ length: 130 }, (_, i) => hertz(mel(8000) * i / 129))
    const heard = Array.from(samples, (one, n) => n === 0 ? one : one - 0.97 * samples[n - 1]!)
    const rows: Array<Array<number>> = Array.from({ length: 128 }, () => [])
    for (let t = 0; t < 8; t++) {
      const frame = Array.from(
        { length: 512 },
        (_, n) =>
          n < 56 || n > 455 ? 0 : (heard[160 * t + n - 256] ?? 0) * (0.5 - 0.5 * Math.cos(2 * Math.PI * (n - 56) / 399))
      )
      const power = Array.from({ length: 257 }, (_, k) => {
        let [re, im] = [0, 0]
        for (const [n, one] of frame.entries()) {
          re += one * Math.cos(2 * Math.PI * k * n / 512)
          im -= one * Math.sin(2 * Math.PI * k * n / 512)
        }
        return re * re + im * im
      })
      for (const [m, row] of rows.entries()) {
        const [low, mid, high] = [edges[m]!, edges[m + 1]!, edges[m + 2]!]
        row[t] = Math.log(power.reduce((sum, one, k) => {
          const hz = 31.25 * k
          return sum +
            one * Math.max(0, Math.min((hz - low) / (mid - low), (high - hz) / (high - mid))) * 2 / (high - low)
        }, 2 ** -24))
      }
    }
    const found = logMel(samples, 128)
    assert.strictEqual(found.frames, 8)
    assert.isBelow(furthest(found.data, rows), 1e-4)
  })

  it("normalises them as the training does, within 1e-3", () => {
    assert.isBelow(furthest(normalise(features).data, golden.normalised), 1e-3)
  })

  it("gives one frame per 10 ms and one more, also for no sound at all", () => {
    for (const [samples, frames] of [[0, 1], [159, 1], [160, 2], [16_000, 101]] as const) {
      assert.strictEqual(logMel(new Float32Array(samples)).frames, frames)
    }
  })

  it("stays finite where a bin never changes", () => {
    const { data } = normalise(logMel(new Float32Array(4000)))
    assert.isTrue(data.every((value) => Number.isFinite(value)))
  })

  it("cuts out frames, clamped to what is there", () => {
    const part = sliceFrames(features, 3, 1000)
    assert.strictEqual(part.frames, features.frames - 3)
    assert.strictEqual(part.data[part.frames], features.data[features.frames + 3])
    assert.strictEqual(sliceFrames(features, 40, 20).frames, 0)
  })
})

describe("makePowerSpectra", () => {
  it("equals the definition of the discrete Fourier transform for any two signals", () => {
    const size = 32
    const signal = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: size, maxLength: size })
    const spectra = makePowerSpectra(size)
    const slow = (x: ReadonlyArray<number>, k: number) => {
      const turn = (f: (angle: number) => number) =>
        x.reduce((sum, value, n) => sum + value * f((2 * Math.PI * k * n) / size), 0)
      return turn(Math.cos) ** 2 + turn(Math.sin) ** 2
    }
    fc.assert(fc.property(signal, signal, (a, b) => {
      const [powerA, powerB] = [new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)]
      spectra(Float64Array.from(a), Float64Array.from(b), powerA, powerB)
      for (let k = 0; k <= size / 2; k++) {
        assert.closeTo(powerA[k]!, slow(a, k), 1e-9)
        assert.closeTo(powerB[k]!, slow(b, k), 1e-9)
      }
    }))
  })

  it("refuses a size that is no power of two", () => {
    assert.throws(() => makePowerSpectra(400), RangeError)
  })
})
