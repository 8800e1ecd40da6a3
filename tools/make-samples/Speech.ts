import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const SAMPLE_RATE = 16_000

/** Loudness that every sentence is brought to, as the root mean square of full scale: -20 dB. */
const LEVEL = 0.1

/** The samples of a mono 16-bit WAV file as numbers from -1 to 1. */
const samplesOf = (wav: Buffer): Float64Array => {
  if (wav.readUInt16LE(22) !== 1 || wav.readUInt32LE(24) !== SAMPLE_RATE) throw new Error("flite gave another format")
  const data = wav.indexOf("data") + 8
  return Float64Array.from(
    { length: Math.floor((wav.length - data) / 2) },
    (_, i) => wav.readInt16LE(data + 2 * i) / 32768
  )
}

const audible = (sample: number) => Math.abs(sample) > 0.004

/** One sentence in one of flite's voices, slightly slow, without the silence around it. */
export const speak = (text: string, voice: string, folder: string): Float64Array => {
  const file = join(folder, "sentence.wav")
  execFileSync("flite", ["-voice", voice, "--setf", "duration_stretch=1.15", "-t", text, "-o", file])
  const samples = samplesOf(readFileSync(file))
  const from = Math.max(0, samples.findIndex(audible) - 160)
  const spoken = samples.subarray(from, samples.findLastIndex(audible) + 160)
  const rms = Math.sqrt(spoken.reduce((sum, sample) => sum + sample * sample, 0) / spoken.length)
  return spoken.map((sample) => Math.max(-0.99, Math.min(0.99, (sample * LEVEL) / rms)))
}

/** Raw 16-bit little-endian samples. */
export const toPcm = (samples: Float64Array): Buffer => {
  const pcm = Buffer.alloc(samples.length * 2)
  samples.forEach((sample, i) => pcm.writeInt16LE(Math.round(sample * 32767), 2 * i))
  return pcm
}
