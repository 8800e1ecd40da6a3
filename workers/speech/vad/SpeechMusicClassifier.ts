import { makePowerSpectra } from "../dsp/Fft.ts"

/** 64 ms: the harmonics of a low voice stand seven bins apart, so that a note that stays is told from one that glides. */
const SIZE = 1024
const STEP = 256
/** Frames between the two spectra that are compared, 96 ms: a held note is still there, a spoken vowel has moved on. */
const LAG = 6
/** Bins on either side that make up the envelope. */
const ENVELOPE = 8
/** Bins looked at: 60 Hz to 3.5 kHz. Above, harmonics drown in noise. */
const FIRST_BIN = 4
const BINS = 224
/** A sound with less than this share of its energy in those bins is a whistle or a hiss, above any voice. */
const VOICE_SHARE = 0.05
/** Frames quieter than this share of a stretch say nothing about it. */
const QUIET_SHARE = 0.4

const window = Float64Array.from({ length: SIZE }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / SIZE))
const powerSpectra = makePowerSpectra(SIZE)

interface Frame {
  /** Unit vector of what stands out of the spectrum's envelope: the partials. */
  readonly partials: Float64Array
  readonly energy: number
  /** Of the bins above those that are looked at. */
  readonly above: number
}

const frameOf = (power: Float64Array): Frame => {
  const log = Float64Array.from({ length: BINS + ENVELOPE }, (_, k) => Math.log(power[k]! + 1e-7))
  const sums = new Float64Array(log.length + 1)
  for (let k = 0; k < log.length; k++) sums[k + 1] = sums[k]! + log[k]!
  const partials = new Float64Array(BINS)
  let [squares, energy] = [0, 0]
  for (let k = FIRST_BIN; k < BINS; k++) {
    const from = Math.max(0, k - ENVELOPE)
    const to = Math.min(log.length, k + ENVELOPE + 1)
    // Troughs are where the noise is and say nothing.
    partials[k] = Math.max(0, log[k]! - (sums[to]! - sums[from]!) / (to - from))
    squares += partials[k]! ** 2
    energy += power[k]!
  }
  const norm = Math.sqrt(squares) + 1e-9
  for (let k = FIRST_BIN; k < BINS; k++) partials[k]! /= norm
  let above = 0
  for (let k = BINS; k < power.length; k++) above += power[k]!
  return { partials, energy, above }
}

const framesOf = (samples: Float32Array): Array<Frame> => {
  const count = Math.max(0, 1 + Math.floor((samples.length - SIZE) / STEP))
  const frames: Array<Frame> = []
  const [a, b] = [new Float64Array(SIZE), new Float64Array(SIZE)]
  const [powerA, powerB] = [new Float64Array(SIZE / 2 + 1), new Float64Array(SIZE / 2 + 1)]
  for (let t = 0; t < count; t += 2) {
    for (let n = 0; n < SIZE; n++) {
      a[n] = samples[t * STEP + n]! * window[n]!
      b[n] = t + 1 < count ? samples[(t + 1) * STEP + n]! * window[n]! : 0
    }
    powerSpectra(a, b, powerA, powerB)
    frames.push(frameOf(powerA))
    if (t + 1 < count) frames.push(frameOf(powerB))
  }
  return frames
}

/**
 * How much of the partials stays where it is for 96 ms, over the louder frames: 0 (noise) to 1 (a held tone). Music moves
 * in steps and speech glides, which tells them apart in mixtures too (the idea of continuous frequency activation,
 * Seyerlehner, Pohle, Schedl and Widmer 2007). 1 also for what lies above any voice, 0
 * for less than 160 ms of sound.
 */
export const heldPartials = (samples: Float32Array): number => {
  const frames = framesOf(samples)
  const [voice, above] = frames.reduce(([a, b], frame) => [a + frame.energy, b + frame.above], [0, 0])
  if (voice < VOICE_SHARE * (voice + above)) return 1
  const energies = frames.map(({ energy }) => energy).toSorted((a, b) => a - b)
  const loud = energies[Math.min(energies.length - 1, Math.floor(QUIET_SHARE * energies.length))] ?? 0
  let [sum, count] = [0, 0]
  for (let t = 0; t + LAG < frames.length; t++) {
    const [now, then] = [frames[t]!, frames[t + LAG]!]
    if (now.energy < loud || then.energy < loud) continue
    for (let k = FIRST_BIN; k < BINS; k++) sum += now.partials[k]! * then.partials[k]!
    count++
  }
  return count === 0 ? 0 : sum / count
}

/** The weights that tell speech from music and other sound which the detector takes for speech. */
export interface SpeechMusicWeights {
  readonly bias: number
  /** Of the detector's mean probability over the stretch. */
  readonly sure: number
  /** Of `heldPartials`. */
  readonly held: number
  /** A stretch less likely than this is not speech. */
  readonly least: number
}

/** How likely it is that a stretch is speech: logistic beside a straight boundary between both features. */
export const speechMusicScore = (
  { bias, held, sure }: SpeechMusicWeights,
  meanProbability: number,
  heldShare: number
): number => 1 / (1 + Math.exp(-(bias + sure * meanProbability + held * heldShare)))
