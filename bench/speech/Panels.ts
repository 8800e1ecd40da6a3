import { SAMPLE_RATE } from "../../workers/speech/dsp/FeatureExtractor.ts"
import type { Interval } from "../../workers/speech/dsp/Interval.ts"
import type { Turn } from "./SpeakerErrors.ts"
import { spokenTime } from "./SpokenTime.ts"

export interface Utterance {
  readonly speaker: string
  readonly samples: Float32Array
  /** Where it is spoken in, seconds, if something better is known than how loud it is. */
  readonly spoken?: ReadonlyArray<Interval> | undefined
}

/** A conversation put together from recordings of single people, and who speaks when in it. */
export interface Panel {
  readonly samples: Float32Array
  readonly seconds: number
  /** Where somebody is heard, by aligned words or the loudness of the clean recordings (see `spokenTime`). */
  readonly turns: ReadonlyArray<Turn>
  /** Whole turns, silence and pauses included: the strictest reading. */
  readonly spans: ReadonlyArray<Turn>
  readonly speakers: number
}

export interface PanelOptions {
  readonly speakers: number
  readonly seed: number
  /** A turn's length is drawn evenly on a logarithmic scale between these. */
  readonly turn_seconds?: readonly [number, number]
  /** No turn begins after this many seconds. */
  readonly panel_seconds?: number
  /** Pink noise this far below the speech, in decibels. */
  readonly noise_decibels?: number
  /** Every speaker is quieter by up to this many decibels. */
  readonly level_decibels?: number
}

const GAP_SECONDS = [0.2, 1.2] as const
const LEAST_TURNS = 2
/** A cut within an utterance is put at the quietest moment this close to where it should be. */
const CUT_REACH_SECONDS = 0.4
const seconds = (samples: Float32Array) => samples.length / SAMPLE_RATE

/** Numbers in [0, 1) that a seed decides (mulberry32). */
const draws = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), state | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }
}

const shuffled = <A>(items: ReadonlyArray<A>, draw: () => number): Array<A> =>
  items.map((item) => ({ item, key: draw() })).toSorted((a, b) => a.key - b.key).map(({ item }) => item)

/**
 * A panel of people drawn from those who speak long enough, or undefined when there are too few. No second of a
 * recording is heard twice, nobody follows themselves, everybody speaks at least twice. The same utterances and options
 * give the same panel.
 */
export const composePanel = (utterances: ReadonlyArray<Utterance>, options: PanelOptions): Panel | undefined => {
  const { level_decibels = 0, panel_seconds = 90, seed, speakers, turn_seconds: [least, most] = [1.5, 15] } = options
  const draw = draws(seed * 7919 + speakers)
  const between = (low: number, high: number) => low + (high - low) * draw()
  const people = shuffled(
    [...Map.groupBy(utterances, ({ speaker }) => speaker)].filter(([, own]) =>
      own.reduce((sum, { samples }) => sum + seconds(samples), 0) >= 8
    ),
    draw
  ).slice(0, speakers).map(([speaker, own]) => ({
    speaker,
    left: shuffled(own, draw).map(({ samples, spoken }): Take => ({ samples, spoken: spoken ?? spokenTime(samples) })),
    gain: 10 ** (-between(0, level_decibels) / 20),
    turns: 0
  }))
  if (people.length < speakers) return undefined

  const parts: Array<{ readonly from: number; readonly samples: Float32Array }> = []
  const [turns, spans]: [Array<Turn>, Array<Turn>] = [[], []]
  let at = Math.round(0.5 * SAMPLE_RATE)
  let last: string | undefined
  for (;;) {
    const free = people.filter(({ left, speaker }) => speaker !== last && left.length > 0)
    const due = free.filter(({ turns }) => turns < LEAST_TURNS)
    // Who has just spoken for the first time is due as well, after somebody else.
    const owing = people.some(({ left, turns }) => turns < LEAST_TURNS && left.length > 0)
    if (free.length === 0 || (at / SAMPLE_RATE >= panel_seconds && !owing)) break
    const candidates = due.length > 0 ? due : free
    const person = candidates[Math.floor(draw() * candidates.length)]!
    const length = least * (most / least) ** draw()
    // Who still owes a turn keeps enough to say for it.
    const taken = take(person.left, person.turns + 1 < LEAST_TURNS ? Math.min(length, 4) : length, least)
    const start = at
    for (const { samples, spoken } of taken) {
      const shift = at / SAMPLE_RATE
      for (const { t_end, t_start } of spoken) {
        turns.push({ speaker: person.speaker, t_start: shift + t_start, t_end: shift + t_end })
      }
      parts.push({ from: at, samples: samples.map((x) => x * person.gain) })
      at += samples.length
    }
    spans.push({ speaker: person.speaker, t_start: start / SAMPLE_RATE, t_end: at / SAMPLE_RATE })
    at += Math.round(between(...GAP_SECONDS) * SAMPLE_RATE)
    last = person.speaker
    person.turns++
  }
  const samples = new Float32Array(at)
  for (const part of parts) samples.set(part.samples, part.from)
  if (options.noise_decibels !== undefined) addNoise(samples, parts, options.noise_decibels, draw)
  return { samples, seconds: seconds(samples), turns, spans, speakers: new Set(spans.map((s) => s.speaker)).size }
}

