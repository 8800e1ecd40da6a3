import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
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
import { decode, fileBeside, soundsWithoutSpeech } from "./Sounds.ts"

const compute = ComputeProcess.layer({
  entry: fileURLToPath(new URL("../../../workers/speech/speech-compute.ts", import.meta.url))
})
const blobs = Layer.unwrap(
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    return layerFileSystem(yield* fs.makeTempDirectoryScoped({ prefix: "footnote-speech-" }))
  })
).pipe(Layer.provide(NodeServices.layer))
const lane = Layer.mergeAll(compute, ModelStore.layer, Layer.provide(blobs, NodeServices.layer))

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
const transcribeAll = Effect.fnUntraced(
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

const pcmOf = (samples: Float32Array) => {
  const bytes = Buffer.alloc(2 * samples.length)
  samples.forEach((sample, i) => bytes.writeInt16LE(Math.round(sample * 32767), 2 * i))
  return bytes
}

const lecture = fileBeside("samples/lecture.mp4")
const jfk = fileBeside("../shared/assets/audio/dev/jfk.flac")

describe("SpeechStage", () => {
  it.live("has nothing to transcribe in silence and noise, and calls the sound absent", () =>
    Effect.gen(function*() {
      for (const name of ["silence", "loud white noise"]) {
        const { found, transcript, warnings } = yield* transcribeAll(pcmOf(soundsWithoutSpeech[name]!), {})
        assert.deepStrictEqual([found.chunks, found.speech_seconds, warnings], [0, 0, []])
        assert.strictEqual(transcript.audio_branch, "absent")
        assert.deepStrictEqual(transcript.segments, [])
      }
    }).pipe(Effect.provide(lane)))

  it.live.skipIf(lecture === null)(
    "gives the same bytes in any order, one or several tasks at a time",
    () =>
      Effect.gen(function*() {
        // Twice the lecture makes more than one chunk.
        const once = yield* Effect.promise(() => decode(lecture!))
        const pcm = Buffer.concat([once, once])
        const one = yield* transcribeAll(pcm, {})
        const two = yield* transcribeAll(pcm, { width: 3, backwards: true })
        assert.isAbove(one.found.chunks, 1)
        assert.strictEqual(two.bytes, one.bytes)
      }).pipe(Effect.provide(lane))
  )

  it.live.skipIf(jfk === null)(
    "gives words of a real speech in time order within its seconds",
    () =>
      Effect.gen(function*() {
        const { transcript } = yield* transcribeAll(yield* Effect.promise(() => decode(jfk!)), {})
        assert.strictEqual(transcript.audio_branch, "present")
        // Half of its words are wrong, and so unsure that they could as well be of another language.
        assert.isNull(transcript.language)
        assert.match(transcript.model!, /^footnote-ctc-en@[0-9a-f]{12}$/u)
        const words = transcript.segments.flatMap(({ words }) => words)
        assert.isAbove(words.length, 10)
        for (const [i, word] of words.entries()) {
          assert.isAtMost(word.t_start, word.t_end)
          assert.isAtMost(word.t_end, 11)
          assert.isAtLeast(word.t_start, words[i - 1]?.t_start ?? 0)
        }
      }).pipe(Effect.provide(lane))
  )

  it.live.skipIf(lecture === null)(
    "guesses no English words where the caller says that German is spoken, and tells so",
    () =>
      Effect.gen(function*() {
        const pcm = (yield* Effect.promise(() => decode(lecture!))).subarray(0, 20 * 2 * SAMPLE_RATE)
        const { transcript, warnings } = yield* transcribeAll(pcm, { hints: { language: "de" } })
        assert.deepStrictEqual(warnings.map(({ code }) => code), ["LANGUAGE_UNSUPPORTED"])
        assert.deepStrictEqual([transcript.audio_branch, transcript.language, transcript.segments], [
          "present",
          "de",
          []
        ])
        assert.isNotEmpty(transcript.speakers)
      }).pipe(Effect.provide(lane))
  )
})
