import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { logMel } from "./FeatureExtractor.ts"
import { openRecogniser, type Recogniser } from "./Recogniser.ts"
import { openSpeakerEmbedding, type SpeakerEmbedding } from "./SpeakerEmbedding.ts"
import { openVad, type Vad } from "./Vad.ts"

/** The models of this repository. */
const modelFolder = fileURLToPath(new URL("../../models", import.meta.url))

/** The opened models of the lane. */
export interface SpeechModels {
  readonly vad: Vad
  readonly recogniser: Recogniser
  readonly embedding: SpeakerEmbedding
  /** Which recogniser this is: its name and the start of its file's SHA-256. */
  readonly name: string
}

/** Opens all models, each checked by a first run. Throws `OnnxModelError` when one of them cannot be used. */
export const openSpeechModels = async (folder: string = modelFolder): Promise<SpeechModels> => {
  const model = join(folder, "footnote-ctc-en.onnx")
  const recogniser = await openRecogniser({
    model,
    tokens: join(folder, "footnote-ctc-en.tokens.txt"),
    counts: join(folder, "lm", "en-counts.txt.gz")
  })
  const embedding = await openSpeakerEmbedding(join(folder, "footnote-speaker.onnx"))
  const silence = logMel(new Float32Array(8000))
  await recogniser.posteriors(silence)
  await embedding.embed(silence, 0, silence.frames)
  const digest = createHash("sha256").update(await readFile(model)).digest("hex")
  return { vad: await openVad(), recogniser, embedding, name: `footnote-ctc-en@${digest.slice(0, 12)}` }
}