/** A piece of an utterance. */
interface Take {
  readonly samples: Float32Array
  readonly spoken: ReadonlyArray<Interval>
}

/** Takes about `length` seconds off a person's utterances; what is left of a cut one stays if it is worth a turn. */
const take = (left: Array<Take>, length: number, least: number): Array<Take> => {
  const taken: Array<Take> = []
  let missing = length
  while (missing > least / 2 && left.length > 0) {
    const next = left.shift()!
    if (seconds(next.samples) <= missing + least) {
      taken.push(next)
      missing -= seconds(next.samples)
      continue
    }
    const cut = quietest(next.samples, missing)
    taken.push(part(next, 0, cut))
    left.unshift(part(next, cut, next.samples.length))
    break
  }
  return taken
}

const part = ({ samples, spoken }: Take, from: number, to: number): Take => {
  const [start, end] = [from / SAMPLE_RATE, to / SAMPLE_RATE]
  return {
    samples: samples.subarray(from, to),
    spoken: spoken
      .map(({ t_end, t_start }) => ({ t_start: Math.max(t_start, start) - start, t_end: Math.min(t_end, end) - start }))
      .filter(({ t_end, t_start }) => t_end > t_start)
  }
}

const quietest = (samples: Float32Array, near: number): number => {
  const step = SAMPLE_RATE / 100
  const reach = CUT_REACH_SECONDS * SAMPLE_RATE
  let [best, least] = [Math.round(near * SAMPLE_RATE), Infinity]
  for (
    let at = Math.max(step * 50, best - reach), end = best + reach;
    at < Math.min(end, samples.length - step);
    at += step
  ) {
    let power = 0
    for (let i = at - 2 * step; i < at + 2 * step; i++) power += (samples[i] ?? 0) ** 2
    if (power < least) [best, least] = [at, power]
  }
  return best
}

/** Pink noise over the whole panel: white noise through Kellet's three-pole filter (musicdsp.org archive, no. 76). */
const addNoise = (
  samples: Float32Array,
  parts: ReadonlyArray<{ readonly samples: Float32Array }>,
  decibels: number,
  draw: () => number
) => {
  const loudness = Math.sqrt(
    parts.reduce((sum, part) => sum + part.samples.reduce((s, x) => s + x * x, 0), 0) /
      parts.reduce((sum, part) => sum + part.samples.length, 0)
  )
  const noise = new Float32Array(samples.length)
  let [a, b, c, power] = [0, 0, 0, 0]
  for (let i = 0; i < noise.length; i++) {
    const white = 2 * draw() - 1
    a = 0.99765 * a + 0.099046 * white
    b = 0.963 * b + 0.2965164 * white
    c = 0.57 * c + 1.0526913 * white
    noise[i] = a + b + c + 0.1848 * white
    power += noise[i]! ** 2
  }
  const gain = (loudness * 10 ** (-decibels / 20)) / Math.sqrt(power / noise.length)
  for (let i = 0; i < samples.length; i++) samples[i]! += gain * noise[i]!
}
