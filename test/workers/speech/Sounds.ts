import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { findMediaTools } from "../../../workers/media/ffmpeg/Ffmpeg.ts"
import { SAMPLE_RATE } from "../../../workers/speech/dsp/FeatureExtractor.ts"
import type { PcmFile } from "../../../workers/speech/dsp/PcmFile.ts"

/** Sound in memory where the lane reads a file. */
export const pcmOf = (samples: Float32Array): PcmFile => ({
  samples: samples.length,
  seconds: samples.length / SAMPLE_RATE,
  read: (from, to) => Promise.resolve(samples.slice(from, to)),
  [Symbol.asyncDispose]: () => Promise.resolve()
})

const make = (seconds: number, sample: (t: number) => number) =>
  Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, n) => sample(n / SAMPLE_RATE))

const noise = (level: number) => {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return level * (state / 2 ** 31 - 1)
  }
}

/** Sounds that nobody speaks in. */
export const soundsWithoutSpeech: Readonly<Record<string, Float32Array>> = {
  silence: make(6, () => 0),
  "a faint hiss": make(6, noise(0.003)),
  "loud white noise": make(6, noise(0.3)),
  "a 440 Hz tone": make(6, (t) => 0.3 * Math.sin(2 * Math.PI * 440 * t)),
  "mains hum": make(6, (t) => 0.1 * Math.sin(2 * Math.PI * 50 * t) + 0.05 * Math.sin(2 * Math.PI * 150 * t)),
  "a chord that swells": make(
    6,
    (t) =>
      0.1 * Math.sin(Math.PI * t) ** 2 * [262, 330, 392].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * t), 0)
  ),
  clicks: make(6, (t) => t % 0.5 < 0.001 ? 0.8 : 0)
}

/** A file of this repository or beside it, or null with a printed reason where it is not here. */
export const fileBeside = (path: string): string | null => {
  const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url))
  if (existsSync(file)) return file
  process.stderr.write(`Skipped: what needs ${path}, because it is not here.\n`)
  return null
}

/** Any recording as raw 16 kHz mono s16le. */
export const decode = async (file: string): Promise<Buffer> => {
  const { ffmpeg } = await Effect.runPromise(findMediaTools)
  const { stdout } = await promisify(execFile)(
    ffmpeg,
    ["-v", "error", "-i", file, "-vn", "-ac", "1", "-ar", String(SAMPLE_RATE), "-f", "s16le", "-"],
    { encoding: "buffer", maxBuffer: 1e9 }
  )
  return stdout
}

export const samplesOf = (pcm: Buffer): Float32Array =>
  Float32Array.from({ length: pcm.length >> 1 }, (_, i) => pcm.readInt16LE(2 * i) / 32768)
