import { assert } from "@effect/vitest"

export const RATE = 16_000

/** A tone of 0.3 full scale between two moments, as the decoder's generator language says it. */
export const tone = (from: number, to: number, hertz = 440) => `0.3*sin(${hertz}*2*PI*t)*between(t\\,${from}\\,${to})`
export const lavfi = (expressions: ReadonlyArray<string>, seconds: number, layout: string, rate = 48_000) => [
  "-f",
  "lavfi",
  "-i",
  `aevalsrc=${expressions.join("|")}:c=${layout}:s=${rate}:d=${seconds}`
]

/** Loudest sample between two moments, of 1. */
export const peak = (pcm: Int16Array, from: number, to: number): number =>
  pcm.subarray(from * RATE, to * RATE).reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 32_768

/** When something can be heard first and last, in seconds, to 10 ms. */
export const heardFrom = (pcm: Int16Array): readonly [number, number] => {
  const loud = Array.from({ length: Math.floor(pcm.length / 160) }, (_, i) => peak(pcm, i / 100, (i + 1) / 100) > 0.03)
  return [loud.indexOf(true) / 100, (loud.lastIndexOf(true) + 1) / 100]
}

export const near = (actual: readonly [number, number], from: number, to: number, slack = 0.06) => {
  assert.approximately(actual[0], from, slack)
  assert.approximately(actual[1], to, slack)
}

/** A WAV file by hand: what no encoder writes. */
export const wav = (
  format: number,
  channels: number,
  rate: number,
  bits: number,
  data: Buffer,
  claimed = data.length
) => {
  const head = Buffer.alloc(44)
  head.write("RIFF", 0, "latin1")
  head.writeUInt32LE(claimed === 0xffff_ffff ? 0xffff_ffff : Math.max(0, 36 + claimed), 4)
  head.write("WAVEfmt ", 8, "latin1")
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(format, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE((rate * channels * bits) / 8, 28)
  head.writeUInt16LE((channels * bits) / 8, 32)
  head.writeUInt16LE(bits, 34)
  head.write("data", 36, "latin1")
  head.writeUInt32LE(claimed, 40)
  return Buffer.concat([head, data])
}

export const s16 = (seconds: number, sample: (t: number) => number, rate = RATE) => {
  const bytes = Buffer.alloc(2 * Math.round(seconds * rate))
  for (let n = 0; 2 * n < bytes.length; n++) {
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(32_767 * sample(n / rate)))), 2 * n)
  }
  return bytes
}
export const beep = (from: number, to: number) => (t: number) =>
  t >= from && t < to ? 0.3 * Math.sin(2 * Math.PI * 440 * t) : 0

export const PCM = 1
export const FLOAT = 3
