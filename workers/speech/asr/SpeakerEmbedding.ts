import { OnnxModelError, openSession } from "../../onnx/OnnxSession.ts"
import { MEL_BINS, sliceFrames } from "../dsp/FeatureExtractor.ts"
import type { SoundSlice } from "../dsp/SoundSlice.ts"
import { readOnnxMetadata } from "./OnnxMetadata.ts"

/** 0.4 s: below it a voice is told no better than by chance. */
export const LEAST_VOICE_FRAMES = 40

export interface SpeakerEmbedding extends AsyncDisposable {
  /**
   * How far speakers differ in each dimension of a voice, as a variance, where one speaker varies by 1. Null where
   * voices are directions of unit length.
   */
  readonly spread: ReadonlyArray<number> | null
  /** The voice in the 10 ms frames `[from, to)` of a sound, null when they are too few. */
  readonly embed: (sound: SoundSlice, from: number, to: number) => Promise<Float32Array | null>
}

/**
 * Opens the speaker network; its file's metadata tell the `spread`. Throws `OnnxModelError` when it cannot be loaded or
 * tells something else than positive numbers.
 */
export const openSpeakerEmbedding = async (path: string): Promise<SpeakerEmbedding> => {
  const session = await openSession(path)
  const told = (await readOnnxMetadata(path)).get("spread")
  const spread = told === undefined ? null : told.split(",").map(Number)
  if (spread !== null && !spread.every((x) => x > 0)) {
    throw new OnnxModelError(`Model file ${path} has no usable spread of voices`)
  }
  return {
    spread,
    embed: async (sound, from, to) => {
      const part = sliceFrames(sound.features(), from, to)
      if (part.frames < LEAST_VOICE_FRAMES) return null
      const { embedding } = await session.run({
        features: { data: part.data, dims: [1, MEL_BINS, part.frames] }
      })
      const voice = embedding!.data as Float32Array
      return spread === null ? unitVector(voice) : voice
    },
    [Symbol.asyncDispose]: () => session.dispose()
  }
}

/** A vector brought to length one. */
export const unitVector = (vector: Float32Array): Float32Array => {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
  return vector.map((x) => x / norm)
}
