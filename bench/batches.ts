import { Effect } from "effect"
import { ExecutionProvider } from "../src/jobs/model/Provenance.ts"
import { probeDevice } from "../workers/onnx/Accelerator.ts"
import { cpu, type Device } from "../workers/onnx/Device.ts"
import { type Network, networks } from "./batches/Networks.ts"

const RUNS = 3
/** A device on which one run takes this long is not measured with larger batches. */
const PATIENCE_MS = 20_000

interface Measured {
  /** Milliseconds for one of the batch: the median of the runs after one that is not counted. */
  readonly ms: number
  readonly answer: ReadonlyArray<Float32Array>
}

const measure = async (network: Network, device: Device, size: number): Promise<Measured> => {
  await using opened = await network.open(device, size)
  const times: Array<number> = []
  let answer: ReadonlyArray<Float32Array> = []
  for (let run = 0; run <= RUNS; run++) {
    const began = performance.now()
    answer = await opened.run()
    times.push(performance.now() - began)
    if (times[run]! > PATIENCE_MS) break
  }
  const counted = (times.length > 1 ? times.slice(1) : times).toSorted((a, b) => a - b)
  return { ms: counted[counted.length >> 1]! / size, answer }
}

/** The largest difference of any number of two answers. */
const furthest = (mine: Measured["answer"], theirs: Measured["answer"]): number => {
  let far = 0
  for (const [at, values] of mine.entries()) {
    for (const [index, value] of values.entries()) far = Math.max(far, Math.abs(value - theirs[at]![index]!))
  }
  return far
}

/** All networks on one device by batch size; where it is no CPU, how far its answers are from the CPU's. */
const measureDevice = async (device: Device): Promise<Record<string, Record<string, number>>> => {
  const table: Record<string, Record<string, number>> = {}
  for (const network of networks) {
    const row: Record<string, number> = {}
    for (const size of network.sizes) {
      const { answer, ms } = await measure(network, device, size)
      row[`batch ${size}`] = Number(ms.toPrecision(3))
      if (size === 1 && device.execution_provider !== "cpu") {
        row["furthest from the CPU"] = Number(furthest(answer, (await measure(network, cpu, 1)).answer).toPrecision(2))
      }
      if (ms * size > PATIENCE_MS) break
    }
    table[`${device.execution_provider}: ${network.name}, ms per ${network.one}`] = row
  }
  return table
}

/**
 * Time that the networks of the built-in stack take for one slice, line or picture, by provider and batch size; a provider that
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
    Object.assign(measured, await measureDevice(device))
  }
  console.table(measured)
  return measured
}
