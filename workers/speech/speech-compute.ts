import { readFile } from "node:fs/promises"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import { serve } from "../compute/serve.ts"
import { type Chunk, planChunks } from "./Chunks.ts"
import { openPcm } from "./PcmFile.ts"
import type { RecognisedChunk } from "./RecognisedChunk.ts"
import type { DetectSpeechCall, DiarizeCall, TranscribeCall } from "./SpeechCalls.ts"
import { openSpeechModels, type SpeechModels } from "./SpeechModels.ts"
import { assembleTranscript } from "./TranscriptAssembly.ts"
import { transcribeChunk } from "./Transcription.ts"

let opened: Promise<SpeechModels> | undefined
/** Opened by the first call and kept. After a failure the next call tries again: the files may have come by then. */
const models = () =>
  opened ??= openSpeechModels().catch((error: unknown) => {
    opened = undefined
    throw error
  })

const json = async (path: string) => JSON.parse(await readFile(path, "utf8"))

serve({
  detect_speech: async ({ pcm }: DetectSpeechCall["input"], signal): Promise<DetectSpeechCall["output"]> => {
    await using sound = await openPcm(pcm)
    const { vad } = await models()
    const speech = await vad.detect(sound, signal)
    const seconds = speech.intervals.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)
    return { chunks: planChunks(speech), speech_seconds: roundSeconds(seconds) }
  },

  transcribe: async (
    { chunk, pcm, recognises, speech, terms }: TranscribeCall["input"],
    signal
  ): Promise<TranscribeCall["output"]> => {
    const chunks: ReadonlyArray<Chunk> = await json(speech)
    await using sound = await openPcm(pcm)
    const opened = await models()
    const began = performance.now()
    const recognised = await transcribeChunk(opened, sound, chunks[chunk]!, { terms, recognises, signal })
    return { recognised, model_seconds: roundSeconds((performance.now() - began) / 1000) }
  },

  diarize: async (
    { captions, duration_seconds, hints, words }: DiarizeCall["input"]
  ): Promise<DiarizeCall["output"]> => {
    const chunks: Array<RecognisedChunk> = []
    for (const path of words) chunks.push(await json(path))
    const cues = captions === null ? null : await json(captions)
    return { transcript: assembleTranscript({ chunks, captions: cues, duration_seconds, hints }) }
  }
})
