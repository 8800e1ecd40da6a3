import { SAMPLE_RATE } from "../../workers/speech/dsp/FeatureExtractor.ts"

/** A sound that nobody speaks in, made by a formula: the same name gives the same samples on every machine. */
export interface MadeSound {
  readonly name: string
  /** Which family it belongs to; a family is either learned from or tested on, never both. */
  readonly family: string
  readonly samples: Float32Array
}

type Wave = (t: number, n: number) => number

/** xorshift32 (Marsaglia 2003), uniform in [-1, 1). */
const uniform = (seed: number) => {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 31 - 1
  }
}

const TURN = 2 * Math.PI
const sine = (hertz: number, t: number) => Math.sin(TURN * hertz * t)

const white = (seed: number): Wave => uniform(seed)

/** Voss-McCartney: rows of noise that change at halving rates. */
const pink = (seed: number): Wave => {
  const next = uniform(seed)
  const rows = new Float64Array(12)
  return (_, n) => {
    for (let row = 0; row < rows.length; row++) if (n % 2 ** row === 0) rows[row] = next()
    return rows.reduce((sum, x) => sum + x, 0) / 6
  }
}

const brown = (seed: number): Wave => {
  const next = uniform(seed)
  let level = 0
  return () => level = 0.998 * level + 0.06 * next()
}

/** Two poles at `hertz`, `width` wide: what a room, a drum skin or a throat makes of an excitation. */
const resonance = (hertz: number, width: number) => {
  const radius = Math.exp((-Math.PI * width) / SAMPLE_RATE)
  const a = 2 * radius * Math.cos((TURN * hertz) / SAMPLE_RATE)
  let [x, y] = [0, 0]
  return (input: number) => {
    const out = (1 - radius) * input + a * x - radius * radius * y
    ;[x, y] = [out, x]
    return out
  }
}

/** Harmonics with falling strength, `bend` moves the pitch by a share. */
const harmonic = (count: number, fall: number, phase: number) => {
  let sum = 0
  for (let k = 1; k <= count; k++) sum += Math.sin(k * phase) / k ** fall
  return sum
}

/** Notes one after the other; each is given its own time since it was struck. */
const melody = (
  notes: ReadonlyArray<number>,
  seconds: number,
  voice: (since: number, phase: number) => number,
  bend: (t: number) => number = () => 1
): Wave => {
  let phase = 0
  return (t) => {
    const hertz = notes[Math.floor(t / seconds) % notes.length]!
    phase += (TURN * hertz * bend(t)) / SAMPLE_RATE
    return hertz === 0 ? 0 : voice(t % seconds, phase)
  }
}

const vibrato = (t: number) => 1 + 0.008 * sine(5.5, t)
const struck = (decay: number) => (since: number) => Math.min(1, since / 0.004) * Math.exp(-since * decay)
const blown = (since: number) => Math.min(1, since / 0.06)

const chord = (notes: ReadonlyArray<number>, voice: (hertz: number) => Wave): Wave => {
  const voices = notes.map(voice)
  return (t, n) => voices.reduce((sum, wave) => sum + wave(t, n), 0) / notes.length
}

/** A hit every `period` seconds, `offset` later, as a decaying sound of its own. */
const hits = (period: number, offset: number, sound: (since: number, n: number) => number): Wave => (t, n) =>
  t < offset ? 0 : sound((t - offset) % period, n)

const sum = (...waves: ReadonlyArray<Wave>): Wave => (t, n) => waves.reduce((all, wave) => all + wave(t, n), 0)
const times = (wave: Wave, envelope: (t: number) => number): Wave => (t, n) => wave(t, n) * envelope(t)

/** Bursts at random moments, `rate` per second, each a decaying piece of the same noise. */
const bursts = (seed: number, rate: number, decay: number, hertz: number, width: number): Wave => {
  const next = uniform(seed)
  const body = resonance(hertz, width)
  let level = 0
  return () => {
    if ((next() + 1) / 2 < rate / SAMPLE_RATE) level += 1
    level *= Math.exp(-decay / SAMPLE_RATE)
    return body(level * next()) * 4
  }
}

