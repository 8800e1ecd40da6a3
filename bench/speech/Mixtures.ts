/** xorshift32 (Marsaglia 2003), uniform in [-1, 1). */
const uniform = (seed: number) => {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 31 - 1
  }
}

const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / Math.max(1, samples.length)) + 1e-9

/** 10 dB below the speech. */
const UNDER = 10 ** (-10 / 20)
/** A far microphone turned down: -45 dB of full scale, two thirds of its sixteen bits are gone. */
const QUIET = 10 ** (-45 / 20)

/** Speech as it must still be heard: over white noise and over music 10 dB below it, and quiet at -45 dB. */
export const mixtures = (speech: Float32Array, music: Float32Array): Readonly<Record<string, Float32Array>> => {
  const own = loudness(speech)
  const noise = uniform(7)
  const musicGain = (own * UNDER) / loudness(music)
  return {
    "over noise": speech.map((x) => x + noise() * own * UNDER * Math.sqrt(3)),
    "over music": speech.map((x, n) => x + musicGain * music[(n + 160_000) % music.length]!),
    quiet: speech.map((x) => Math.round(((x * QUIET) / own) * 32768) / 32768)
  }
}
