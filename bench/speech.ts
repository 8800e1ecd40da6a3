import { relative } from "node:path"
import { planChunks } from "../workers/speech/Chunks.ts"
import { diarize, type SpeakerBounds } from "../workers/speech/Diarization.ts"
import { logMel, SAMPLE_RATE } from "../workers/speech/FeatureExtractor.ts"
import type { RecognisedPiece } from "../workers/speech/RecognisedChunk.ts"
import { openSpeechModels, type SpeechModels } from "../workers/speech/SpeechModels.ts"
import { transcribeChunk } from "../workers/speech/Transcription.ts"
import { align, comparable, rate, type Tally, tally } from "./speech/ErrorRates.ts"
import { composePanels, type Utterance } from "./speech/Panels.ts"
import { makeReader, pcmOf, type Recording, recordingsIn } from "./speech/Recordings.ts"
import { equalErrorRate, speakerErrors, type Turn } from "./speech/SpeakerErrors.ts"

/** Scores of one set; rates are fractions, times are seconds, what could not be measured is absent. */
export interface SpeechScores {
  files: number
  audio_seconds: number
  real_time_factor: number
  wer?: number
  cer?: number
  word_start_error?: number
  word_end_error?: number
  word_start_bias?: number
  word_end_bias?: number
  vad_missed?: number
  vad_false?: number
  false_speech_seconds?: number
  words_in_silence?: number
  der?: number
  /** The part of `der` that is speech given to the wrong speaker; the rest is silence and overlap. */
  confusion?: number
  der_known_count?: number
  count_right?: number
  eer?: number
}

interface Heard {
  readonly pieces: ReadonlyArray<RecognisedPiece>
  readonly speech: ReadonlyArray<Turn>
  readonly seconds: number
}

/** The whole lane on samples in memory: speech, words, voices. */
const hear = async (models: SpeechModels, samples: Float32Array): Promise<Heard> => {
  const pcm = pcmOf(samples)
  const began = performance.now()
  const speech = await models.vad.detect(pcm)
  const pieces: Array<RecognisedPiece> = []
  for (const chunk of planChunks(speech)) {
    pieces.push(...(await transcribeChunk(models, pcm, chunk, { terms: [], recognises: true })).pieces)
  }
  const seconds = (performance.now() - began) / 1000
  return { pieces, speech: speech.intervals.map(({ t_end, t_start }) => ({ t_start, t_end, speaker: "" })), seconds }
}

const turnsOf = (pieces: ReadonlyArray<RecognisedPiece>, bounds: SpeakerBounds): Array<Turn> => {
  const spoken = pieces.filter(({ words }) => words.length > 0)
  const speakers = diarize(spoken, bounds)
  return spoken.map(({ t_end, t_start }, i) => ({ t_start, t_end, speaker: String(speakers[i]) }))
}

const empty = (): Tally => ({ errors: 0, total: 0 })

const add = (sum: Tally, { errors, total }: Tally) => {
  sum.errors += errors
  sum.total += total
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const scoreSet = async (
  models: SpeechModels,
  read: (file: string) => Promise<Float32Array>,
  recordings: ReadonlyArray<Recording>
): Promise<SpeechScores> => {
  const [words, letters, missed, falsely, der, confused] = [empty(), empty(), empty(), empty(), empty(), empty()]
  const [starts, ends]: [Array<number>, Array<number>] = [[], []]
  let [audio, busy, falseSeconds, falseWords] = [0, 0, 0, 0]
  for (const { file, silent, transcript, turns, words: timed } of recordings) {
    const samples = await read(file)
    const duration = samples.length / SAMPLE_RATE
    const heard = await hear(models, samples)
    audio += duration
    busy += heard.seconds
    const said = heard.pieces.flatMap(({ words }) => words)
    if (transcript !== null) tally(words, letters, transcript, said.map(({ text }) => text).join(" "))
    if (timed !== null) {
      const { equal } = align(timed.map(({ text }) => comparable(text).join("")), said.map(({ text }) => text))
      for (const [i, j] of equal) {
        starts.push(said[j]!.t_start - timed[i]!.t_start)
        ends.push(said[j]!.t_end - timed[i]!.t_end)
      }
    }
    if (turns !== null) {
      const speech = speakerErrors(turns, heard.speech, duration)
      add(missed, speech.missed)
      add(falsely, speech.false_alarm)
      const { confusion, diarization } = speakerErrors(turns, turnsOf(heard.pieces, {}), duration)
      add(der, diarization)
      add(confused, confusion)
    }
    if (silent) {
      falseSeconds += heard.speech.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)
      falseWords += said.length
    }
  }
  return {
    files: recordings.length,
    audio_seconds: audio,
    real_time_factor: busy / audio,
    ...(words.total === 0 ? {} : { wer: rate(words), cer: rate(letters) }),
    ...(starts.length === 0 ? {} : {
      word_start_error: mean(starts.map(Math.abs)),
      word_end_error: mean(ends.map(Math.abs)),
      word_start_bias: mean(starts),
      word_end_bias: mean(ends)
    }),
    ...(der.total === 0
      ? {}
      : { vad_missed: rate(missed), vad_false: rate(falsely), der: rate(der), confusion: rate(confused) }),
    ...(recordings.every(({ silent }) => silent)
      ? { false_speech_seconds: falseSeconds, words_in_silence: falseWords }
      : {})
  }
}

