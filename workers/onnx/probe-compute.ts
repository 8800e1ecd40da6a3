import { serve } from "../compute/serve.ts"
import type { Device } from "./Device.ts"
import { openModel } from "./OnnxSession.ts"
import { probeModel } from "./ProbeModel.ts"

/** What the throwaway process is asked and answers: why the device cannot be used, null when it can. */
export interface ProbeCall {
  readonly input: Device
  readonly output: { readonly refusal: string | null }
}

const x = { data: Float32Array.of(1, 2, 3, 4), dims: [2, 2] }
const squared = [7, 10, 15, 22]

serve({
  /** A driver may end this process instead of answering: then its parent says so. */
  probe: async (device: ProbeCall["input"]): Promise<ProbeCall["output"]> => {
    try {
      const session = await openModel(probeModel, { device, strict: true })
      const { y } = await session.run({ x })
      await session.dispose()
      const right = squared.every((value, i) => Math.abs(value - Number(y!.data[i])) < 1e-3)
      return { refusal: right ? null : `It multiplies wrongly: ${y!.data.join(", ")}` }
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : String(error) }
    }
  }
})
