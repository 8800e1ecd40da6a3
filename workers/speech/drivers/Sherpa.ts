import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"

/** What one run of `sherpa-onnx-node` hears. Lists stay empty where the kind of model does not tell. */
export interface SherpaResult {
  readonly text: string
  /** Text pieces; one that begins a word begins with a space. */
  readonly tokens: ReadonlyArray<string>
  /** Seconds at which each token begins. */
  readonly timestamps?: ReadonlyArray<number>
  readonly durations?: ReadonlyArray<number>
  /** Natural logarithm of each token's probability. */
  readonly ys_log_probs?: ReadonlyArray<number>
  readonly lang: string
}

interface Sound {
  readonly samples: Float32Array
  readonly sampleRate: number
}

interface SherpaRecognizerConfig {
  readonly featConfig: { readonly sampleRate: number; readonly featureDim: number }
  readonly modelConfig: Readonly<Record<string, unknown>>
}

export interface SherpaRecognizer {
  readonly createStream: () => { readonly acceptWaveform: (sound: Sound) => void }
  readonly decodeAsync: (stream: object) => Promise<SherpaResult>
  readonly setConfig: (config: SherpaRecognizerConfig) => void
}

export interface SherpaEmbeddingExtractor {
  readonly createStream: () => {
    readonly acceptWaveform: (sound: Sound) => void
    readonly inputFinished: () => void
  }
  readonly isReady: (stream: object) => boolean
  readonly compute: (stream: object, external: boolean) => Float32Array
}

/** The part of `sherpa-onnx-node` that is used; the package has no types of its own. */
interface Sherpa {
  readonly OfflineRecognizer: {
    readonly createAsync: (config: SherpaRecognizerConfig) => Promise<SherpaRecognizer>
  }
  readonly SpeakerEmbeddingExtractor: new(
    config: { readonly model: string; readonly numThreads: number; readonly provider: string }
  ) => SherpaEmbeddingExtractor
}

/**
 * Loads `sherpa-onnx-node`, when a model first needs it: the package has no binary for some platforms, where stacks
 * without it work all the same. Throws `OnnxModelError` where it cannot be loaded.
 */
export const loadSherpa = async (): Promise<Sherpa> => {
  try {
    // @ts-expect-error The package ships no declarations.
    const { default: sherpa } = await import("sherpa-onnx-node")
    return sherpa
  } catch (cause) {
    throw new OnnxModelError(`sherpa-onnx-node cannot be loaded on ${process.platform}-${process.arch}`, { cause })
  }
}

/**
 * Frees what was let go of. The engine has no call that frees a model: it goes when its JavaScript handle is collected,
 * and a handle of a few bytes may never press the collector to run while its model holds a gigabyte.
 */
export const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}
