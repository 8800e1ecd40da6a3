import { openSession } from "../onnx/OnnxSession.ts"
import { type LogMel, MEL_BINS, sliceFrames } from "./FeatureExtractor.ts"

/** 0.4 s: below it a voice is told no better than by chance. */
const LEAST_FRAMES = 40

export interface SpeakerEmbedding extends AsyncDisposable {
  /** The voice in frames `[from, to)` of raw log-mel features as a vector of unit length, null when they are too few. */
  readonly embed: (features: LogMel, from: number, to: number) => Promise<Float32Array | null>
}

/** Opens the speaker network. Throws `OnnxModelError` when it cannot be loaded. */
export const openSpeakerEmbedding = async (path: string): Promise<SpeakerEmbedding> => {
  const session = await openSession(path)
  return {
    embed: async (features, from, to) => {
      const part = sliceFrames(features, from, to)
      if (part.frames < LEAST_FRAMES) return null
      const { embedding } = await session.run({
        features: { data: part.data, dims: [1, MEL_BINS, part.frames] }
      })
      return unit(embedding!.data as Float32Array)
    },
    [Symbol.asyncDispose]: () => session.dispose()
  }
}

const unit = (vector: Float32Array): Float32Array => {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
  return vector.map((x) => x / norm)
}
