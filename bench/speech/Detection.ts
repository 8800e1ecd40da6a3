import type { SpeechModels } from "../../workers/speech/asr/SpeechModels.ts"
import { SAMPLE_RATE } from "../../workers/speech/dsp/FeatureExtractor.ts"
import type { DetectOptions, Vad } from "../../workers/speech/vad/Vad.ts"
import { rate, type Tally } from "./ErrorRates.ts"
import { hear } from "./Hearing.ts"
import { makeSounds } from "./MadeSounds.ts"
import { mixtures } from "./Mixtures.ts"
import { pcmOf, type Recording } from "./Recordings.ts"
import { speakerErrors } from "./SpeakerErrors.ts"
import type { SpeechScores } from "./SpeechScores.ts"
import { makeWordScores } from "./WordScores.ts"

/** What a detector finds and misses, as shares of 1; what could not be measured is absent. */
export interface DetectionScores {
  /** Of the time in which somebody speaks, and in which nobody does, over speech. */
  missed?: number
  falsely?: number
  /** Taken for speech where nobody speaks at all. */
  false_seconds?: number
  /** Of what is found in human recordings, how much the likeness to speech leaves; then the same in mixtures. */
  kept?: number
  kept_in_mixtures?: number
}

const lengthOf = (intervals: ReadonlyArray<{ readonly t_start: number; readonly t_end: number }>) =>
  intervals.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)

/** Other seeds than the likeness has learned from; six seconds of each sound at each level. */
const [SECONDS, SEED, MUSIC_SEED] = [6, 9, 10]

/** Scores a detector on recordings. Every fourth that is not labelled with turns is mixed with noise and with a piano. */
export const scoreDetection = async (
  vad: Vad,
  recordings: ReadonlyArray<Pick<Recording, "file" | "silent" | "turns">>,
  read: (file: string) => Promise<Float32Array>
): Promise<DetectionScores> => {
  const music = makeSounds(SECONDS, MUSIC_SEED, [-3]).find(({ family }) => family === "keys")!.samples
  const [missed, falsely]: [Tally, Tally] = [{ errors: 0, total: 0 }, { errors: 0, total: 0 }]
  const detect = async (samples: Float32Array, options?: Partial<DetectOptions>) =>
    (await vad.detect(pcmOf(samples), undefined, options)).intervals
  const [found, mixed] = [{ all: 0, kept: 0 }, { all: 0, kept: 0 }]
  const compare = async (sum: typeof found, samples: Float32Array) => {
    const kept = await detect(samples)
    sum.all += lengthOf(await detect(samples, { least_likeness: 0 }))
    sum.kept += lengthOf(kept)
    return kept
  }
  let false_seconds: number | undefined
  for (const [i, { file, silent, turns }] of recordings.entries()) {
    const samples = await read(file)
    if (silent) {
      false_seconds = (false_seconds ?? 0) + lengthOf(await detect(samples))
      continue
    }
    const intervals = await compare(found, samples)
    if (turns !== null) {
      const spoken = intervals.map(({ t_end, t_start }) => ({ t_start, t_end, speaker: "" }))
      const errors = speakerErrors(turns, spoken, samples.length / SAMPLE_RATE)
      for (const [sum, { errors: count, total }] of [[missed, errors.missed], [falsely, errors.false_alarm]] as const) {
        sum.errors += count
        sum.total += total
      }
    } else if (i % 4 === 0) {
      for (const mixture of Object.values(mixtures(samples, music))) await compare(mixed, mixture)
    }
  }
  return {
    ...(missed.total === 0 ? {} : { missed: rate(missed), falsely: rate(falsely) }),
    ...(false_seconds === undefined ? {} : { false_seconds }),
    ...(found.all === 0 ? {} : { kept: found.kept / found.all }),
    ...(mixed.all === 0 ? {} : { kept_in_mixtures: mixed.kept / mixed.all })
  }
}

/** What the whole lane takes for speech and words in sounds made by formula, that nobody speaks in. */
export const scoreMadeSounds = async (models: SpeechModels): Promise<SpeechScores> => {
  const words = makeWordScores()
  let [audio_seconds, false_seconds] = [0, 0]
  const sounds = makeSounds(SECONDS, SEED)
  for (const { samples } of sounds) {
    const { chunks: _, speech, ...heard } = await hear(models, samples)
    const seconds = samples.length / SAMPLE_RATE
    words.add({ silent: true, transcript: null, words: null }, seconds, heard)
    audio_seconds += seconds
    false_seconds += lengthOf(speech)
  }
  return { files: sounds.length, audio_seconds, ...words.scores(), detection: { false_seconds } }
}
