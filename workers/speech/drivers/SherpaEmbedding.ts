import { modelBeingOpened, runningModel } from "../../compute/CallSpans.ts"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"
import { readOnnxMetadata } from "../asr/OnnxMetadata.ts"
import { LEAST_VOICE_FRAMES, type SpeakerEmbedding, unitVector } from "../asr/SpeakerEmbedding.ts"
import { HOP, SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"
import { collectGarbage, loadSherpa, type SherpaEmbeddingExtractor } from "./Sherpa.ts"

/** What the engine reads from a network of each framework; it ends the process where a key is not there. */
const keys: Readonly<Record<string, ReadonlyArray<string>>> = {
  wespeaker: ["output_dim", "sample_rate", "normalize_samples", "language"],
  "3d-speaker": ["output_dim", "sample_rate", "normalize_samples", "language"],
  nemo: ["output_dim", "feat_dim", "sample_rate", "window_size_ms", "window_stride_ms", "language"]
}

/**
 * Opens a speaker network of `sherpa-onnx-node`: TitaNet of NeMo, WeSpeaker or 3D-Speaker, told apart by the file's own
 * metadata. Throws `OnnxModelError`, naming the file, when it cannot be used.
 */
export const openSherpaEmbedding = async (path: string): Promise<SpeakerEmbedding> => {
  const metadata = await readOnnxMetadata(path)
  const framework = metadata.get("framework") ?? "no framework"
  const missing = keys[framework]?.filter((key) => !metadata.has(key))
  if (missing === undefined) throw new OnnxModelError(`Model file ${path} is of ${framework} that is known`)
  if (missing.length > 0) throw new OnnxModelError(`Model file ${path} lacks the metadata ${missing.join(", ")}`)
  const { SpeakerEmbeddingExtractor } = await loadSherpa()
  const opened = modelBeingOpened()
  let extractor: SherpaEmbeddingExtractor | undefined
  try {
    extractor = new SpeakerEmbeddingExtractor({ model: path, numThreads: 1, provider: "cpu" })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OnnxModelError(`Model file ${path} is not a usable speaker network: ${reason}`, { cause })
  }
  return {
    spread: null,
    embed: async ({ samples }, from, to) => {
      if (extractor === undefined) throw new OnnxModelError(`The model ${path} has been closed`)
      const part = samples.subarray(Math.max(0, from * HOP), Math.max(0, to * HOP))
      if (part.length < LEAST_VOICE_FRAMES * HOP) return null
      const stream = extractor.createStream()
      stream.acceptWaveform({ samples: part, sampleRate: SAMPLE_RATE })
      stream.inputFinished()
      // Its own memory, not the engine's: that goes when the extractor does.
      const open = extractor
      if (!open.isReady(stream)) return null
      return unitVector(await runningModel(opened, 1, async () => open.compute(stream, false)))
    },
    [Symbol.asyncDispose]: async () => {
      extractor = undefined
      collectGarbage()
    }
  }
}
