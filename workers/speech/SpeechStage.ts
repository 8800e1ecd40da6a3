import { Effect } from "effect"
import type { Warning } from "../../src/jobs/model/StageIo.ts"
import { ModelStore } from "../../src/model-stacks/ModelStore.ts"
import type { BlobRef } from "../../src/storage/BlobRef.ts"
import { Blobs } from "../../src/storage/Blobs.ts"
import { blobFile } from "../../src/storage/CheckedBlobs.ts"
import { baseLanguage } from "../../src/text/LanguageTag.ts"
import { Compute } from "../compute/Compute.ts"
import { fromStore } from "../engine/FromStore.ts"
import { usesOn } from "../engine/ModelUses.ts"
import { stackAway } from "../engine/StackAway.ts"
import type { StageHandler } from "../engine/Stage.ts"
import { recogniserFor } from "./asr/SpeechRoles.ts"
import { expectedTerms } from "./ctc/HotWords.ts"
import { tracksSpeakers } from "./diarization/ChannelSpeakers.ts"
import { speechCalls } from "./SpeechCalls.ts"

/**
 * The speech lane: where speech is, what is said, and who says it. The models run in the lane's child process. A source
 * in a language that the recogniser does not know, by the caller's hint, gets speakers but no guessed words, and the
 * warning `LANGUAGE_UNSUPPORTED`. Fails with the child's own codes, with `MODEL_UNAVAILABLE` when the job's stack is not
 * here with the files that were locked, and with `INTERNAL` when the blob store is away.
 */
export const makeSpeechStages = Effect.gen(function*() {
  const blobs = yield* Blobs
  const compute = yield* Compute
  const store = yield* ModelStore
  /** Files that are not here may be fetched meanwhile, but not within the seconds between two attempts. */
  const rolesOf = (stack: string) =>
    store.resolve(stack).pipe(
      Effect.map(({ roles }) => roles),
      Effect.catch(stackAway(store, stack))
    )
  const path = (ref: BlobRef) => fromStore(blobFile(blobs, ref))
  const keep = (key: string, value: object) => fromStore(blobs.put(key, Buffer.from(JSON.stringify(value))))

  const detect_speech: StageHandler<"detect_speech"> = Effect.fn("detect_speech")(
    function*({ blobPrefix, input, progress, spec, tenant_id }) {
      const { turns, vad } = yield* rolesOf(spec.model_stack)
      const pcm = yield* path(input.pcm)
      const { chunks, models, speech_seconds } = yield* compute.call(speechCalls.detect_speech, { pcm, roles: { vad } })
      const speech = yield* keep(`${blobPrefix}/speech.json`, chunks)
      const tracked = turns === undefined || chunks.length === 0 || !tracksSpeakers(spec.hints)
        ? null
        : yield* compute.call(speechCalls.track_speakers, { tenant_id, pcm, roles: { turns } })
      yield* progress(input.duration_seconds, input.duration_seconds)
      return {
        speech,
        chunks: chunks.length,
        speech_seconds,
        ...(tracked === null ? {} : {
          turns: yield* keep(`${blobPrefix}/turns.json`, tracked.activity),
          model_seconds: tracked.model_seconds
        }),
        models: yield* usesOn(store, spec.model_stack, [...models, ...tracked?.models ?? []]),
        warnings: []
      }
    }
  )

  const transcribe: StageHandler<"transcribe"> = Effect.fn("transcribe")(
    function*({ blobPrefix, input, spec, tenant_id }) {
      const roles = yield* rolesOf(spec.model_stack)
      const language = baseLanguage(spec.hints.language)
      const recogniser = recogniserFor(roles, language)
      const { model_seconds, models, recognised } = yield* compute.call(speechCalls.transcribe, {
        tenant_id,
        pcm: yield* path(input.pcm),
        speech: yield* path(input.speech),
        chunk: input.chunk,
        terms: expectedTerms(spec),
        language,
        recognises: recogniser !== null,
        roles: { asr: recogniser ?? roles.asr, speaker: roles.speaker }
      })
      return {
        words: yield* keep(`${blobPrefix}/words.json`, recognised),
        model_seconds,
        models: yield* usesOn(store, spec.model_stack, models)
      }
    }
  )

  const diarize: StageHandler<"diarize"> = Effect.fn("diarize")(function*({ blobPrefix, input, progress, spec }) {
    const recogniser = recogniserFor(yield* rolesOf(spec.model_stack), baseLanguage(spec.hints.language))
    const { transcript } = yield* compute.call(speechCalls.diarize, {
      words: yield* Effect.forEach(input.words, path),
      turns: input.turns === undefined ? null : yield* path(input.turns),
      captions: input.captions === null ? null : yield* path(input.captions),
      descriptions: yield* Effect.forEach(input.descriptions, path),
      duration_seconds: input.duration_seconds,
      hints: spec.hints,
      terms: expectedTerms(spec),
      recogniser
    })
    yield* progress(input.duration_seconds, input.duration_seconds)
    const warnings: Array<Warning> = recogniser !== null || transcript.audio_branch === "absent" ? [] : [{
      code: "LANGUAGE_UNSUPPORTED",
      message: `The model stack ${spec.model_stack} has no recogniser for the language ${spec.hints.language}.`
    }]
    return { transcript: yield* keep(`${blobPrefix}/transcript.json`, transcript), warnings }
  })

  return { detect_speech, transcribe, diarize }
})
