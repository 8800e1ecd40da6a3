import { unitVector } from "../../workers/speech/asr/SpeakerEmbedding.ts"
import type { SpeechModels } from "../../workers/speech/asr/SpeechModels.ts"
import { SAMPLE_RATE } from "../../workers/speech/dsp/FeatureExtractor.ts"
import { soundSlice } from "../../workers/speech/dsp/SoundSlice.ts"
import { rate, type Tally } from "./ErrorRates.ts"
import { hear, heardTurns } from "./Hearing.ts"
import { findMdEval, mdEval, type ScoredRecording } from "./MdEval.ts"
import { composePanel, type PanelOptions, type Utterance } from "./Panels.ts"
import { equalErrorRate, speakerErrors, type Turn } from "./SpeakerErrors.ts"

/** NIST's forgiveness around every boundary of the reference, seconds. */
const COLLAR = 0.25
/** Seeds that nothing was tuned or judged on while the lane was made: that was done on 1 to 6 and 11 to 14. */
const SEEDS = [21, 22, 23, 24]

/**
 * How well speakers were told apart. Rates are fractions of speaker time; `der` forgives 0.25 s around the reference's
 * boundaries as NIST does, `der_strict` nothing. `confusion` is the part of `der` that went to the wrong speaker.
 */
export interface SpeakerScores {
  der: number
  der_strict: number
  confusion: number
  der_known_count: number
  /** How often the number of speakers was found. */
  count_right: number
}

/** A recording with who speaks in it, as found without and with knowing how many there are. */
export interface Diarized {
  readonly reference: ReadonlyArray<Turn>
  readonly found: ReadonlyArray<Turn>
  readonly found_by_count: ReadonlyArray<Turn>
  readonly duration: number
}

const speakersIn = (turns: ReadonlyArray<Turn>) => new Set(turns.map(({ speaker }) => speaker)).size

/** Diarization error and the confusion in it: by md-eval where it is installed, else by its rules. */
const errorRate = async (recordings: ReadonlyArray<ScoredRecording>, collar: number) => {
  const script = findMdEval()
  if (script !== undefined) {
    const { confused, false_alarm, missed, scored } = await mdEval(script, recordings, collar)
    return { der: (missed + false_alarm + confused) / scored, confusion: confused / scored }
  }
  const [all, confused]: [Tally, Tally] = [{ errors: 0, total: 0 }, { errors: 0, total: 0 }]
  for (const { duration, found, reference } of recordings) {
    const { confusion, diarization } = speakerErrors(reference, found, duration, collar)
    for (const [sum, { errors, total }] of [[all, diarization], [confused, confusion]] as const) {
      sum.errors += errors
      sum.total += total
    }
  }
  return { der: rate(all), confusion: rate(confused) }
}

/** Scores diarization over all recordings of a set. */
export const scoreSpeakers = async (recordings: ReadonlyArray<Diarized>): Promise<SpeakerScores> => {
  const { confusion, der } = await errorRate(recordings, COLLAR)
  const known = recordings.map((recording) => ({ ...recording, found: recording.found_by_count }))
  return {
    der,
    der_strict: (await errorRate(recordings, 0)).der,
    confusion,
    der_known_count: (await errorRate(known, COLLAR)).der,
    count_right: recordings.filter(({ found, reference }) => speakersIn(found) === speakersIn(reference)).length /
      recordings.length
  }
}

/** Panels of so many speakers put together from a set's utterances, heard by the lane; undefined where there are too few. */
export const scorePanels = async (
  models: SpeechModels,
  utterances: ReadonlyArray<Utterance>,
  options: Omit<PanelOptions, "seed">
): Promise<(SpeakerScores & { readonly files: number; readonly audio_seconds: number }) | undefined> => {
  const diarized: Array<Diarized> = []
  for (const seed of SEEDS) {
    const panel = composePanel(utterances, { ...options, seed })
    if (panel === undefined) return undefined
    const heard = await hear(models, panel.samples)
    diarized.push({
      reference: panel.turns,
      found: heardTurns(heard, {}),
      found_by_count: heardTurns(heard, { num_speakers: options.speakers }),
      duration: panel.seconds
    })
  }
  const audio_seconds = diarized.reduce((sum, { duration }) => sum + duration, 0)
  return { files: diarized.length, audio_seconds, ...await scoreSpeakers(diarized) }
}

/** Same voice or not, over all pairs of utterances, by at most their first 8 seconds; undefined where there are no pairs. */
export const scoreVoices = async (
  { embedding }: Pick<SpeechModels, "embedding">,
  utterances: ReadonlyArray<Utterance>
): Promise<number | undefined> => {
  const voices: Array<{ readonly speaker: string; readonly voice: Float32Array }> = []
  for (const { samples, speaker } of utterances) {
    const sound = soundSlice(samples.subarray(0, 8 * SAMPLE_RATE), 0)
    const voice = await embedding.embed(sound, 0, sound.features().frames)
    if (voice !== null) voices.push({ speaker, voice: unitVector(voice) })
  }
  const [same, different]: [Array<number>, Array<number>] = [[], []]
  for (const [i, a] of voices.entries()) {
    for (const b of voices.slice(i + 1)) {
      const score = a.voice.reduce((sum, x, d) => sum + x * b.voice[d]!, 0)
      ;(a.speaker === b.speaker ? same : different).push(score)
    }
  }
  return same.length === 0 || different.length === 0 ? undefined : equalErrorRate(same, different)
}
