import { Effect } from "effect"
import { ModelStore } from "../../../src/model-stacks/ModelStore.ts"
import type { SpeechModels } from "../asr/SpeechModels.ts"
import type { SpeechRoles } from "../asr/SpeechRoles.ts"
import { openEmbeddingOf, openRecogniserOf, openVadOf } from "./SpeechDrivers.ts"

/** The models of a stack of this deployment. Rejects when its files are not here or not the locked ones. */
export const speechRolesOf = (stack: string): Promise<SpeechRoles> =>
  Effect.runPromise(
    Effect.flatMap(ModelStore, (store) => store.resolve(stack)).pipe(
      Effect.map(({ roles }) => roles),
      Effect.provide(ModelStore.layer)
    )
  )

/** Opens all models, by default the built-in ones. Throws `OnnxModelError` when one of them cannot be used. */
export const openSpeechModels = async (roles?: SpeechRoles): Promise<SpeechModels> => {
  const { asr, speaker, vad: detector } = roles ?? await speechRolesOf("builtin")
  const recogniser = await openRecogniserOf(asr)
  const embedding = await openEmbeddingOf(speaker)
  const vad = await openVadOf(detector)
  return {
    vad,
    recogniser,
    embedding,
    [Symbol.asyncDispose]: async () => {
      for (const model of [vad, recogniser, embedding]) await model[Symbol.asyncDispose]()
    }
  }
}
