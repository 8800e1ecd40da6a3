import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { Transcript } from "../../../src/artifacts/Transcript.ts"
import type { JobHints } from "../../../src/jobs/model/JobSpec.ts"
import type { StageInput, StageName } from "../../../src/jobs/model/StageIo.ts"
import { ModelStore } from "../../../src/model-stacks/ModelStore.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import type { StageTask } from "../../../workers/engine/Stage.ts"
import { SAMPLE_RATE } from "../../../workers/speech/dsp/FeatureExtractor.ts"
import { makeSpeechStages } from "../../../workers/speech/SpeechStage.ts"

const compute = ComputeProcess.layer({
  entry: fileURLToPath(new URL("../../../workers/speech/speech-compute.ts", import.meta.url))
})
const blobs = Layer.unwrap(
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-speech-" }))
  })
).pipe(Layer.provide(NodeServices.layer))
/** Processes with the speech models, and a blob store for what they give. */
export const lane = Layer.mergeAll(compute, ModelStore.layer, Layer.provide(blobs, NodeServices.layer))

const task = <S extends StageName>(stage: S, input: StageInput<S>, hints: JobHints, index = 0): StageTask<S> => ({
  job_id: "job_1",
  tenant_id: "ten_1",
  stage,
  index,
  attempt: 0,
  input,
  blobPrefix: `jobs/job_1/${stage}/${index}/0`,
  progress: () => Effect.void,
  spec: {
    source_uri: "upload://upl_1",
    json_schema: {},
    schema_id: null,
    hints,
    on_missing: "fill",
    model_stack: "builtin"
  }
})

const decodeTranscript = (json: string) => Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(Transcript))(json))

/** The lane from sound to transcript, `width` chunks at a time, the last ones first if told so. */
export const transcribeAll = Effect.fnUntraced(
  function*(
    pcm: Buffer,
    options: { readonly hints?: JobHints; readonly width?: number; readonly backwards?: boolean }
  ) {
    const { backwards = false, hints = {}, width = 1 } = options
    const store = yield* Blobs
    const stages = yield* makeSpeechStages
    const duration_seconds = pcm.length / 2 / SAMPLE_RATE
    const sound = yield* Effect.orDie(store.put("jobs/job_1/audio/0/0/sound.pcm", pcm))
    const found = yield* stages.detect_speech(task("detect_speech", { pcm: sound, duration_seconds }, hints))
    const numbers = Array.from({ length: found.chunks }, (_, chunk) => chunk)
    const words = yield* Effect.forEach(
      backwards ? numbers.toReversed() : numbers,
      (chunk) => stages.transcribe(task("transcribe", { pcm: sound, speech: found.speech, chunk }, hints, chunk)),
      { concurrency: width }
    )
    const inOrder = backwards ? words.toReversed() : words
    const said = yield* stages.diarize(task("diarize", {
      words: inOrder.map(({ words }) => words),
      captions: null,
      descriptions: [],
      duration_seconds,
      has_audio: true
    }, hints))
    const bytes = yield* Effect.orDie(store.get(said.transcript.key))
    return {
      found,
      warnings: said.warnings,
      bytes: Buffer.from(bytes).toString(),
      transcript: yield* decodeTranscript(Buffer.from(bytes).toString())
    }
  }
)
