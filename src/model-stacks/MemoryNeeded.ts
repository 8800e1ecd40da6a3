import { totalmem } from "node:os"
import type { StackState } from "./ModelStore.ts"
import { modelsOf, nameOf } from "./StackFiles.ts"

/**
 * All processes of the service together with the models of `builtin`, 35 MB, at the peak of the sample lecture: 1,528 MB, pages
 * that they share counted once.
 */
const service_bytes = 1_550_000_000

/** Of a network of 302 MB ONNX Runtime took 385 to 438 MB, once it was opened by its path. */
const perByte = 1.4

/** Language models are mapped, not read; everything else is ONNX Runtime's. */
const heldFor = (name: string, bytes: number) => name.endsWith(".gguf") ? bytes : bytes * perByte

/**
 * Bytes of memory that one machine needs to run the service on a stack, on the CPU: the service, the weights of the files looked
 * at, each once, and what their models hold beside. An estimate for the decision to fetch; a file of unknown length counts nothing.
 */
export const memoryNeeded = ({ files, stack }: StackState): number => {
  const looked = new Set(files.map(({ name }) => name))
  const weights = files.reduce((sum, { name, size_bytes }) => sum + heldFor(name, size_bytes ?? 0), 0)
  const running = modelsOf(stack).filter(([, model]) =>
    Object.values(model.files).every((file) => looked.has(nameOf(file)))
  )
  const beside = running.reduce((sum, [, { working_mb }]) => sum + (working_mb ?? 0), 0)
  return service_bytes + weights + beside * 1e6
}

/** Bytes that processes here may use together: of the machine, or less where its control group says so. */
const memoryHere = (): number => {
  const group = process.constrainedMemory()
  return group > 0 ? Math.min(group, totalmem()) : totalmem()
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/** Whether a machine with so many bytes of memory can hold the service on a stack, and a sentence that says so. */
export const memoryVerdict = (state: StackState, here = memoryHere()) => {
  const needed = memoryNeeded(state)
  const needs = `The service on ${state.stack.id} needs about ${gigabytes(needed)} of memory`
  return needed <= here
    ? { enough: true, message: `${needs}; this machine has ${gigabytes(here)}.` }
    : {
      enough: false,
      message: `${needs}, and this machine has ${gigabytes(here)}: it would be ended for want of memory. `
        + "Take a smaller stack, or a machine for each pool."
    }
}
