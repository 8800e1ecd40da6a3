import { serve } from "../compute/serve.ts"
import { openModel } from "./OnnxSession.ts"
import { probeCalls } from "./ProbeCalls.ts"
import { probeModel } from "./ProbeModel.ts"

const x = { data: Float32Array.of(1, 2, 3, 4), dims: [2, 2] }
const squared = [7, 10, 15, 22]

serve(probeCalls, {
  /** A driver may end this process instead of answering: then its parent says so. */
  probe: async (device) => {
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
