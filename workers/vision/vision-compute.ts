import sharp from "sharp"
import { roundSeconds } from "../../src/artifacts/Moment.ts"
import type { ModelRun } from "../../src/jobs/Provenance.ts"
import { serve } from "../compute/serve.ts"
import { type FrameDescriber, openFrameDescriber } from "./DescribeFrame.ts"
import type { DescribeCall } from "./VisionCalls.ts"

// One picture at a time: sharp's own threads and its cache would only take memory from the models.
sharp.cache(false)
sharp.concurrency(1)

/** On the CPU: pictures come one at a time and in many sizes, and a GPU belongs to the speech lane. */
const models: ReadonlyArray<ModelRun> = [
  { role: "ocr", name: "pp-ocr-v4", execution_provider: "cpu" },
  { role: "describe", name: "footnote-rules", execution_provider: "cpu" }
]

let opened: Promise<FrameDescriber> | undefined
/** Opened by the first call and kept. After a failure the next call tries again: the files may have come by then. */
const describer = () =>
  opened ??= openFrameDescriber().catch((error: unknown) => {
    opened = undefined
    throw error
  })

serve({
  describe: async ({ path }: DescribeCall["input"], signal): Promise<DescribeCall["output"]> => {
    const { describe } = await describer()
    const began = performance.now()
    const picture = await describe(path, signal)
    return { picture, model_seconds: roundSeconds((performance.now() - began) / 1000), models }
  }
})
