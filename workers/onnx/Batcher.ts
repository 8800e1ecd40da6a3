import { setImmediate as turn } from "node:timers/promises"
import { type CallRecorder, callsAtWork, workingFor } from "../compute/CallSpans.ts"
import { type Batch, type BatchLimits, makeBatchQueue, type Waiting } from "./BatchQueue.ts"

export interface Batcher<I, O> {
  /** The answer for one input, from a run that it may share. Rejects with the signal's reason, before a run or after. */
  readonly submit: (input: I, signal?: AbortSignal) => Promise<O>
}

interface Entry<I, O> extends Waiting {
  readonly input: I
  readonly calls: ReadonlyArray<CallRecorder>
  readonly signal: AbortSignal | undefined
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
}

/**
 * Puts inputs of several jobs into shared runs, one run at a time, in the order of `makeBatchQueue`. Cancelled inputs
 * leave before their run. A run that fails is tried again in halves, so that an input that breaks a model fails alone and
 * not its neighbours' jobs. The event loop gets a turn between runs and between answers: cancellations are heard.
 */
export const makeBatcher = <I extends Waiting, O>(
  limits: BatchLimits,
  run: (batch: Batch<I>) => Promise<ReadonlyArray<O>>
): Batcher<I, O> => {
  const queue = makeBatchQueue<Entry<I, O>>(limits)
  let running = false

  const settle = async (length: number, entries: ReadonlyArray<Entry<I, O>>): Promise<void> => {
    try {
      const calls = entries.flatMap((entry) => entry.calls)
      const outputs = await workingFor(calls, () => run({ length, items: entries.map(({ input }) => input) }))
      for (const [i, { resolve }] of entries.entries()) {
        resolve(outputs[i]!)
        // What follows an answer, such as decoding it, is done before the next one is given.
        await turn()
      }
    } catch (error) {
      if (entries.length === 1) return entries[0]!.reject(error)
      const half = Math.ceil(entries.length / 2)
      for (const part of [entries.slice(0, half), entries.slice(half)]) {
        await turn()
        const wanted = part.filter(({ signal }) => signal?.aborted !== true)
        if (wanted.length > 0) await settle(length, wanted)
      }
    }
  }

  const work = async () => {
    running = true
    // Everybody who is about to submit gets to do so before the first run is put together.
    await turn()
    for (let batch = queue.take(); batch !== undefined; batch = queue.take()) {
      await settle(batch.length, batch.items)
      await turn()
    }
    running = false
  }

  return {
    submit: (input, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason)
        const { length, tenant_id } = input
        const leave = () => {
          queue.remove(entry)
          reject(signal!.reason)
        }
        const entry: Entry<I, O> = {
          tenant_id,
          length,
          input,
          calls: callsAtWork(),
          signal,
          resolve: (output) => {
            signal?.removeEventListener("abort", leave)
            resolve(output)
          },
          reject: (error) => {
            signal?.removeEventListener("abort", leave)
            reject(error)
          }
        }
        signal?.addEventListener("abort", leave, { once: true })
        queue.add(entry)
        if (!running) void work()
      })
  }
}
