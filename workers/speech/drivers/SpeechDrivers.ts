import type { ResolvedModel } from "../../../src/model-stacks/ResolvedStack.ts"
import { cpu, type Device } from "../../onnx/Device.ts"
import { fileOf, noDriver, versionOf } from "../../onnx/ModelFiles.ts"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"
import type { Recogniser } from "../asr/Recogniser.ts"
import type { SpeakerTracker } from "../asr/SpeakerActivity.ts"
import { openSpeakerEmbedding, type SpeakerEmbedding } from "../asr/SpeakerEmbedding.ts"
import type { PcmFile } from "../dsp/PcmFile.ts"
import { soundSlice } from "../dsp/SoundSlice.ts"
import { openVad, type Vad } from "../vad/Vad.ts"
import { openCtcRecogniser } from "./CtcRecogniser.ts"
import { openMoonshineRecogniser } from "./MoonshineRecogniser.ts"
import { openSherpaEmbedding } from "./SherpaEmbedding.ts"
import { openSherpaRecogniser } from "./SherpaRecogniser.ts"
import { openSortformerTracker } from "./SortformerTracker.ts"
import { openTdtRecogniser } from "./TdtRecogniser.ts"

/** Half a second of silence: a model that cannot be run fails when it is opened, not in the middle of a job. */
const silence = () => soundSlice(new Float32Array(8000), 0)

/** Opens the voice detector of a stack. Throws `OnnxModelError` when it cannot be used. */
export const openVadOf = async (model: ResolvedModel): Promise<Vad> => {
  if (model.driver !== "silero") throw noDriver("finding speech", model)
  return openVad(fileOf(model, "model"))
}

/** Opens a recogniser of a stack, checked by a first run. Throws `OnnxModelError` when it cannot be used. */
export const openRecogniserOf = async (model: ResolvedModel, device: Device = cpu): Promise<Recogniser> => {
  const recogniser = await driverOf(model, device)
  await recogniser.recognise([silence()], { terms: [], language: null })
  return recogniser
}

const driverOf = async (model: ResolvedModel, device: Device): Promise<Recogniser> => {
  switch (model.driver) {
    case "ctc": {
      const { words } = model.files
      const files = {
        model: fileOf(model, "model"),
        tokens: fileOf(model, "tokens"),
        ...(words === undefined ? {} : { words })
      }
      return openCtcRecogniser(files, { ...model, name: await versionOf(model, "model"), device })
    }
    case "moonshine": {
      const files = {
        encoder: fileOf(model, "encoder"),
        decoder: fileOf(model, "decoder"),
        aligner: fileOf(model, "aligner"),
        letters: fileOf(model, "letters")
      }
      return openMoonshineRecogniser(files, { ...model, name: await versionOf(model, "encoder"), device })
    }
    case "sherpa": {
      const main = model.options["type"] === "nemo_ctc" ? "model" : "encoder"
      fileOf(model, main)
      return openSherpaRecogniser({ ...model, name: await versionOf(model, main) })
    }
    case "tdt": {
      const files = {
        encoder: fileOf(model, "encoder"),
        decoder: fileOf(model, "decoder"),
        tokens: fileOf(model, "tokens")
      }
      return openTdtRecogniser(files, { ...model, name: await versionOf(model, "encoder"), device })
    }
    default:
      throw noDriver("recognising speech", model)
  }
}

/** Opens the speaker network of a stack, checked by a first run. Throws `OnnxModelError` when it cannot be used. */
export const openEmbeddingOf = async (model: ResolvedModel): Promise<SpeakerEmbedding> => {
  const embedding = await embeddingOf(model)
  await embedding.embed(silence(), 0, 50)
  return embedding
}

const embeddingOf = (model: ResolvedModel): Promise<SpeakerEmbedding> => {
  switch (model.driver) {
    case "embedding":
      return openSpeakerEmbedding(fileOf(model, "model"))
    case "sherpa-embedding":
      return openSherpaEmbedding(fileOf(model, "model"))
    default:
      throw noDriver("telling speakers apart", model)
  }
}

/** Half a second of silence as a file. */
const silentPcm: PcmFile = {
  samples: 8000,
  seconds: 0.5,
  read: (from, to) => Promise.resolve(new Float32Array(Math.max(0, Math.min(8000, to) - from))),
  [Symbol.asyncDispose]: () => Promise.resolve()
}

/** Opens the network of a stack that hears several voices at once, checked by a first run. Throws `OnnxModelError` when it cannot be used. */
export const openTrackerOf = async (model: ResolvedModel): Promise<SpeakerTracker> => {
  if (model.driver !== "sortformer") throw noDriver("telling who speaks when", model)
  const tracker = await openSortformerTracker(fileOf(model, "model"), model)
  try {
    await tracker.track(silentPcm, {})
  } catch (cause) {
    await tracker[Symbol.asyncDispose]()
    throw new OnnxModelError(`The model ${model.name} does not run: ${(cause as Error).message}`, { cause })
  }
  return tracker
}
