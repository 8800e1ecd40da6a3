import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Schema } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Transcript } from "../../../src/artifacts/Transcript.ts"
import type { StageFailure } from "../../../src/jobs/model/JobFailure.ts"
import type { JobHints } from "../../../src/jobs/model/JobSpec.ts"
import type { StageInput, StageName } from "../../../src/jobs/model/StageIo.ts"
import { Blobs, layerFileSystem } from "../../../src/storage/Blobs.ts"
import * as ComputeProcess from "../../../workers/compute/ComputeProcess.ts"
import type { StageTask } from "../../../workers/engine/Stage.ts"
import { SAMPLE_RATE } from "../../../workers/speech/dsp/FeatureExtractor.ts"
import { makeSpeechStages } from "../../../workers/speech/SpeechStage.ts"
import { captured } from "../../support/LogLines.ts"
import { spokenTones } from "./drivers/ToyModels.ts"
import { makeToyStacks } from "./drivers/ToyStack.ts"
import { decode, fileBeside, samplesOf } from "./Sounds.ts"

const compute = ComputeProcess.layer({
  entry: fileURLToPath(new URL("../../../workers/speech/speech-compute.ts", import.meta.url))
})
const blobs = Layer.unwrap(
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-stacks-" }))
  })
).pipe(Layer.provide(NodeServices.layer))

/** Toy stacks and the lane over them. */
const makeLane = Effect.map(makeToyStacks, (toys) => ({
  ...toys,
  lane: Layer.mergeAll(compute, toys.store, Layer.provide(blobs, NodeServices.layer))
}))

const task = <S extends StageName>(
  stage: S,
  input: StageInput<S>,
  hints: JobHints,
  model_stack: string
): StageTask<S> => ({
  job_id: "job_1",
  tenant_id: "ten_1",
  stage,
  index: 0,
  attempt: 0,
  input,
  blobPrefix: `jobs/job_1/${stage}/0/0`,
  progress: () => Effect.void,
  spec: { source_uri: "upload://upl_1", json_schema: {}, schema_id: null, hints, on_missing: "fill", model_stack }
})

const pcmOf = (samples: Float32Array) => {
  const pcm = Buffer.alloc(2 * samples.length)
  samples.forEach((sample, i) => pcm.writeInt16LE(Math.round(sample * 32767), 2 * i))
  return pcm
}

const SECONDS = 2.6

/** The tones through the lane, and `after` them. Nobody speaks in them, so where speech is is told and not found. */
const transcribe = Effect.fnUntraced(function*(model_stack: string, hints: JobHints = {}, after = new Float32Array(0)) {
  const store = yield* Blobs
  const stages = yield* makeSpeechStages
  const whole = { t_start: 0, t_end: SECONDS }
  const sound = Buffer.concat([pcmOf(spokenTones()), pcmOf(after)])
  const duration_seconds = sound.length / 2 / SAMPLE_RATE
  const pcm = yield* Effect.orDie(store.put("jobs/job_1/audio/0/0/sound.pcm", sound))
  const found = yield* stages.detect_speech(task("detect_speech", { pcm, duration_seconds }, hints, model_stack))
  const chunks = [{ slices: [{ ...whole, pieces: [whole] }] }]
  const speech = yield* Effect.orDie(store.put("jobs/job_1/told.json", Buffer.from(JSON.stringify(chunks))))
  const heard = yield* stages.transcribe(task("transcribe", { pcm, speech, chunk: 0 }, hints, model_stack))
  const said = yield* stages.diarize(
    task(
      "diarize",
      {
        words: [heard.words],
        ...(found.turns === undefined ? {} : { turns: found.turns }),
        captions: null,
        descriptions: [],
        duration_seconds,
        has_audio: true
      },
      hints,
      model_stack
    )
  )
  const bytes = yield* Effect.orDie(store.get(said.transcript.key))
  const transcript = yield* Effect.orDie(
    Schema.decodeEffect(Schema.fromJsonString(Transcript))(Buffer.from(bytes).toString())
  )
  return { found, heard, transcript, warnings: said.warnings.map(({ code }) => code) }
})

