import { Schema } from "effect"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import { FrameDescription } from "../../src/artifacts/Vision.ts"
import type { ModelRun } from "../../src/jobs/model/Provenance.ts"
import { Cues } from "../../src/jobs/model/StageIo.ts"
import type { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import { openingModel } from "../compute/CallSpans.ts"
import { readJsonAs } from "../compute/JsonFile.ts"
import { serve } from "../compute/serve.ts"
import { makeSharedTime } from "../compute/SharedTime.ts"
import { deviceOfProcess } from "../onnx/Device.ts"
import { makeModelShelf } from "../onnx/ModelShelf.ts"
import { HeardChunk, type RecognisedChunk } from "./asr/RecognisedChunk.ts"
import { rescoreChunk } from "./asr/Rescoring.ts"
import { packActivity, PackedActivity, unpackActivity } from "./asr/SpeakerActivity.ts"
import type { SpeechModels } from "./asr/SpeechModels.ts"
import { transcribeChunk } from "./asr/Transcription.ts"
import { screenTerms } from "./ctc/HotWords.ts"
import { openEmbeddingOf, openRecogniserOf, openTrackerOf, openVadOf } from "./drivers/SpeechDrivers.ts"
import { openPcm } from "./dsp/PcmFile.ts"
import { speechCalls } from "./SpeechCalls.ts"
import { assembleTranscript } from "./transcript/TranscriptAssembly.ts"
import { Chunk, planChunks } from "./vad/Chunks.ts"

/** Open models of each role: one for the jobs at hand and one for a neighbour's on another stack. */
const KEPT = 2
const vads = makeModelShelf(openingModel("vad", openVadOf), KEPT)
const device = deviceOfProcess()
const recognisers = makeModelShelf(
  openingModel("asr", (role: ResolvedModel) => openRecogniserOf(role, device)),
  KEPT
)
const embeddings = makeModelShelf(openingModel("speaker", openEmbeddingOf), KEPT)
const trackers = makeModelShelf(openingModel("turns", openTrackerOf), KEPT)
const transcribing = makeSharedTime()
const tracking = makeSharedTime()

/** Networks that are done with a sound before a GPU has been sent it. */
const onCpu = (role: string, { name }: ResolvedModel): ModelRun => ({ role, name, execution_provider: "cpu" })

const Chunks = Schema.Array(Chunk)
const Descriptions = Schema.Array(FrameDescription)

serve(speechCalls, {
  detect_speech: async ({ pcm, roles }, signal) => {
    await using sound = await openPcm(pcm)
    const speech = await vads.use(roles.vad, (vad) => vad.detect(sound, signal), signal)
    const seconds = speech.intervals.reduce((sum, { t_end, t_start }) => sum + t_end - t_start, 0)
    return { chunks: planChunks(speech), speech_seconds: roundSeconds(seconds), models: [onCpu("vad", roles.vad)] }
  },

  track_speakers: async ({ pcm, roles, tenant_id }, signal) => {
    await using sound = await openPcm(pcm)
    const { seconds, value } = await trackers.use(
      roles.turns,
      (tracker) => tracking.measure(() => tracker.track(sound, { tenant_id, signal })),
      signal
    )
    return {
      activity: packActivity(value),
      model_seconds: roundSeconds(seconds),
      models: [onCpu("turns", roles.turns)]
    }
  },

  transcribe: async (
    { chunk, language, pcm, recognises, roles, speech, tenant_id, terms },
    signal
  ) => {
    const chunks = await readJsonAs(Chunks, speech)
    await using sound = await openPcm(pcm)
    const work = async ({ embedding, recogniser }: Pick<SpeechModels, "embedding" | "recogniser">) => {
      const { execution_provider, name } = recogniser
      const models: ReadonlyArray<ModelRun> = [
        ...(recognises ? [{ role: "asr", name, execution_provider }] : []),
        onCpu("speaker", roles.speaker)
      ]
      const options = { tenant_id, terms, language, recognises, signal }
      const { seconds, value } = await transcribing.measure(() =>
        transcribeChunk({ recogniser, embedding }, sound, chunks[chunk]!, options)
      )
      return { recognised: value, model_seconds: roundSeconds(seconds), models }
    }
    return await recognisers.use(
      roles.asr,
      (recogniser) => embeddings.use(roles.speaker, (embedding) => work({ recogniser, embedding }), signal),
      signal
    )
  },

  diarize: async (
    { captions, descriptions, duration_seconds, hints, recogniser, terms, turns, words },
    signal
  ) => {
    const seen: Array<FrameDescription> = []
    for (const path of descriptions) seen.push(...await readJsonAs(Descriptions, path))
    const termsOf = (t_start: number, t_end: number) => {
      const shown = screenTerms(seen, t_start, t_end)
      return shown.length === 0 ? null : [...terms, ...shown]
    }
    const chunks: Array<RecognisedChunk> = []
    for (const path of words) {
      const heard = await readJsonAs(HeardChunk, path)
      const chunk = recogniser === null || seen.length === 0
        ? heard
        : await recognisers.use(recogniser, (model) => rescoreChunk(heard, model, termsOf, signal), signal)
      chunks.push(chunk)
    }
    const cues = captions === null ? null : await readJsonAs(Cues, captions)
    const activity = turns === null ? null : unpackActivity(await readJsonAs(PackedActivity, turns))
    return { transcript: assembleTranscript({ chunks, activity, captions: cues, duration_seconds, hints }) }
  }
})
