import type { ExecutionProvider } from "../../../src/jobs/model/Provenance.ts"
import { makeBatcher } from "../../onnx/Batcher.ts"
import { type BatchLimits, padByQuarters, type Waiting } from "../../onnx/BatchQueue.ts"
import { cpu, type Device } from "../../onnx/Device.ts"
import { DeviceLostError, type OnnxSession, openSession } from "../../onnx/OnnxSession.ts"
import type { Posteriors } from "../ctc/CtcAlignment.ts"
import { type LogMel, MEL_BINS, normalise } from "../dsp/FeatureExtractor.ts"

/** Feature frames per output frame, where the stack tells nothing else: 40 ms. */
export const SUBSAMPLING = 4

/**
 * One slice per run, unpadded. Padding alone changes no bit, but a row of a batch of 2 to 16 is up to 5e-6 from the same
 * row alone (9 lengths, 3 paddings), so that words could depend on which other jobs are around. And it would gain nothing:
 * on one thread a slice took 0.96 to 1.3 times as long in a batch as alone (`npm run bench -- batches`).
 */
const cpuLimits: BatchLimits = { items: 1, frames: Number.POSITIVE_INFINITY, pad: (length) => length }

/** 32 slices of 20 s: far below what a GPU holds, and short enough that a cancelled job's run is over in a moment. */
const gpuLimits: BatchLimits = { items: 64, frames: 64_000, pad: padByQuarters }

interface Caller {
  /** Runs are shared out fairly between tenants. */
  readonly tenant_id?: string
  readonly signal?: AbortSignal
}

export interface CtcNetwork extends AsyncDisposable {
  readonly execution_provider: ExecutionProvider
  /** Log-probabilities per output frame of raw log-mel features. Rejects with the signal's reason when it is aborted. */
  readonly posteriors: (features: LogMel, caller?: Caller) => Promise<Posteriors>
}

interface Slice extends Waiting {
  readonly features: LogMel
}

/**
 * Opens the network of a CTC recogniser in NeMo's layout. On a GPU, slices of all callers share runs by length; on the CPU
 * each runs alone, so that its answer is the same to the last bit whatever else is asked. Throws `OnnxModelError` when
 * the file cannot be opened there.
 */
export const openCtcNetwork = async (
  path: string,
  options: { readonly device?: Device; readonly limits?: BatchLimits; readonly subsampling?: number } = {}
): Promise<CtcNetwork> => {
  const session = await openSession(path, { device: options.device ?? cpu })
  const { execution_provider } = session
  const { subsampling = SUBSAMPLING } = options
  const limits = options.limits ?? (execution_provider === "cpu" ? cpuLimits : gpuLimits)

  const batcher = makeBatcher<Slice, Posteriors>(limits, async ({ items, length }) => {
    const data = new Float32Array(items.length * MEL_BINS * length)
    for (const [row, { features }] of items.entries()) {
      const { data: bins, frames } = normalise(features)
      for (let m = 0; m < MEL_BINS; m++) {
        data.set(bins.subarray(m * frames, (m + 1) * frames), (row * MEL_BINS + m) * length)
      }
    }
    const { logprobs } = await session.run({
      audio_signal: { data, dims: [items.length, MEL_BINS, length] },
      length: { data: BigInt64Array.from(items, (item) => BigInt(item.length)), dims: [items.length] }
    }).catch(async (error: unknown) => {
      if (execution_provider === "cpu" || items.length > 1 || await stillRuns(session)) throw error
      throw new DeviceLostError(`${execution_provider} has stopped working`, { cause: error })
    })
    const [, steps, tokens] = logprobs!.dims as readonly [number, number, number]
    const all = logprobs!.data as Float32Array
    return items.map((item, row): Posteriors => {
      const frames = Math.ceil(item.length / subsampling)
      return { data: all.slice(row * steps * tokens, (row * steps + frames) * tokens), frames, tokens }
    })
  })

  return {
    execution_provider,
    posteriors: (features, { signal, tenant_id = "" } = {}) =>
      batcher.submit({ tenant_id, length: features.frames, features }, signal),
    [Symbol.asyncDispose]: () => session.dispose()
  }
}

/** After a slice that failed alone: whether it was the slice, or nothing can be run any more. */
const stillRuns = async (session: OnnxSession): Promise<boolean> => {
  const frames = 64
  const silence = { data: new Float32Array(MEL_BINS * frames), dims: [1, MEL_BINS, frames] }
  const feeds = { audio_signal: silence, length: { data: BigInt64Array.of(BigInt(frames)), dims: [1] } }
  return session.run(feeds).then(() => true, () => false)
}
