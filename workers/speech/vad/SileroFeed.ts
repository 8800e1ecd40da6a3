import { OnnxModelError, type OnnxSession, type OnnxTensor } from "../../onnx/OnnxSession.ts"
import { SAMPLE_RATE } from "../dsp/FeatureExtractor.ts"

/** How one version of Silero's detector is fed: sound in equal steps, its memory handed back to it each time. */
export interface SileroFeed {
  /** New samples per probability. */
  readonly step: number
  /** Samples of the step before that come along. */
  readonly context: number
  /** Shape of each state tensor. */
  readonly state: ReadonlyArray<number>
  /** The state's input and output names. */
  readonly states: ReadonlyArray<readonly [input: string, output: string]>
  readonly takesRate: boolean
}

const has = (names: ReadonlyArray<string>, all: ReadonlyArray<string>) => names.every((name) => all.includes(name))

/**
 * How an opened file wants to be fed, by its input names: versions 5 and 6 take 32 ms with 4 ms of context, version 4
 * takes 96 ms. Throws `OnnxModelError` for a file that is no such detector.
 */
export const sileroFeed = ({ inputs, outputs }: Pick<OnnxSession, "inputs" | "outputs">): SileroFeed => {
  const takesRate = inputs.includes("sr")
  if (has(["input", "state"], inputs) && has(["output", "stateN"], outputs)) {
    return { step: 512, context: 64, state: [2, 1, 128], states: [["state", "stateN"]], takesRate }
  }
  if (has(["input", "h", "c"], inputs) && has(["output", "hn", "cn"], outputs)) {
    return { step: 1536, context: 0, state: [2, 1, 64], states: [["h", "hn"], ["c", "cn"]], takesRate }
  }
  throw new OnnxModelError(`No voice detector of Silero's takes ${inputs.join(", ")} and gives ${outputs.join(", ")}`)
}

/** Feeds one sound, step after step, from the start: how likely somebody speaks in each. */
export const sileroRun = (session: OnnxSession, feed: SileroFeed) => {
  const { context, state, states, step, takesRate } = feed
  const size = state.reduce((product, n) => product * n, 1)
  const input = new Float32Array(context + step)
  let memory: Record<string, OnnxTensor> = Object.fromEntries(
    states.map(([name]) => [name, { data: new Float32Array(size), dims: state }])
  )
  const rate: Record<string, OnnxTensor> = takesRate
    ? { sr: { data: BigInt64Array.of(BigInt(SAMPLE_RATE)), dims: [] } }
    : {}
  /** A step that is cut short by the end of the file is filled up with silence. */
  return async (samples: Float32Array): Promise<number> => {
    input.copyWithin(0, step)
    input.fill(0, context)
    input.set(samples, context)
    const results = await session.run({ input: { data: input, dims: [1, context + step] }, ...memory, ...rate })
    memory = Object.fromEntries(states.map(([name, output]) => [name, results[output]!]))
    return results["output"]!.data[0] as number
  }
}