/** Conversations composed of a set's utterances: who speaks when, with and without knowing how many there are. */
const scorePanels = async (
  models: SpeechModels,
  utterances: ReadonlyArray<Utterance>,
  speakers: number
): Promise<SpeechScores | undefined> => {
  const [der, confused, known] = [empty(), empty(), empty()]
  let [audio, busy, right] = [0, 0, 0]
  const panels = composePanels(utterances, { speakers, turns: 4 })
  for (const { samples, turns } of panels) {
    const duration = samples.length / SAMPLE_RATE
    const { pieces, seconds } = await hear(models, samples)
    audio += duration
    busy += seconds
    const found = turnsOf(pieces, {})
    const { confusion, diarization } = speakerErrors(turns, found, duration)
    add(der, diarization)
    add(confused, confusion)
    add(known, speakerErrors(turns, turnsOf(pieces, { num_speakers: speakers }), duration).diarization)
    if (new Set(found.map(({ speaker }) => speaker)).size === speakers) right++
  }
  return panels.length === 0 ? undefined : {
    files: panels.length,
    audio_seconds: audio,
    real_time_factor: busy / audio,
    der: rate(der),
    confusion: rate(confused),
    der_known_count: rate(known),
    count_right: right / panels.length
  }
}

/** Same voice or not, over all pairs of utterances, by at most their first 8 seconds. */
const scoreVoices = async (models: SpeechModels, utterances: ReadonlyArray<Utterance>): Promise<number | undefined> => {
  const voices: Array<{ readonly speaker: string; readonly voice: Float32Array }> = []
  for (const { samples, speaker } of utterances) {
    const features = logMel(samples.subarray(0, 8 * SAMPLE_RATE))
    const voice = await models.embedding.embed(features, 0, features.frames)
    if (voice !== null) voices.push({ speaker, voice })
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

const percent = (value: number | undefined) => value === undefined ? "" : `${(100 * value).toFixed(1)} %`
const milliseconds = (value: number | undefined) => value === undefined ? "" : `${(1000 * value).toFixed(0)} ms`

/** Runs the speech lane over labelled folders, prints one table and gives the scores by set. */
export const run = async (folders: ReadonlyArray<string>): Promise<{ readonly sets: Record<string, SpeechScores> }> => {
  const models = await openSpeechModels()
  const read = await makeReader()
  const sets: Record<string, SpeechScores> = {}
  for (const folder of folders) {
    const recordings = recordingsIn(folder)
    const prefix = folders.length === 1 ? "" : `${relative(".", folder)}: `
    for (const [set, own] of Map.groupBy(recordings, (recording) => recording.set)) {
      const scores = await scoreSet(models, read, own)
      sets[prefix + set] = scores
      const utterances: Array<Utterance> = []
      for (const { file, speaker } of own) {
        if (speaker !== null) utterances.push({ speaker, samples: await read(file) })
      }
      const eer = await scoreVoices(models, utterances)
      if (eer !== undefined) scores.eer = eer
      for (const speakers of [2, 3, 4]) {
        const panels = await scorePanels(models, utterances, speakers)
        if (panels !== undefined) sets[`${prefix}${set}, panels of ${speakers}`] = panels
      }
    }
  }
  console.log(`recogniser ${models.name}`)
  console.table(Object.fromEntries(
    Object.entries(sets).map(([set, scores]) => [set, {
      files: scores.files,
      seconds: Math.round(scores.audio_seconds),
      "× real time": scores.real_time_factor.toFixed(4),
      WER: percent(scores.wer),
      CER: percent(scores.cer),
      "word start": milliseconds(scores.word_start_error),
      "word end": milliseconds(scores.word_end_error),
      "VAD miss": percent(scores.vad_missed),
      "VAD false": percent(scores.vad_false),
      "false speech": scores.false_speech_seconds === undefined ? "" : `${scores.false_speech_seconds.toFixed(1)} s`,
      DER: percent(scores.der),
      confusion: percent(scores.confusion),
      "DER, count known": percent(scores.der_known_count),
      "count right": percent(scores.count_right),
      EER: percent(scores.eer)
    }])
  ))
  return { sets }
}
