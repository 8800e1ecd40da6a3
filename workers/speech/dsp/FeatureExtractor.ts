import { makePowerSpectra } from "./Fft.ts"

export const SAMPLE_RATE = 16_000
/** Samples between two feature frames: 10 ms. */
export const HOP = 160
export const MEL_BINS = 80

const FFT_SIZE = 512
const WINDOW = 400
const PRE_EMPHASIS = 0.97
const LOG_GUARD = 2 ** -24
const STD_GUARD = 1e-5

/** Features of one stretch of sound, row-major `[bins, frames]`. */
export interface LogMel {
  readonly data: Float32Array
  readonly frames: number
}

/** Slaney's scale: linear below 1 kHz, logarithmic above (Auditory Toolbox, 1998). */
const melOf = (hz: number) => hz < 1000 ? (3 * hz) / 200 : 15 + (27 * Math.log(hz / 1000)) / Math.log(6.4)
const hertzOf = (mel: number) => mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp((Math.log(6.4) / 27) * (mel - 15))

/** A triangle over the spectrum's bins `[from, from + weights.length)`, of unit area in Hz. */
interface MelFilter {
  readonly from: number
  readonly weights: Float64Array
}

const makeFilters = (bins: number): ReadonlyArray<MelFilter> => {
  const top = melOf(SAMPLE_RATE / 2)
  const edges = Array.from({ length: bins + 2 }, (_, i) => hertzOf((top * i) / (bins + 1)))
  return Array.from({ length: bins }, (_, i) => {
    const [lower, centre, upper] = [edges[i]!, edges[i + 1]!, edges[i + 2]!]
    const row = Array.from({ length: FFT_SIZE / 2 + 1 }, (_, k) => {
      const hz = (k * SAMPLE_RATE) / FFT_SIZE
      return Math.max(0, Math.min((hz - lower) / (centre - lower), (upper - hz) / (upper - centre))) *
        (2 / (upper - lower))
    })
    const from = row.findIndex((weight) => weight > 0)
    const to = row.findLastIndex((weight) => weight > 0)
    return { from, weights: Float64Array.from(row.slice(from, to + 1)) }
  })
}

const known = new Map<number, ReadonlyArray<MelFilter>>()
const filtersOf = (bins: number): ReadonlyArray<MelFilter> => {
  const filters = known.get(bins) ?? makeFilters(bins)
  known.set(bins, filters)
  return filters
}
/** Symmetric Hann window of 400 points in the middle of the 512. */
const window = Float64Array.from({ length: FFT_SIZE }, (_, n) => {
  const at = n - (FFT_SIZE - WINDOW) / 2
  return at < 0 || at >= WINDOW ? 0 : 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / (WINDOW - 1))
})
const powerSpectra = makePowerSpectra(FFT_SIZE)

/**
 * Raw log-mel features of 16 kHz mono samples in [-1, 1): `1 + floor(samples / 160)` frames of 80 bins, or as many as a
 * network wants, exactly as `models/training/FEATURES.md` defines them, computed in float64. It is NeMo's recipe without dither
 * (`AudioToMelSpectrogramPreprocessor` and its `FilterbankFeatures`, nemo/collections/asr/parts/preprocessing/features.py).
 */
export const logMel = (samples: Float32Array, bins: number = MEL_BINS): LogMel => {
  const frames = 1 + Math.floor(samples.length / HOP)
  const filters = filtersOf(bins)
  const data = new Float32Array(bins * frames)
  const a = new Float64Array(FFT_SIZE)
  const b = new Float64Array(FFT_SIZE)
  const powerA = new Float64Array(FFT_SIZE / 2 + 1)
  const powerB = new Float64Array(FFT_SIZE / 2 + 1)

  const fill = (frame: Float64Array, t: number) => {
    const from = t * HOP - FFT_SIZE / 2
    for (let n = 0; n < FFT_SIZE; n++) {
      const i = from + n
      frame[n] = i < 0 || i >= samples.length
        ? 0
        : (samples[i]! - (i === 0 ? 0 : PRE_EMPHASIS * samples[i - 1]!)) * window[n]!
    }
  }
  const write = (power: Float64Array, t: number) => {
    for (let m = 0; m < bins; m++) {
      const { from, weights } = filters[m]!
      let sum = LOG_GUARD
      for (let k = 0; k < weights.length; k++) sum += weights[k]! * power[from + k]!
      data[m * frames + t] = Math.log(sum)
    }
  }

  for (let t = 0; t < frames; t += 2) {
    fill(a, t)
    fill(b, t + 1)
    powerSpectra(a, b, powerA, powerB)
    write(powerA, t)
    if (t + 1 < frames) write(powerB, t + 1)
  }
  return { data, frames }
}

/** The frames `[from, to)` of features, clamped to what is there. */
export const sliceFrames = ({ data, frames }: LogMel, from: number, to: number): LogMel => {
  const first = Math.max(0, Math.min(frames, from))
  const count = Math.max(0, Math.min(frames, to) - first)
  const out = new Float32Array(MEL_BINS * count)
  for (let m = 0; m < MEL_BINS; m++) out.set(data.subarray(m * frames + first, m * frames + first + count), m * count)
  return { data: out, frames: count }
}

/** Every bin brought to mean 0 and deviation 1 over the stretch (n - 1 in the variance), as the recogniser wants it. */
export const normalise = ({ data, frames }: LogMel, bins: number = MEL_BINS): LogMel => {
  const out = new Float32Array(data.length)
  for (let m = 0; m < bins; m++) {
    const row = data.subarray(m * frames, (m + 1) * frames)
    let mean = 0
    for (const value of row) mean += value
    mean /= frames
    let squares = 0
    for (const value of row) squares += (value - mean) ** 2
    const scale = 1 / (Math.sqrt(squares / Math.max(1, frames - 1)) + STD_GUARD)
    for (let t = 0; t < frames; t++) out[m * frames + t] = (row[t]! - mean) * scale
  }
  return { data: out, frames }
}
