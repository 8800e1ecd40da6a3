import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { ExecutionProvider } from "../src/jobs/model/Provenance.ts"
import { probeDevice } from "../workers/onnx/Accelerator.ts"
import type { Device } from "../workers/onnx/Device.ts"
import { openCtcNetwork } from "../workers/speech/drivers/CtcNetwork.ts"
import { HOP, type LogMel, logMel, SAMPLE_RATE } from "../workers/speech/dsp/FeatureExtractor.ts"

const model = fileURLToPath(new URL("../models/footnote-ctc-en.onnx", import.meta.url))

const SIZES = [1, 2, 4, 8, 16, 32]
const SECONDS = [5, 20]
const RUNS = 3
/** A device on which one run takes this long is not measured with larger batches. */
const PATIENCE_MS = 20_000

/** Noise: a network without attention takes the same time for any sound. */
const noise = (seconds: number): LogMel => {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return 0.2 * (state / 2 ** 31 - 1)
  }
  return logMel(Float32Array.from({ length: seconds * SAMPLE_RATE - HOP }, next))
}

/** Median milliseconds of one run of `size` slices, after one that is not counted. */
const measure = async (device: Device, sound: LogMel, size: number): Promise<number> => {
  const limits = { items: size, frames: Number.POSITIVE_INFINITY, pad: (length: number) => length }
  await using network = await openCtcNetwork(model, { device, limits })
  if (network.execution_provider !== device.execution_provider) throw new Error("The model runs elsewhere")
  const times: Array<number> = []
  for (let run = 0; run <= RUNS; run++) {
    const began = performance.now()
    await Promise.all(Array.from({ length: size }, () => network.posteriors(sound)))
    times.push(performance.now() - began)
    if (times[run]! > PATIENCE_MS) break
  }
  const counted = (times.length > 1 ? times.slice(1) : times).toSorted((a, b) => a - b)
  return counted[counted.length >> 1]!
}

/**
 * Time that the speech network takes per second of sound, by provider, slice length and batch size; a provider that
 * cannot be used on this machine is printed as unmeasured, with the reason.
 */
export const run = async () => {
  const measured: Record<string, Record<string, number>> = {}
  for (const execution_provider of ExecutionProvider.literals) {
    const device = { execution_provider, device_id: 0 }
    const refusal = await Effect.runPromise(probeDevice(device))
    if (refusal !== null) {
      console.log(`${execution_provider}: unmeasured: no such device here (${refusal})`)
      continue
    }
    for (const seconds of SECONDS) {
      const sound = noise(seconds)
      const row: Record<string, number> = {}
      for (const size of SIZES) {
        const ms = await measure(device, sound, size)
        row[`batch ${size}`] = Number((ms / 1000 / (size * seconds)).toPrecision(3))
        if (ms > PATIENCE_MS) break
      }
      measured[`${execution_provider}, ${seconds} s`] = row
    }
  }
  console.log("real-time factor of the speech network")
  console.table(measured)
  return measured
}
