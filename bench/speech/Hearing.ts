import type { RecognisedChunk } from "../../workers/speech/asr/RecognisedChunk.ts"
import type { Recogniser } from "../../workers/speech/asr/Recogniser.ts"
import type { SpeechModels } from "../../workers/speech/asr/SpeechModels.ts"
import { transcribeChunk } from "../../workers/speech/asr/Transcription.ts"
import { saidPieces, turnsOf } from "../../workers/speech/diarization/SpeakerTurns.ts"
import type { SpeakerBounds } from "../../workers/speech/diarization/VoicedPiece.ts"
import type { Interval } from "../../workers/speech/dsp/Interval.ts"
import { type SoundSlice, soundSlice } from "../../workers/speech/dsp/SoundSlice.ts"
import { planChunks } from "../../workers/speech/vad/Chunks.ts"
import { pcmOf, type TimedWord } from "./Recordings.ts"
import type { Turn } from "./SpeakerErrors.ts"

/** What one recogniser heard in a recording, and the seconds of processor time that it took. */
export interface HeardWords {
  readonly words: ReadonlyArray<TimedWord>
  readonly seconds: number
}

/** What the whole lane heard: where speech is, who speaks, what is said. */
export interface Heard extends HeardWords {
  readonly chunks: ReadonlyArray<RecognisedChunk>
  readonly speech: ReadonlyArray<Interval>
  /** Processor time with finding speech and telling voices. */
  readonly lane_seconds: number
  /** What other recognisers are to be given. */
  readonly slices: ReadonlyArray<SoundSlice>
}

/** Runs something and tells the processor time of all threads of this process, so that a busy machine counts for nothing. */
const timed = async <A>(work: () => Promise<A>): Promise<{ readonly value: A; readonly seconds: number }> => {
  const before = process.cpuUsage()
  const value = await work()
  const { system, user } = process.cpuUsage(before)
  return { value, seconds: (system + user) / 1e6 }
}

/** The whole lane on samples in memory. */
export const hear = async (models: SpeechModels, samples: Float32Array): Promise<Heard> => {
  const pcm = pcmOf(samples)
  const slices: Array<SoundSlice> = []
  let seconds = 0
  const recogniser: Pick<Recogniser, "name" | "cased" | "recognise"> = {
    name: models.recogniser.name,
    cased: models.recogniser.cased,
    recognise: async (sounds, hints) => {
      slices.push(...sounds)
      const run = await timed(() => models.recogniser.recognise(sounds, hints))
      seconds += run.seconds
      return run.value
    }
  }
  const { seconds: lane_seconds, value } = await timed(async () => {
    const speech = await models.vad.detect(pcm)
    const chunks: Array<RecognisedChunk> = []
    for (const chunk of planChunks(speech)) {
      const heard = await transcribeChunk(
        { embedding: models.embedding, recogniser: { ...models.recogniser, ...recogniser } },
        pcm,
        chunk,
        { terms: [], recognises: true }
      )
      chunks.push(heard)
    }
    return { chunks, speech: speech.intervals }
  })
  const words = value.chunks.flatMap(({ pieces }) => pieces.flatMap(({ words }) => words))
  return { ...value, words, seconds, lane_seconds, slices }
}

/** Another recogniser on the very same slices. */
export const hearAgain = async (
  recogniser: Recogniser,
  slices: ReadonlyArray<SoundSlice>
): Promise<HeardWords> => {
  // Fresh slices: features that another one has computed would cost this one nothing.
  const own = slices.map(({ samples, speech, t_start }) => soundSlice(samples, t_start, speech))
  const { seconds, value } = await timed(() => recogniser.recognise(own, { terms: [], language: null }))
  return { words: value.flatMap(({ words }) => words), seconds }
}

/** Who speaks when, as a transcript's `turns` tell it. */
export const heardTurns = ({ chunks }: Pick<Heard, "chunks">, bounds: SpeakerBounds): Array<Turn> =>
  turnsOf(saidPieces(chunks, bounds)).map(({ speaker, t_end, t_start }) => ({
    speaker: `S${speaker + 1}`,
    t_start,
    t_end
  }))