describe("a job on a stack of models from a hub", () => {
  it.live("is transcribed by the models that were locked and fetched, and says which", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock, version } = yield* makeLane
      yield* lock
      yield* fetch
      yield* Effect.gen(function*() {
        const { heard, transcript, warnings } = yield* transcribe("standard")
        assert.strictEqual(transcript.text, "Good footage.")
        assert.strictEqual(transcript.model, version("toy-tdt/encoder.onnx"))
        assert.strictEqual(transcript.language, "en")
        assert.lengthOf(transcript.speakers, 1)
        assert.deepStrictEqual(warnings, [])
        assert.deepStrictEqual(
          heard.models.map(({ name, role }) => [role, name]),
          [["asr", transcript.model], ["speaker", "toy-voices"]]
        )
      }).pipe(Effect.provide(lane))
    }).pipe(Effect.scoped))

  it.live("is transcribed by the stack's other recogniser in a language that the first does not know", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock, version } = yield* makeLane
      yield* lock
      yield* fetch
      yield* Effect.gen(function*() {
        const german = yield* transcribe("standard", { language: "de-AT" })
        assert.strictEqual(german.transcript.model, version("toy-whisper/encoder.onnx"))
        assert.deepStrictEqual([german.transcript.text, german.transcript.language], ["Good footage.", "de-AT"])
        assert.deepStrictEqual(german.warnings, [])
        const french = yield* transcribe("standard", { language: "fr" })
        assert.deepStrictEqual([french.transcript.segments, french.warnings], [[], ["LANGUAGE_UNSUPPORTED"]])
      }).pipe(Effect.provide(lane))
    }).pipe(Effect.scoped))

  it.live("has its words given to the voices that the stack's model of turns hears", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock } = yield* makeLane
      yield* lock
      yield* fetch
      yield* Effect.gen(function*() {
        const lecture = yield* Effect.promise(() => decode(fileBeside("samples/lecture.mp4")!))
        const speech = samplesOf(lecture.subarray(0, 2 * 6 * SAMPLE_RATE))
        const { found, transcript } = yield* transcribe("standard", {}, speech)
        assert.deepStrictEqual(found.models.map(({ name, role }) => [role, name]), [
          ["vad", "silero"],
          ["turns", "toy-turns"]
        ])
        assert.isAbove(found.model_seconds!, 0)
        // The recogniser hears two words, each in a tone that the model of turns takes for a voice of its own.
        const said = transcript.segments.map(({ speaker, text }) => [speaker, text])
        assert.deepStrictEqual(said, [["S1", "Good"], ["S2", "footage."]])
        assert.deepStrictEqual(transcript.overlaps?.filter(({ t_start }) => t_start < SECONDS), [])
        // One voice is no question, nor are more than the model has channels for: then it is not run.
        const store = yield* Blobs
        const { detect_speech } = yield* makeSpeechStages
        const pcm = yield* Effect.orDie(store.put("jobs/job_1/audio/0/1/sound.pcm", pcmOf(speech)))
        for (const hints of [{ num_speakers: 1 }, { num_speakers: 9 }]) {
          const alone = yield* detect_speech(task("detect_speech", { pcm, duration_seconds: 6 }, hints, "standard"))
          assert.deepStrictEqual(alone.models.map(({ role }) => role), ["vad"])
          assert.notProperty(alone, "turns")
        }
      }).pipe(Effect.provide(lane))
    }).pipe(Effect.scoped))

  it.live("stands beside a job on another stack in the same process", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock } = yield* makeLane
      yield* lock
      yield* fetch
      yield* Effect.gen(function*() {
        const alone = yield* transcribe("standard")
        const own = yield* transcribe("builtin")
        assert.match(own.transcript.model!, /^moonshine-base-en@/u)
        assert.deepStrictEqual((yield* transcribe("standard")).transcript, alone.transcript)
        assert.deepStrictEqual((yield* transcribe("builtin")).transcript, own.transcript)
      }).pipe(Effect.provide(lane))
    }).pipe(Effect.scoped))

  it.live("tells a caller which stacks are ready, and the log what to run, while files are not locked, not here, or damaged", () =>
    Effect.gen(function*() {
      const { fetch, lane, lock, path } = yield* makeLane
      const { lines, logged } = captured()
      const failure = Effect.flip(transcribe("standard")).pipe(Effect.provide(lane), logged)
      const told = (usable: string, logs: string, { code, message, retryable }: StageFailure) => {
        assert.deepStrictEqual(
          { code, message, retryable },
          {
            code: "MODEL_UNAVAILABLE",
            message:
              `The model stack standard is not ready on this deployment. ${usable}; GET /v1/model-stacks lists them all.`,
            retryable: false
          }
        )
        assert.include(lines.at(-1)?.text, logs)
      }
      told("None is ready, for now", "npm run models -- lock standard", yield* failure)
      yield* lock
      yield* fetch
      const encoder = path("toy-tdt/encoder.onnx")
      const right = readFileSync(encoder)
      writeFileSync(encoder, Buffer.alloc(right.length))
      told("Ready are builtin", "toy-tdt/encoder.onnx", yield* failure)
      yield* fetch
      assert.deepStrictEqual(readFileSync(encoder), right)
      rmSync(path("silero/silero_vad_v6.onnx"))
      told("Ready are builtin", "npm run models -- fetch standard", yield* failure)
      assert.include(lines.at(-1)?.text, "silero_vad_v6.onnx")
    }).pipe(Effect.scoped))
})
