import { Effect } from "effect"
import { type JobFailureCode, StageFailure } from "../../src/jobs/JobFailure.ts"
import type { JobHints } from "../../src/jobs/JobSpec.ts"
import type { Warning } from "../../src/jobs/StageIo.ts"
import { type BlobError, Blobs } from "../../src/storage/Blobs.ts"
import { Compute, type StageHandler } from "../Stage.ts"
import { RECOGNISED_LANGUAGE } from "./RecognisedChunk.ts"
import type { DetectSpeechCall, DiarizeCall, TranscribeCall } from "./SpeechCalls.ts"

const code: JobFailureCode = "INTERNAL"

/** A lost blob may be on a file system that comes back; another attempt can help. */
const fromStore = <A, R>(effect: Effect.Effect<A, BlobError, R>): Effect.Effect<A, StageFailure, R> =>
  Effect.mapError(
    effect,
    ({ message }) => new StageFailure({ code, message: `Blob store: ${message}`, retryable: true })
  )

const recognises = ({ language }: JobHints) => language === undefined || language.split("-")[0] === RECOGNISED_LANGUAGE

/**
 * The speech lane: where speech is, what is said, and who says it. The models run in the lane's child process. A source
 * in a language that the recogniser does not know, by the caller's hint, gets speakers but no guessed words, and the
 * warning `LANGUAGE_UNSUPPORTED`. Fails with the child's own codes, and with `INTERNAL` when the blob store is away.
 */
export const makeSpeechStages = Effect.gen(function*() {
  const blobs = yield* Blobs
  const compute = yield* Compute
  const path = (key: string) => fromStore(blobs.localPath(key))
  const keep = (key: string, value: object) => fromStore(blobs.put(key, Buffer.from(JSON.stringify(value))))
  const call = <C extends { readonly input: object; readonly output: object }>(name: string, input: C["input"]) =>
    compute.call(name, input) as Effect.Effect<C["output"], StageFailure>

  const detect_speech: StageHandler<"detect_speech"> = Effect.fn("detect_speech")(
    function*({ blobPrefix, input, progress }) {
      const { chunks, speech_seconds } = yield* call<DetectSpeechCall>("detect_speech", {
        pcm: yield* path(input.pcm.key)
      })
      const speech = yield* keep(`${blobPrefix}/speech.json`, chunks)
      yield* progress(input.duration_seconds, input.duration_seconds)
      return { speech, chunks: chunks.length, speech_seconds, warnings: [] }
    }
  )

  const transcribe: StageHandler<"transcribe"> = Effect.fn("transcribe")(function*({ blobPrefix, input, spec }) {
    const { model_seconds, recognised } = yield* call<TranscribeCall>("transcribe", {
      pcm: yield* path(input.pcm.key),
      speech: yield* path(input.speech.key),
      chunk: input.chunk,
      terms: [...(spec.hints.vocabulary ?? []), ...(spec.hints.participants ?? [])],
      recognises: recognises(spec.hints)
    })
    return { words: yield* keep(`${blobPrefix}/words.json`, recognised), model_seconds }
  })

  const diarize: StageHandler<"diarize"> = Effect.fn("diarize")(function*({ blobPrefix, input, progress, spec }) {
    const { transcript } = yield* call<DiarizeCall>("diarize", {
      words: yield* Effect.forEach(input.words, ({ key }) => path(key)),
      captions: input.captions === null ? null : yield* path(input.captions.key),
      duration_seconds: input.duration_seconds,
      hints: spec.hints
    })
    yield* progress(input.duration_seconds, input.duration_seconds)
    const warnings: Array<Warning> = recognises(spec.hints) || transcript.audio_branch === "absent" ? [] : [{
      code: "LANGUAGE_UNSUPPORTED",
      message: `The model stack ${spec.model_stack} has no recogniser for the language ${spec.hints.language}.`
    }]
    return { transcript: yield* keep(`${blobPrefix}/transcript.json`, transcript), warnings }
  })

  return { detect_speech, transcribe, diarize }
})