const vowels: ReadonlyArray<ReadonlyArray<number>> = [[730, 1090, 2440], [570, 840, 2410], [300, 870, 2240]]

/** A held vowel of a singing machine: pulses through three formants, with vibrato. */
const sung = (notes: ReadonlyArray<number>, seconds: number, vowel: ReadonlyArray<number>): Wave => {
  const throat = vowel.map((hertz, i) => resonance(hertz, 70 + 30 * i))
  const source = melody(notes, seconds, (since, phase) => blown(since) * harmonic(30, 1, phase), vibrato)
  return (t, n) => {
    const pulse = source(t, n)
    return throat.reduce((all, formant) => all + formant(pulse), 0) * 6
  }
}

const dtmf: ReadonlyArray<readonly [number, number]> = [[697, 1209], [770, 1336], [852, 1477], [941, 1209], [697, 1477]]

const kick = (since: number) => Math.exp(-since * 14) * Math.sin(TURN * (50 * since + 4 * (1 - Math.exp(-since * 30))))

const families = (seed: number): Readonly<Record<string, Readonly<Record<string, Wave>>>> => {
  const shift = 1 + 0.13 * (seed - 1)
  const scale = [262, 294, 330, 349, 392, 440, 494, 523].map((hertz) => hertz * shift)
  const tune = [0, 2, 4, 7, 4, 5, 2, 0].map((i) => scale[i]!)
  return {
    noise: { white: white(seed), pink: pink(seed), brown: brown(seed) },
    weather: {
      wind: times(brown(seed + 1), (t) => 0.6 + 0.4 * sine(0.23 * shift, t)),
      rain: sum(bursts(seed, 200, 900, 3000 * shift, 2500), times(white(seed + 2), () => 0.02)),
      waves: times(pink(seed + 3), (t) => Math.max(0.05, sine(0.12 * shift, t)) ** 2)
    },
    crowd: {
      applause: bursts(seed + 4, 60, 150, 1200 * shift, 900),
      "a few claps": bursts(seed + 5, 5, 90, 1100 * shift, 700),
      typing: bursts(seed + 6, 7, 400, 2500 * shift, 1500),
      steps: hits(0.55 / shift, 0.1, (since) => kick(since * 1.5))
    },
    machines: {
      "mains hum": (t) => harmonic(8, 1.5, TURN * 50 * t),
      engine: times((t) => harmonic(20, 0.8, TURN * 38 * shift * t), (t) => 0.8 + 0.2 * sine(9, t)),
      fan: sum(times(pink(seed + 7), () => 0.7), (t) => 0.2 * harmonic(4, 1, TURN * 118 * shift * t)),
      "beeping monitor": (t) => t % 1 < 0.12 ? sine(960 * shift, t) : 0,
      clicks: (t) => t % 0.5 < 0.001 ? 1 : 0
    },
    signals: {
      tone: (t) => sine(440 * shift, t),
      "low tone": (t) => sine(140 * shift, t),
      chirp: (t) => Math.sin(TURN * 120 * shift * (2 ** (t % 4) - 1) / Math.LN2),
      siren: (t) => Math.sin(TURN * (700 * t - (250 / (TURN * 0.5)) * Math.cos(TURN * 0.5 * t))),
      dialling: (t) => {
        const [low, high] = dtmf[Math.floor(t / 0.2) % dtmf.length]!
        return t % 0.2 < 0.12 ? (sine(low, t) + sine(high, t)) / 2 : 0
      },
      ringback: (t) => t % 3 < 1.2 ? (sine(440, t) + sine(480, t)) / 2 : 0,
      modem: melody([1200, 2200, 1200, 1200, 2200, 1200, 2200, 2200], 1 / 75, (_, phase) => Math.sin(phase))
    },
    birds: {
      robin: (t) => t % 0.7 < 0.18 ? Math.sin(TURN * (3200 * shift * t + 30 * Math.sin(TURN * 28 * t))) : 0,
      owl: (t) => t % 1.4 < 0.4 ? Math.sin(TURN * (390 * shift * t + 3 * Math.sin(TURN * 3 * t))) : 0,
      "barking dog": (t) =>
        t % 0.8 < 0.16 ? harmonic(14, 0.6, TURN * (420 * (t % 0.8) - 600 * (t % 0.8) ** 2) * shift) : 0
    },
    keys: {
      piano: melody(tune, 0.3, (since, phase) => struck(4)(since) * harmonic(8, 1.2, phase)),
      "low piano": melody(
        tune.map((hertz) => hertz / 3),
        0.45,
        (since, phase) => struck(3)(since) * harmonic(14, 1, phase)
      ),
      "piano chords": chord(
        [1, 1.26, 1.5],
        (ratio) =>
          melody(
            tune.map((hertz) => hertz * ratio / 2),
            0.8,
            (since, phase) => struck(2)(since) * harmonic(8, 1.2, phase)
          )
      ),
      organ: chord(
        [131, 165, 196, 262].map((hertz) => hertz * shift),
        (hertz) => (t) => harmonic(6, 0.8, TURN * hertz * t)
      )
    },
    strings: {
      violin: melody(tune, 0.6, (since, phase) => blown(since) * harmonic(12, 1, phase), vibrato),
      cello: melody(
        tune.map((hertz) => hertz / 4),
        0.7,
        (since, phase) => blown(since) * harmonic(24, 0.9, phase),
        vibrato
      ),
      swell: chord(
        [262, 330, 392].map((hertz) => hertz * shift),
        (hertz) => (t) => Math.sin(Math.PI * 0.5 * t) ** 2 * harmonic(8, 1, TURN * hertz * t + 2 * sine(5, t))
      )
    },
    winds: {
      trumpet: melody(tune, 0.35, (since, phase) => blown(since) * harmonic(16, 0.6, phase), vibrato),
      flute: sum(
        melody(tune.map((hertz) => 2 * hertz), 0.4, (since, phase) => blown(since) * harmonic(3, 2, phase), vibrato),
        times(white(seed + 8), () => 0.03)
      ),
      saxophone: melody(
        tune.map((hertz) => hertz / 2),
        0.5,
        (since, phase) => blown(since) * (harmonic(20, 0.8, phase) + 0.3 * Math.sin(3 * phase)),
        (t) => vibrato(t) * (1 + 0.02 * sine(0.7, t))
      )
    },
    drums: {
      beat: sum(
        hits(0.5, 0, kick),
        times(hits(1, 0.5, (since) => Math.exp(-since * 18)), () => 1),
        times(bursts(seed + 9, 8, 120, 6000, 3000), () => 0.5)
      ),
      "drums and bass": sum(
        hits(0.5, 0, kick),
        bursts(seed + 10, 4, 60, 200 * shift, 90),
        melody(
          [55, 55, 65, 82].map((hertz) => hertz * shift),
          0.25,
          (since, phase) => struck(6)(since) * harmonic(6, 1.3, phase)
        )
      )
    },
    voices: {
      "sung ah": sung(tune.map((hertz) => hertz / 2), 1.2, vowels[0]!),
      "sung oh": sung(tune.map((hertz) => hertz / 2), 0.8, vowels[1]!),
      "sung oo": sung(tune.map((hertz) => hertz / 1.5), 1.5, vowels[2]!),
      choir: chord([1, 1.26, 1.5], (ratio) => sung(tune.map((hertz) => hertz * ratio / 2.5), 2, vowels[0]!))
    }
  }
}

/** Loudest sample of a sound, and how often each is made: at home, over the telephone, next door. */
const LEVELS = [-3, -20, -40]

/** Every sound at every level, `seconds` long, in a fixed order. Seeds differ in pitch, tempo and noise. */
export const makeSounds = (seconds: number, seed = 1, levels: ReadonlyArray<number> = LEVELS): Array<MadeSound> =>
  levels.flatMap((level) =>
    Object.entries(families(seed)).flatMap(([family, waves]) =>
      Object.entries(waves).map(([name, wave]) => {
        const raw = Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, n) => wave(n / SAMPLE_RATE, n))
        const peak = raw.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9)
        const gain = 10 ** (level / 20) / peak
        return { name: `${name} at ${level} dB`, family, samples: raw.map((x) => x * gain) }
      })
    )
  )
