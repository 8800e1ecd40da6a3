import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { ResolvedModel } from "../../src/model-stacks/ResolvedStack.ts"
import { cpu, type Device } from "../onnx/Device.ts"
import { OnnxModelError } from "../onnx/OnnxSession.ts"
import { openCtcRecogniser } from "./drivers/CtcRecogniser.ts"
import { openSherpaEmbedding } from "./drivers/SherpaEmbedding.ts"
import { openSherpaRecogniser } from "./drivers/SherpaRecogniser.ts"
import type { Recogniser } from "./Recogniser.ts"
import { soundSlice } from "./SoundSlice.ts"
import { openSpeakerEmbedding, type SpeakerEmbedding } from "./SpeakerEmbedding.ts"
import { openVad, type Vad } from "./Vad.ts"

const noDriver = (role: string, { driver, name }: ResolvedModel) =>
  new OnnxModelError(`The model ${name} wants the driver ${driver}, which is none for ${role}`)

const fileOf = ({ driver, files, name }: ResolvedModel, key: string): string => {
  const file = files[key]
  if (file === undefined) {
    throw new OnnxModelError(`The model ${name} lacks the file ${key} that the driver ${driver} needs`)
  }
  return file
}

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
    case "sherpa": {
      const main = model.options["type"] === "nemo_ctc" ? "model" : "encoder"
      fileOf(model, main)
      return openSherpaRecogniser({ ...model, name: await versionOf(model, main) })
    }
    default:
      throw noDriver("recognising speech", model)
  }
}

/** A model's name and the start of its main file's SHA-256. */
const versionOf = async ({ files, name, sha256 }: ResolvedModel, key: string): Promise<string> => {
  const path = files[key]!
  let digest = sha256[key]
  if (digest === undefined) {
    try {
      digest = createHash("sha256").update(await readFile(path)).digest("hex")
    } catch (cause) {
      throw new OnnxModelError(`Model file ${path} cannot be read`, { cause })
    }
  }
  return `${name}@${digest.slice(0, 12)}`
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
