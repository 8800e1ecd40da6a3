import { fileURLToPath } from "node:url"
import { openSession } from "../../onnx/OnnxSession.ts"
import { SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import type { Interval } from "../dsp/Interval.ts"
import type { PcmFile } from "../dsp/PcmFile.ts"
import { sileroFeed, sileroRun } from "./SileroFeed.ts"
import { type GateOptions, makeSpeechGate, type Speech } from "./SpeechGate.ts"
import { heldPartials, speechMusicScore } from "./SpeechMusicClassifier.ts"
import { SPEECH_MUSIC_WEIGHTS } from "./SpeechMusicWeights.ts"

/** Samples read at a time, a whole number of steps of every version: 98 s. */
const BLOCK = 1024 * 1536
/** A stretch is judged in equal pieces of at most this length; one that is like speech keeps it whole. */
const PIECE_SECONDS = 6

/** Silero's voice activity detector, version 6.2 (MIT), as the package `@ricky0123/vad-web` carries it. Its runtime is not used. */
export const vadModelPath = (): string =>
  fileURLToPath(new URL("./dist/silero_vad_v6.onnx", import.meta.resolve("@ricky0123/vad-web/package.json")))

export interface DetectOptions extends GateOptions {
  /** Least probability, by the sound itself, that a stretch is speech and not music, a machine or an animal; 0 keeps all. */
  readonly least_likeness: number
}

export interface Vad extends AsyncDisposable {
  /** Seconds per probability: 0.032 for versions 5 and 6, 0.096 for version 4. */
  readonly step_seconds: number
  /** How likely somebody speaks, one number per step. Rejects with the signal's reason when it is aborted. */
  readonly probabilities: (pcm: PcmFile, signal?: AbortSignal) => AsyncIterable<number>
  /**
   * Finds speech in a whole file. Memory holds one block of sound, a byte per step (1.1 MB for ten hours) and the
   * intervals found. Rejects with the signal's reason when it is aborted, within one step.
   */
  readonly detect: (pcm: PcmFile, signal?: AbortSignal, options?: Partial<DetectOptions>) => Promise<Speech>
}

/**
 * Opens a detector of Silero's version 4, 5 or 6, whichever the file is. Throws `OnnxModelError` when the model cannot
 * be loaded or is none of these.
 */
export const openVad = async (path: string = vadModelPath()): Promise<Vad> => {
  const session = await openSession(path)
  const feed = sileroFeed(session)
  const step_seconds = feed.step / SAMPLE_RATE

  async function* probabilities(pcm: PcmFile, signal: AbortSignal | undefined) {
    const probabilityOf = sileroRun(session, feed)
    for (let from = 0; from < pcm.samples; from += BLOCK) {
      const block = await pcm.read(from, from + BLOCK)
      for (let at = 0; at < block.length; at += feed.step) {
        signal?.throwIfAborted()
        yield await probabilityOf(block.subarray(at, at + feed.step))
      }
    }
  }

  return {
    step_seconds,
    probabilities,
    detect: async (pcm, signal, { least_likeness = SPEECH_MUSIC_WEIGHTS.least, ...options } = {}) => {
      const gate = makeSpeechGate(step_seconds, options)
      const sure = new Uint8Array(Math.ceil(pcm.samples / feed.step))
      let step = 0
      for await (const probability of probabilities(pcm, signal)) {
        gate.push(probability)
        sure[step++] = Math.round(255 * probability)
      }
      const found = gate.finish(pcm.seconds)
      if (least_likeness <= 0) return found
      const intervals: Array<Interval> = []
      for (const interval of found.intervals) {
        signal?.throwIfAborted()
        if (await isLikeSpeech(pcm, interval, sure, step_seconds, least_likeness)) intervals.push(interval)
      }
      if (intervals.length === found.intervals.length) return found
      const pauses = found.pauses.filter(({ t_end, t_start }) =>
        intervals.some((interval) => interval.t_start <= t_start && t_end <= interval.t_end)
      )
      return { intervals, pauses }
    },
    [Symbol.asyncDispose]: () => session.dispose()
  }
}

const isLikeSpeech = async (
  pcm: PcmFile,
  interval: Interval,
  sure: Uint8Array,
  step_seconds: number,
  least: number
): Promise<boolean> => {
  for (const { t_end, t_start } of piecesOf(interval)) {
    const mean = meanOf(sure.subarray(Math.floor(t_start / step_seconds), Math.ceil(t_end / step_seconds))) / 255
    // What the detector is sure enough of is speech whatever its tones do, and that is nearly all of it.
    if (speechMusicScore(SPEECH_MUSIC_WEIGHTS, mean, 1) >= least) return true
    if (speechMusicScore(SPEECH_MUSIC_WEIGHTS, mean, 0) < least) continue
    const samples = await pcm.read(Math.round(t_start * SAMPLE_RATE), Math.round(t_end * SAMPLE_RATE))
    if (speechMusicScore(SPEECH_MUSIC_WEIGHTS, mean, heldPartials(samples)) >= least) return true
  }
  return false
}

/** An interval in equal pieces of at most six seconds, as its likeness to speech is judged and was learned. */
export const piecesOf = ({ t_end, t_start }: Interval): Array<Interval> => {
  const count = Math.max(1, Math.ceil((t_end - t_start) / PIECE_SECONDS))
  const length = (t_end - t_start) / count
  return Array.from({ length: count }, (_, i) => ({
    t_start: t_start + i * length,
    t_end: i + 1 === count ? t_end : t_start + (i + 1) * length
  }))
}

const meanOf = (values: Uint8Array) => values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length)
